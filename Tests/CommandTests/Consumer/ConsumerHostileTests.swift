import Foundation
import Manifests
import ReleaseSimulator
import TestSupport
import Testing

/// Servers, manifests and folders that try more than to be wrong.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ConsumerHostileTests {
  private static let file = "weights.bin"
  private let release = ConsumerRelease(files: [file: .random(200_000)])
  private var bytes: [UInt8] { release.files[Self.file]?.bytes ?? [] }

  /// No byte that a terminal obeys, besides the ends of lines.
  private func expectPrintable(
    _ outcome: ToolOutcome,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let text = outcome.errors + outcome.output
    let hidden = text.unicodeScalars.filter {
      ($0.value < 0x20 && $0 != "\n") || (0x7f...0x9f).contains($0.value) || $0 == "\u{202e}"
    }
    #expect(hidden.isEmpty, "\(text.debugDescription)", sourceLocation: sourceLocation)
  }

  @Test func `a manifest that comes over http is judged by its signature`() async throws {
    let home = try await ConsumerHome.trusting()
    let good = try release.envelope(signedBy: [home.signer])
    let server = try FaultyMirror(files: ["good.json": good, Self.file: bytes])
    let install = ["install", server.url("good.json"), "--mirror", "\(server.url)/{name}"]
    let outcome = try await home.run(install)
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    server.set(.flip(at: 300), for: "*.json")
    #expect(try await home.run(install).ending == .exited(6))
  }

  @Test(arguments: [
    (Fault.html, 4), (.status(404), 4), (.gzip, 4), (.redirectLoop, 4),
    (.redirect(to: "file:///etc/passwd?"), 4), (.truncated, 4), (.endlessBody, 4),
  ])
  func `a server of manifests that is bad is named, and nothing is installed`(
    fault: Fault,
    exit: Int
  ) async throws {
    let home = try await ConsumerHome.trusting()
    let envelope = try release.envelope(signedBy: [home.signer])
    let server = try FaultyMirror(files: ["m.json": envelope], fault)
    let outcome = try await home.run(["install", server.url("m.json"), "--give-up", "1s"])
    let url = "\(server.url)/m.json"
    outcome.expectRefusal(exit, "the manifest cannot be fetched from \(url)", note: url)
    #expect(!FileManager.default.fileExists(atPath: home.store))
  }

  @Test(arguments: [
    Fault.field(name: "Content-Encoding", value: "\u{1B}]0;owned\u{7}\u{1B}[2J"),
    .field(name: "Content-Encoding", value: "x\u{9b}31m\u{202e}gpj"),
    .redirect(to: "ftp://\u{1B}[31m"),
    .html,
  ])
  func `what a server says never reaches the terminal raw`(fault: Fault) async throws {
    let home = try await ConsumerHome.trusting()
    let page = Array("<!DOCTYPE html>\u{1B}[2J\u{1B}]0;owned\u{7}\u{9b}1m\u{202e}".utf8)
    let first = try FaultyMirror(
      files: [Self.file: fault == .html ? page : bytes],
      fault == .html ? .honest : fault
    )
    let second = try FaultyMirror(files: [Self.file: bytes])
    let install = [
      "install", try home.publish(release), "--verbose", "--mirror", "\(first.url)/{name}",
      "--mirror", "\(second.url)/{name}",
    ]
    let outcome = try await home.run(install)
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    #expect(outcome.errors.contains("warning: mirror \(first.url)/{name}: "), "\(outcome.errors)")
    expectPrintable(outcome)
    expectPrintable(try await home.run(install + ["--json"]))
  }

  @Test func `what a manifest or a file name says never reaches the terminal raw`() async throws {
    let home = try await ConsumerHome.trusting()
    var release = release
    release.details.title = "Tiny\u{1B}[2J\u{202e}"
    release.details.notes = "\u{1B}]0;owned\u{7}"
    let manifest = try home.publish(release)
    let mirror = try home.fileMirror(release)
    for arguments in [
      ["install", manifest, "--mirror", mirror, "--verbose"], ["status"], ["list"],
    ] {
      for form in [[], ["--json"]] {
        let outcome = try await home.run(arguments + form)
        #expect(outcome.ending == .exited(0), "\(outcome.errors)")
        expectPrintable(outcome)
      }
    }
    _ = try home.write([1], to: "blobs/a\u{1B}[31m\nb\u{202e}")
    let verify = ["verify", "\(home.folder)/blobs", "--manifest", manifest]
    for form in [[], ["--json"]] {
      let outcome = try await home.run(verify + form)
      #expect(outcome.ending == .exited(5))
      expectPrintable(outcome)
    }
    expectPrintable(try await home.run(["install", "./\u{1B}[31m.json"]))
    expectPrintable(try await home.run(["\u{1B}[31m"]))
  }

  @Test func `the name that a signature gives itself never reaches the terminal raw`() async throws
  {
    let home = try await ConsumerHome.trusting()
    let stranger = try home.signer(named: "stranger")
    let signed = try String(decoding: release.envelope(signedBy: [stranger]), as: UTF8.self)
    let forged = signed.replacing("\(stranger.fingerprint)", with: "\\u001b[2Jrelease\\u202e")
    let outcome = try await home.run([
      "install", try home.write(Array(forged.utf8), to: "forged.json"),
    ])
    outcome.expectRefusal(
      6,
      "no trusted key has signed the manifest",
      note: "it names these signers: "
    )
    expectPrintable(outcome)
  }

  enum Thing: CaseIterable { case pipe, folder, brokenLink, linkToDevice }

  @Test(arguments: Thing.allCases)
  func `a file mirror with something else than a file is passed over at once`(
    thing: Thing
  ) async throws {
    let home = try await ConsumerHome.trusting()
    let bad = "\(home.folder)/bad"
    let files = FileManager.default
    try files.createDirectory(atPath: bad, withIntermediateDirectories: false)
    let path = "\(bad)/\(Self.file)"
    switch thing {
    case .pipe:
      let mkfifo = try await #require(Tool.installed("mkfifo")).run([path])
      #expect(mkfifo.ending == .exited(0))
    case .folder: try files.createDirectory(atPath: path, withIntermediateDirectories: false)
    case .brokenLink: try files.createSymbolicLink(atPath: path, withDestinationPath: "none")
    case .linkToDevice:
      try files.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
    }
    let outcome = try await home.run([
      "install", try home.publish(release), "--mirror", "file://\(bad)/{name}",
      "--mirror", try home.fileMirror(release),
    ])
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    let words = thing == .brokenLink ? "cannot be read: " : "is no regular file\n"
    #expect(outcome.errors.contains("warning: mirror file://\(bad)/{name}: \(words)"))
    #expect(try home.oracle().active() != nil)
  }

  @Test func `a file mirror may link to its files, and serves bytes only`() async throws {
    let home = try await ConsumerHome.trusting()
    _ = try home.fileMirror(release, in: "real")
    try FileManager.default.createDirectory(
      atPath: "\(home.folder)/links",
      withIntermediateDirectories: false
    )
    try FileManager.default.createSymbolicLink(
      atPath: "\(home.folder)/links/\(Self.file)",
      withDestinationPath: "../real/\(Self.file)"
    )
    let outcome = try await home.run([
      "install", try home.publish(release), "--mirror", "file://\(home.folder)/links/{name}",
    ])
    let active = try #require(try home.oracle().active())
    #expect(outcome.output == "\(active.path)\n")
    let facts = try FileManager.default.attributesOfItem(atPath: "\(active.path)/\(Self.file)")
    #expect(facts[.type] as? FileAttributeType == .typeRegular)
  }

  @Test(arguments: ["versions", "staging", "trash", "stamps"])
  func `a link in place of a folder of the store is not followed`(name: String) async throws {
    let home = try await ConsumerHome.trusting()
    try await home.installed(release)
    let outside = "\(home.folder)/outside"
    let place = "\(home.oracle().folder)/\(name)"
    try FileManager.default.moveItem(atPath: place, toPath: outside)
    try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: outside)
    let before = try FileManager.default.subpathsOfDirectory(atPath: outside).sorted()
    var next = release
    next.version = "1.1.0"
    let outcome = try await home.run([
      "install", try home.publish(next), "--mirror", try home.fileMirror(next),
    ])
    outcome.expectRefusal(8, "\(place) cannot be reached", note: "something that is no folder")
    #expect(try FileManager.default.subpathsOfDirectory(atPath: outside).sorted() == before)
  }
}
