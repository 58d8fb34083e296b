"""nginx as a mirror."""
import os
import shutil
import signal
import socket
import subprocess
import time

from words import fail


class Nginx:
    """nginx of our own on loopback addresses: two workers, no log, files from one folder."""

    def __init__(self, own, root, addresses, extra, log):
        os.makedirs(own)
        self.log = os.path.join(own, "access.log")
        found = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")
        program = found or fail("nginx is not installed")
        for _ in range(5):
            self.port = free_port()
            with open(os.path.join(own, "nginx.conf"), "w", encoding="utf-8") as text:
                text.write(configuration(own, root, addresses, self.port, extra, log))
            command = [program, "-p", own, "-c", os.path.join(own, "nginx.conf"), "-e", os.path.join(own, "error.log")]
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
            self.urls = [f"http://{address}:{self.port}" for address in addresses]
            while self.process.poll() is None:
                if all(takes_connections(address, self.port) for address in addresses):
                    return
                time.sleep(0.01)
        fail("nginx does not start")

    def processor_seconds(self):
        """The processor time of nginx and its workers so far."""
        ticks = 0
        for process in [self.process.pid] + children(self.process.pid):
            try:
                with open(f"/proc/{process}/stat", encoding="utf-8") as text:
                    fields = text.read().rpartition(")")[2].split()
                ticks += int(fields[11]) + int(fields[12])
            except FileNotFoundError:
                pass
        return ticks / os.sysconf("SC_CLK_TCK")

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait()


def children(process):
    with open(f"/proc/{process}/task/{process}/children", encoding="utf-8") as text:
        return [int(word) for word in text.read().split()]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def takes_connections(address, port):
    with socket.socket() as probe:
        return probe.connect_ex((address, port)) == 0


def configuration(own, root, addresses, port, extra, log):
    temporary = "\n".join(
        f"  {name}_temp_path {own}/{name};"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;" if os.geteuid() == 0 else ""
    servers = "\n".join(
        f"  server {{ listen {address}:{port}; root {root}; {extra} }}" for address in addresses
    )
    access = f'"{own}/access.log" shares' if log else "off"
    return f"""daemon off;
{user}
worker_processes 2;
pid {own}/nginx.pid;
error_log {own}/error.log warn;
events {{ worker_connections 512; }}
http {{
  log_format shares '$server_addr $body_bytes_sent';
  access_log {access};
  default_type application/octet-stream;
{temporary}
  sendfile on;
  sendfile_max_chunk 2m;
  tcp_nopush on;
  keepalive_requests 10000;
{servers}
}}
"""
