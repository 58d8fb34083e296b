import Digests
import Foundation
import StrictJSON
import ReleaseSimulator
import TestSupport
import Testing

/// `sealift verify` compares files and folders with a trusted manifest, wherever they lie.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ConsumerVerifyTests {
  private let release = ConsumerRelease(files: [
    "weights.bin": .random(3_000_000), "deep/notes.txt": .random(10, seed: 2, chunkLength: nil),
  ])

  /// A client, the path of the manifest, and a folder with the files of the release.
  private func prepared() async throws -> (ConsumerHome, String, String) {
    let home = try await ConsumerHome.trusting()
    _ = try home.fileMirror(release, in: "files")
    return (home, try home.publish(release), "\(home.folder)/files")
  }

  private func overwrite(_ path: String, at offset: UInt64) throws {
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.seek(toOffset: offset)
    try handle.write(contentsOf: Data([0, 0, 0, 0]))
    try handle.close()
  }

  @Test func `a pipe in the place of a file is refused, and not waited for`() async throws {
    let (home, manifest, folder) = try await prepared()
    try FileManager.default.removeItem(atPath: "\(folder)/weights.bin")
    try makePipe(at: "\(folder)/weights.bin")
    try await home.run(["verify", "\(folder)/weights.bin", "--manifest", manifest])
      .expectRefusal(8, "\(folder)/weights.bin is no plain file")
  }

  @Test(arguments: [[], ["--full-hash"]])
  func `right files are said to be verified, and by whom they were signed`(
    options: [String]
  ) async throws {
    let (home, manifest, folder) = try await prepared()
    for path in [folder, "\(folder)/weights.bin"] {
      let outcome = try await home.run(["verify", path, "--manifest", manifest] + options)
      #expect(outcome.ending == .exited(0), "\(outcome.errors)")
      let signer = "release \(home.signer.fingerprint)"
      #expect(outcome.output == "acme/tiny 1.0.0: verified, signed by \(signer)\n")
    }
    #expect(!FileManager.default.fileExists(atPath: home.store))
  }

  @Test func `the manifest may come from a server`() async throws {
    let (home, manifest, folder) = try await prepared()
    let server = try FaultyMirror(files: ["m": Array(try Data(contentsOf: URL(filePath: manifest)))]
    )
    let outcome = try await home.run([
      "verify", folder, "--manifest", server.url("m"), "--give-up", "20s",
    ])
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
  }

  @Test func `each finding is named, and the exit code is 5`() async throws {
    let (home, manifest, folder) = try await prepared()
    try overwrite("\(folder)/weights.bin", at: 2_000_000)
    try FileManager.default.removeItem(atPath: "\(folder)/deep/notes.txt")
    _ = try home.write([1], to: "files/extra.bin")
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/link",
      withDestinationPath: "weights.bin"
    )
    let outcome = try await home.run(["verify", folder, "--manifest", manifest])
    #expect(outcome.ending == .exited(5), "\(outcome.errors)")
    let lines = [
      "weights.bin differs in 1 chunk: bytes 1048576-2097151",
      "deep/notes.txt is missing",
      "extra.bin is a file that the manifest does not have",
      "link is a symbolic link that the manifest does not have",
    ]
    #expect(outcome.output.split(separator: "\n").sorted() == lines.map { $0[...] }.sorted())
    #expect(
      outcome.errorLines.filter { $0.hasPrefix("error: ") }
        == ["error: 4 entries in \(folder) differ from the manifest"]
    )
    let json = try await home.run(["verify", folder, "--manifest", manifest, "--json"])
    #expect(json.ending == .exited(5))
    let summary = try json.summary()
    #expect(summary["findings"] == 4)
    #expect(summary["class"] == "wrongBytes")
    let found = try json.events().filter { $0["event"] == "finding" }
    #expect(found.contains { $0["path"] == "deep/notes.txt" && $0["code"] == "missing" })
    #expect(found.count == 4)
  }

  @Test func `a single file with a changed byte or of another length is told`() async throws {
    let (home, manifest, folder) = try await prepared()
    let file = "\(folder)/weights.bin"
    try overwrite(file, at: 0)
    let changed = try await home.run(["verify", file, "--manifest", manifest])
    #expect(changed.ending == .exited(5))
    #expect(changed.output.contains("weights.bin differs in 1 chunk: bytes 0-1048575"))
    let handle = try #require(FileHandle(forWritingAtPath: file))
    try handle.truncate(atOffset: 2_999_999)
    try handle.close()
    let short = try await home.run(["verify", file, "--manifest", manifest])
    #expect(short.ending == .exited(5))
    #expect(changed.errors.contains("error: 1 entry differs from the manifest\n"))
    #expect(short.output.contains("weights.bin has 2999999 bytes, expected 3000000"))
  }

  @Test func `a file that the release does not have is exit code 3`() async throws {
    let (home, manifest, _) = try await prepared()
    try await home.run(["verify", try home.write([1], to: "other.bin"), "--manifest", manifest])
      .expectRefusal(3, "acme/tiny 1.0.0 has no file named other.bin", note: "it has ")
    try await home.run(["verify", "\(home.folder)/none", "--manifest", manifest])
      .expectRefusal(3, "there is no \(home.folder)/none")
  }

  @Test func `files that are as signed and no model are the publisher's fault`() async throws {
    let home = try await ConsumerHome.trusting()
    let page = ConsumerRelease(files: [
      "model.gguf": ConsumerRelease.Content(bytes: Array("<!DOCTYPE html><html></html>".utf8))
    ])
    _ = try home.fileMirror(page, in: "files")
    let manifest = try home.publish(page)
    let folder = "\(home.folder)/files"
    let outcome = try await home.run(["verify", folder, "--manifest", manifest])
    #expect(outcome.ending == .exited(9), "\(outcome.errors)")
    #expect(outcome.output.contains("model.gguf"))
    #expect(outcome.errors.contains("error: 1 entry in \(folder) is as signed, and no model\n"))
  }

  @Test func `a manifest that nobody trusted has signed vouches for nothing`() async throws {
    let (home, _, folder) = try await prepared()
    let other = try home.publish(
      release,
      as: "other.json",
      signedBy: [try home.signer(named: "stranger")]
    )
    try await home.run(["verify", folder, "--manifest", other])
      .expectRefusal(6, "no trusted key has signed the manifest")
  }

  @Test func `a signed digest that the signed chunks contradict is the publisher's fault`()
    async throws
  {
    let home = try await ConsumerHome.trusting()
    var content = ConsumerRelease.Content.random(3 << 20)
    content.signedDigest = SHA256Digest(of: [1, 2, 3])
    let release = ConsumerRelease(files: ["weights.bin": content])
    let manifest = try home.publish(release)
    let mirror = try FaultyMirror(files: ["weights.bin": content.bytes])
    let install = ["install", manifest, "--mirror", "\(mirror.url)/{name}"]
    let refused = try await home.run(install + ["--full-hash"])
    #expect(refused.ending == .exited(9), "\(refused.errors)")
    #expect(refused.errors.contains("by its signed chunks"), "\(refused.errors)")
    #expect(try home.oracle().active() == nil)
    // Another fetch would bring the same bytes.
    #expect(mirror.bytesSent == content.bytes.count)
    let taken = try await home.run(install)
    #expect(taken.ending == .exited(0), "\(taken.errors)")
    let found = try await home.run(["path", "acme/tiny"])
    let path = "\(found.output.split(separator: "\n").first ?? "")/weights.bin"
    let verify = try await home.run(["verify", path, "--manifest", manifest, "--full-hash"])
    #expect(verify.ending == .exited(9), "\(verify.errors)")
  }
}
