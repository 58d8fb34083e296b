import Digests
import Foundation
import StrictJSON
import TestSupport
import Testing

/// A client, a release of one file, and three loopback mirrors of it: `a`, which is wrong, and `b` and `c`.
struct Trio: Sendable {
  static let file = "weights.bin"
  static let chunkLength = 256 << 10
  static let size = 6 << 20
  static let content = ConsumerRelease.Content.random(size, seed: 3, chunkLength: chunkLength)
  static let release = ConsumerRelease(version: "1.1.0", files: [file: content])

  private(set) var home: ConsumerHome
  let manifest: String
  let a: FaultyMirror
  let b: FaultyMirror
  let c: FaultyMirror

  /// Makes all of them; `b` and `c` are honest.
  init(_ fault: Fault = .honest) async throws {
    home = try await ConsumerHome.trusting().withAllConnections
    manifest = try home.publish(Self.release)
    a = try Self.mirror(fault)
    b = try Self.mirror()
    c = try Self.mirror()
  }

  static func mirror(_ fault: Fault = .honest) throws -> FaultyMirror {
    try FaultyMirror(files: [file: content.bytes], fault)
  }

  /// The same with more in the environment of the client.
  func withEnvironment(_ variables: [String: String]) -> Trio {
    var trio = self
    trio.home.tool.environment.merge(variables) { $1 }
    return trio
  }

  /// Lets the honest mirrors be slow, so that nearly all is asked of `a`.
  func preferA(rate: Int = 1_500_000) {
    b.rate = rate
    c.rate = rate
  }

  /// Installs from these mirrors, the three if none are named, in this order.
  func install(
    _ options: [String] = ["--give-up", "2s"],
    from urls: [String]? = nil
  ) async throws -> ToolOutcome {
    try await home.run(command(options, from: urls))
  }

  func command(_ options: [String] = ["--give-up", "2s"], from urls: [String]? = nil) -> [String] {
    let urls = urls ?? [a.url, b.url, c.url]
    return ["install", manifest, "--json"] + options
      + urls.flatMap { ["--mirror", "\($0)/{name}"] }
  }

  /// Leaves a candidate of which about the first half is right, as an install does that fails in the middle.
  ///
  /// Returns the bytes that are right and need not be fetched.
  @discardableResult
  func leaveHalf() async throws -> Int {
    let half = Self.size / 2
    let bytes = Array(Self.content.bytes[..<half]) + [UInt8](repeating: 0, count: half)
    let mirror = try FaultyMirror(files: [Self.file: bytes])
    let outcome = try await install(["--give-up", "1s"], from: [mirror.url])
    #expect(outcome.ending == .exited(5), "\(outcome.errors)")
    let held = try heldBytes()
    #expect(held > 0 && held <= half)
    withExtendedLifetime(mirror) {}
    return held
  }

  /// The chunks that are right in the part; empty if there is no part.
  func heldChunks() throws -> [Int] {
    guard let part = home.oracle().firstPart else { return [] }
    return stride(from: 0, to: Self.size, by: Self.chunkLength).enumerated().compactMap {
      let range = $1..<min($1 + Self.chunkLength, Self.size)
      guard part.count >= range.upperBound else { return nil }
      return part[range].elementsEqual(Self.content.bytes[range]) ? $0 : nil
    }
  }

  func heldBytes() throws -> Int { try heldChunks().count * Self.chunkLength }

  /// Expects an install that ended well: exit 0, every byte right, nothing left beside it, honest requests only.
  func expectInstalled(
    _ outcome: ToolOutcome,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(outcome.ending == .exited(0), "\(outcome.errors)", sourceLocation: sourceLocation)
    let active = try home.oracle().active()
    #expect(active?.version == Self.release.version, sourceLocation: sourceLocation)
    #expect(home.oracle().candidates.isEmpty, sourceLocation: sourceLocation)
    #expect(home.oracle().litter.isEmpty, sourceLocation: sourceLocation)
    for mirror in [a, b, c] {
      for request in mirror.requests {
        #expect(request.acceptEncoding == "identity", sourceLocation: sourceLocation)
        #expect(request.fields.filter { $0.name == "Range" }.count <= 1)
      }
    }
  }

  /// The bytes of bodies that all three sent.
  var bytesSent: Int { a.bytesSent + b.bytesSent + c.bytesSent }
}

/// What the report of a run says of one mirror.
struct MirrorShare: Equatable {
  var good = 0
  var wasted = 0
  var faults: [String: Int] = [:]
}

extension ToolOutcome {
  /// What the report says of the mirror at this URL; nothing if it is not in the report.
  func share(of mirror: FaultyMirror) throws -> MirrorShare { try share(of: mirror.url) }

  func share(of url: String) throws -> MirrorShare {
    var share = MirrorShare()
    for event in try events() where event["event"] == "mirror" {
      guard case .string(let name)? = event["mirror"], name.hasPrefix("\(url)/") else { continue }
      share.good += event.integer("goodBytes")
      share.wasted += event.integer("wastedBytes")
      guard case .object(let faults)? = event["faults"] else { continue }
      for fault in faults.members {
        share.faults[fault.name, default: 0] += faults.integer(fault.name)
      }
    }
    return share
  }

  /// The messages of the warnings about the mirror at this URL.
  func warnings(about url: String) throws -> [String] {
    try events().compactMap { event in
      guard event["event"] == "warning", case .string(let message)? = event["message"],
        message.hasPrefix("mirror \(url)/")
      else { return nil }
      return message
    }
  }

  /// The counts of bytes that progress showed.
  func progress() throws -> [Int] {
    try events().filter { $0["event"] == "progress" }.map { $0.integer("done") }
  }
}

extension JSONObject {
  func integer(_ name: String) -> Int {
    if case .integer(let value)? = self[name] { Int(value) } else { 0 }
  }
}
