import Foundation
import TestSupport
import Testing

/// The first of two mirrors is bad in one way, the second honest: the install succeeds and says what was wrong.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ConsumerMirrorFaultTests {
  private static let file = "weights.bin"
  private static let content = ConsumerRelease.Content.random(4 << 20)

  /// A fault and what the user reads of it.
  struct Case: Sendable, CustomTestStringConvertible {
    let fault: Fault
    let words: String

    init(_ fault: Fault, _ words: String) {
      self.fault = fault
      self.words = words
    }

    var testDescription: String { "\(fault)" }
  }

  @Test(arguments: [
    Case(.status(404), "no such file (404)"),
    Case(.status(403), "access refused (403)"),
    Case(.status(500), "answered 500"),
    Case(.status(503, retryAfter: 1), "answered 503, retry after 1"),
    Case(.html, "mirror sent text/html, first bytes \""),
    Case(.truncated, "connection closed after 2516582 of 4194304 bytes"),
    Case(.truncatedWithoutLength, "connection closed after 2516582 of 4194304 bytes"),
    Case(.reset, "connection closed after 1048576 of 4194304 bytes"),
    Case(.flip(at: 2_500_000), "chunk 2 has wrong bytes (SHA-256 "),
    Case(.zeros, " has wrong bytes (SHA-256 "),
    Case(.longer(), "file has 4198304 bytes there, not 4194304"),
    Case(.shorter(), "file has 4190304 bytes there, not 4194304"),
    Case(.gzip, "body is coded as gzip"),
    Case(.redirectLoop, "too many redirects: "),
    Case(.redirect(to: "file:///etc/passwd?"), "redirect to what cannot be asked: "),
    Case(.redirect(to: "ftp://127.0.0.1"), "redirect to what cannot be asked: "),
    Case(.garbage, "malformed answer: "),
    Case(.endlessHeader, "malformed answer: "),
    Case(.twoLengths, "malformed answer: "),
    Case(.silence, "no first byte within 2 s"),
    Case(.stall(after: 1 << 20), "fewer than 400 bytes within 2 s"),
    Case(
      .field(name: "X-Long", value: String(repeating: "a", count: 200_000)),
      "malformed answer: a line of its head is too long"
    ),
  ])
  func `a bad mirror is named with its fault, and the next one serves`(_ bad: Case) async throws {
    let first = try FaultyMirror(files: [Self.file: Self.content.bytes], bad.fault)
    let home = try await ConsumerHome.trusting()
    try await install(at: home, first: first.url, after: first, expecting: bad.words)
    #expect(!first.requests.isEmpty)
    #expect(first.requests.allSatisfy { ($0.acceptEncoding ?? "identity") == "identity" })
  }

  @Test(arguments: [
    Case(.noRange, "ignores ranges (answered 200)"),
    Case(.wrongContentRange, "asked for bytes 2097152-4194303, answered \"bytes 0-"),
    Case(.noContentRange, "partial answer without Content-Range"),
    Case(.twoContentRanges, "malformed answer: "),
    Case(.multipart, "answered in several parts"),
    Case(.shift, "chunk 2 has wrong bytes (SHA-256 "),
    Case(.shortLength, "announces 1048576 bytes instead of 2097152"),
    Case(.always416, "answered 416"),
  ])
  func `a mirror that is wrong about ranges is named when an install goes on`(
    _ bad: Case
  ) async throws {
    let home = try await ConsumerHome.trusting()
    try await leaveHalf(at: home)
    let first = try FaultyMirror(files: [Self.file: Self.content.bytes], bad.fault)
    let second = try await install(
      at: home,
      first: first.url,
      after: first,
      expecting: bad.words
    )
    #expect(second.bytesSent == 2 << 20)
    #expect(first.bytesSent <= 4 << 20)
  }

  @Test func `right bytes with status 200 and a range are used`() async throws {
    let home = try await ConsumerHome.trusting()
    try await leaveHalf(at: home)
    let manifest = try home.publish(ConsumerRelease(files: [Self.file: Self.content]))
    let mirror = try FaultyMirror(files: [Self.file: Self.content.bytes], .ok200)
    let outcome = try await home.run(["install", manifest, "--mirror", "\(mirror.url)/{name}"])
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    #expect(mirror.bytesSent == 2 << 20)
    #expect(try home.oracle().active() != nil)
  }

  @Test func `a dead port is named, and the next mirror serves`() async throws {
    let port = try DeadPort()
    let home = try await ConsumerHome.trusting()
    try await install(at: home, first: port.url, expecting: "no connection: ")
  }

  @Test(.enabled(if: NginxMirror.isAvailable))
  func `a redirect from https to http is refused`() async throws {
    let plain = try FaultyMirror(files: [Self.file: Self.content.bytes])
    let certificates = try await TestCertificates()
    let tls = try await NginxMirror(
      folder: TemporaryFolder.current,
      NginxOptions(redirects: ["/": plain.url], certificates: certificates)
    )
    try await install(
      at: try await ConsumerHome.trusting(),
      first: tls.url,
      ["--ca-bundle", certificates.authority],
      expecting: "redirect from https to http: https://"
    )
    #expect(plain.requests.isEmpty)
  }

  @Test(.enabled(if: NginxMirror.isAvailable))
  func `a certificate that nobody vouches for is refused`() async throws {
    let tls = try await NginxMirror(
      folder: TemporaryFolder.current,
      NginxOptions(certificates: try await TestCertificates())
    )
    let home = try await ConsumerHome.trusting()
    try await install(at: home, first: tls.url, expecting: "certificate not accepted: ")
  }

  /// Installs with `first` before an honest mirror, which it returns and which answers after `leader` was asked.
  @discardableResult
  private func install(
    at home: ConsumerHome,
    first: String,
    after leader: FaultyMirror? = nil,
    _ options: [String] = [],
    expecting words: String
  ) async throws -> FaultyMirror {
    let release = ConsumerRelease(files: [Self.file: Self.content])
    let second = try FaultyMirror(files: [Self.file: Self.content.bytes])
    if let leader { second.answer(after: leader) }
    let outcome = try await home.run(
      ["install", try home.publish(release), "--give-up", "2s"] + options
        + ["--mirror", "\(first)/{name}", "--mirror", "\(second.url)/{name}"]
    )
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    #expect(outcome.errors.contains("warning: mirror \(first)/{name}: "), "\(outcome.errors)")
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
    let active = try #require(try home.oracle().active())
    #expect(outcome.output == "\(active.path)\n")
    #expect(home.oracle().candidates.isEmpty)
    #expect(home.oracle().litter.isEmpty)
    return second
  }

  /// Leaves a candidate that lacks chunks 2 and 3, which its mirror had wrong.
  private func leaveHalf(at home: ConsumerHome) async throws {
    var bytes = Self.content.bytes
    for place in [2_500_000, 3_500_000] { bytes[place] ^= 1 }
    let mirror = try FaultyMirror(files: [Self.file: bytes])
    let manifest = try home.publish(ConsumerRelease(files: [Self.file: Self.content]))
    let outcome = try await home.run(["install", manifest, "--mirror", "\(mirror.url)/{name}"])
    #expect(outcome.ending == .exited(5), "\(outcome.errors)")
  }
}
