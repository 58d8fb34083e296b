import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct WrongBytesTests {
  let file = SampleBytes(seed: 8).prefix(300_000)

  private func answer(_ fault: Fault, _ fields: [String] = []) throws -> WireAnswer {
    let mirror = try FaultyMirror(files: ["a": file], fault)
    return try WireClient(port: mirror.port).request("/a", fields)
  }

  @Test func `flip changes one byte, wherever the range begins`() throws {
    var expected = file
    expected[100_000] ^= 0xff
    #expect(try Long(answer(.flip(at: 100_000)).body) == Long(expected))
    let part = try answer(.flip(at: 100_000), ["Range: bytes=99999-100000"])
    #expect(Long(part.body) == Long(expected[99_999...100_000]))
    let other = try answer(.flip(at: 100_000), ["Range: bytes=0-99999"])
    #expect(Long(other.body) == Long(file[..<100_000]))
  }

  @Test func `flip past the end changes the last byte`() throws {
    var expected = file
    expected[299_999] ^= 0xff
    #expect(try Long(answer(.flip()).body) == Long(expected))
  }

  @Test func `flipEvery changes one byte of each stretch, wherever the range begins`() throws {
    var expected = file
    for place in stride(from: 5000, to: file.count, by: 10_000) { expected[place] ^= 0xff }
    #expect(try Long(answer(.flipEvery(10_000)).body) == Long(expected))
    let part = try answer(.flipEvery(10_000), ["Range: bytes=5001-25000"])
    #expect(Long(part.body) == Long(expected[5001...25_000]))
  }

  @Test func `zeros keeps the size`() throws {
    #expect(try Long(answer(.zeros).body) == Long([UInt8](repeating: 0, count: file.count)))
  }

  @Test func `longer and shorter are honest about a wrong size`() throws {
    let longer = try answer(.longer(), ["Range: bytes=299999-"])
    #expect(longer.value("Content-Range") == "bytes 299999-303999/304000")
    #expect(Long(longer.body) == Long(file.suffix(1) + [UInt8](repeating: 0, count: 4000)))
    let shorter = try answer(.shorter())
    #expect(Long(shorter.body) == Long(file.dropLast(4000)))
  }

  @Test func `swapAfter shows another file of the same size from that request on`() throws {
    let mirror = try FaultyMirror(files: ["a": file], .swapAfter(3))
    let client = try WireClient(port: mirror.port)
    let first = try client.request("/a")
    #expect(Long(first.body) == Long(file))
    let tag = try #require(first.value("ETag"))
    #expect(try client.request("/a", ["Range: bytes=0-9", "If-Range: \(tag)"]).status == 206)
    let third = try client.request("/a", ["Range: bytes=0-9", "If-Range: \(tag)"])
    #expect(third.status == 200)
    #expect(third.body.count == file.count)
    #expect(zip(third.body, file).allSatisfy { $0 != $1 })
    #expect(third.value("ETag") != tag)
  }

  @Test func `a swapped mirror may ignore If-Range`() throws {
    let answer = try answer(
      .swapAfter(1, honoursIfRange: false),
      ["Range: bytes=0-9", "If-Range: \"old\""]
    )
    #expect(answer.status == 206)
    #expect(Long(answer.body) == Long(file.prefix(10).map { ~$0 }))
  }

  @Test func `etagFlip gives each answer another tag`() throws {
    let mirror = try FaultyMirror(files: ["a": file], .etagFlip)
    let client = try WireClient(port: mirror.port)
    let tags = try (0..<4).map { _ in try client.request("/a").value("ETag") }
    #expect(Set(tags).count == 4)
  }

  @Test(.enabled(if: Tool.installed("gzip") != nil), arguments: [0, 1, 65_535, 65_536, 300_000])
  func `gzip sends the whole file in a form that gzip reads`(count: Int) async throws {
    let mirror = try FaultyMirror(files: ["a": Array(file.prefix(count))], .gzip)
    let answer = try WireClient(port: mirror.port).request("/a", ["Range: bytes=0-0"])
    #expect(answer.status == 200)
    #expect(answer.value("Content-Encoding") == "gzip")
    #expect(answer.end == .counted)
    let gzip = try #require(Tool.installed("gzip"))
    let outcome = try await gzip.run(["-dc"], input: answer.body)
    #expect(outcome.ending == .exited(0))
    #expect(Long(outcome.standardOutput) == Long(file.prefix(count)))
  }

  @Test(arguments: [
    ("Accept-Encoding: gzip", "gzip"), ("Accept-Encoding: br, gzip;q=0.5", "gzip"),
    ("Accept-Encoding: *", "gzip"), ("Accept-Encoding: identity", nil), ("X-None: gzip", nil),
  ])
  func `gzipNegotiated compresses only for who takes it`(field: String, coding: String?) throws {
    let answer = try answer(.gzipNegotiated, [field, "Range: bytes=3-4"])
    #expect(answer.value("Content-Encoding") == coding)
    #expect(answer.status == (coding == nil ? 206 : 200))
  }

  @Test func `html is a page of 2520 bytes at 200`() throws {
    let answer = try answer(.html, ["Range: bytes=0-9"])
    #expect(answer.status == 200)
    #expect(answer.value("Content-Type") == "text/html; charset=utf-8")
    #expect(answer.body.count == 2520)
    #expect(answer.body.starts(with: "<!DOCTYPE html>".utf8))
  }

  @Test func `field adds one field to an honest answer`() throws {
    let answer = try answer(.field(name: "Repr-Digest", value: "sha-256=:AAAA:"))
    #expect(answer.value("Repr-Digest") == "sha-256=:AAAA:")
    #expect(Long(answer.body) == Long(file))
  }
}
