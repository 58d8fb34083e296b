#!/usr/bin/env python3
"""An HTTP/2 mirror over TLS that can be wrong in the ways of its protocol; for tests.

    h2-mirror.py FOLDER CERTIFICATE KEY FAULT

FAULT is one of
    none             honest
    reset:BYTES      RST_STREAM (INTERNAL_ERROR) after so many bytes of each body that is longer
    refuse-ranges    RST_STREAM (PROTOCOL_ERROR) in place of 416 for every request of a range
    goaway:BYTES     GOAWAY and the end of the connection after so many bytes of each body that is longer
It prints its port, then a line of JSON for each request when its answer has ended.
"""
import asyncio
import json
import os
import ssl
import sys

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.errors import ErrorCodes
from h2.events import ConnectionTerminated, RequestReceived, StreamReset
from h2.exceptions import ProtocolError

folder, certificate, key, fault = sys.argv[1:5]
kind, _, count = fault.partition(":")
limit = int(count) if count else None
connections = 0


class Connection(asyncio.Protocol):
    def connection_made(self, transport):
        global connections
        connections += 1
        self.number = connections
        self.transport = transport
        self.h2 = H2Connection(H2Configuration(client_side=False, header_encoding="utf-8"))
        self.ended = set()
        self.moved = asyncio.Event()
        self.writable = asyncio.Event()
        self.writable.set()
        self.h2.initiate_connection()
        self.flush()

    def pause_writing(self):
        self.writable.clear()

    def resume_writing(self):
        self.writable.set()

    def connection_lost(self, error):
        self.ended = None
        self.moved.set()
        self.writable.set()

    def data_received(self, data):
        try:
            events = self.h2.receive_data(data)
        except ProtocolError:
            self.flush()
            self.transport.close()
            return
        for event in events:
            if isinstance(event, RequestReceived):
                asyncio.ensure_future(self.answer(event.stream_id, dict(event.headers)))
            elif isinstance(event, StreamReset):
                self.ended.add(event.stream_id)
            elif isinstance(event, ConnectionTerminated):
                self.transport.close()
        self.flush()
        self.moved.set()

    def flush(self):
        data = self.h2.data_to_send()
        if data:
            self.transport.write(data)

    def is_over(self, stream):
        return self.ended is None or stream in self.ended

    async def answer(self, stream, fields):
        """Sends the answer to one request and logs it."""
        sent = 0
        status = 0
        try:
            status, head, body = self.decide(fields)
            if status == 0:
                self.h2.reset_stream(stream, ErrorCodes.PROTOCOL_ERROR)
            else:
                self.h2.send_headers(stream, [(":status", str(status))] + head)
                sent = await self.send(stream, body)
            self.flush()
        except ProtocolError:
            pass
        print(
            json.dumps(
                {
                    "path": fields[":path"],
                    "range": fields.get("range", ""),
                    "status": status,
                    "bytes": sent,
                    "stream": stream,
                    "connection": self.number,
                }
            ),
            flush=True,
        )

    def decide(self, fields):
        """The status, the header fields and the body; status 0 for a reset instead of an answer."""
        path = os.path.join(folder, fields[":path"].lstrip("/"))
        if not os.path.isfile(path):
            return 404, [("content-length", "0")], b""
        with open(path, "rb") as file:
            data = file.read()
        head = [("content-type", "application/octet-stream"), ("etag", f'"{len(data):x}"')]
        if "range" not in fields:
            return 200, head + [("content-length", str(len(data)))], data
        if kind == "refuse-ranges":
            return 0, [], b""
        first, last = fields["range"].removeprefix("bytes=").split("-")
        body = data[int(first) : int(last) + 1]
        place = f"bytes {first}-{int(first) + len(body) - 1}/{len(data)}"
        return 206, head + [("content-length", str(len(body))), ("content-range", place)], body

    async def send(self, stream, body):
        """Sends a body as the windows allow, up to where the fault comes; returns the bytes sent."""
        sent = 0
        end = min(len(body), limit) if limit is not None else len(body)
        while sent < end and not self.is_over(stream):
            await self.writable.wait()
            if self.is_over(stream):
                break
            room = min(self.h2.local_flow_control_window(stream), self.h2.max_outbound_frame_size)
            if room <= 0:
                self.moved.clear()
                await self.moved.wait()
                continue
            piece = body[sent : min(end, sent + room)]
            self.h2.send_data(stream, piece)
            self.flush()
            sent += len(piece)
        if self.is_over(stream):
            return sent
        if end == len(body):
            self.h2.end_stream(stream)
        elif kind == "reset":
            self.h2.reset_stream(stream, ErrorCodes.INTERNAL_ERROR)
        else:
            self.h2.close_connection(ErrorCodes.INTERNAL_ERROR)
            self.flush()
            self.transport.close()
        return sent


async def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.set_alpn_protocols(["h2"])
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Connection, "127.0.0.1", 0, ssl=context)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
