import Digests
import Glibc
import Manifests
import ModelFormats
import SystemFiles
import Testing
import Verification

struct FindingTextTests {
  private static let digest = SHA256Digest.ofNothing
  private static let chunks = (0..<6).reduce(into: ChunkTable()) { table, _ in
    table.append(length: 10, digest: digest)
  }.chunks

  private static let table: [(FileProblem, code: String, text: String)] = [
    (.missing, "missing", "a.bin is missing"),
    (.notAFile(.folder), "wrongType", "a.bin is a folder, not a file"),
    (.notAFile(.link), "wrongType", "a.bin is a symbolic link, not a file"),
    (.notAFile(.other), "wrongType", "a.bin is a special file, not a file"),
    (.wrongSize(expected: 5, found: 0), "empty", "a.bin is empty, expected 5 bytes"),
    (.wrongSize(expected: 5, found: 4), "truncated", "a.bin has 4 bytes, expected 5"),
    (.wrongSize(expected: 5, found: 6), "wrongSize", "a.bin has 6 bytes, expected 5"),
    (.wrongChunks([chunks[1]]), "modified", "a.bin differs in 1 chunk: bytes 10-19"),
    (
      .wrongChunks(Array(chunks[1...4])), "modified",
      "a.bin differs in 4 chunks: bytes 10-19, bytes 20-29, bytes 30-39, bytes 40-49"
    ),
    (
      .wrongChunks(chunks), "modified",
      "a.bin differs in 6 chunks: bytes 0-9, bytes 10-19, bytes 20-29, bytes 30-39, ..."
    ),
    (
      .wrongDigest(expected: digest, found: digest), "modified",
      "a.bin has SHA-256 \(digest), expected \(digest)"
    ),
    (
      .unreadable(SystemError("openat2", code: EACCES)), "unreadable",
      "a.bin cannot be read: Permission denied"
    ),
    (.extra(.file), "extra", "a.bin is a file that the manifest does not have"),
    (.extra(.link), "extra", "a.bin is a symbolic link that the manifest does not have"),
  ]

  @Test(arguments: table.indices)
  func `a finding has a name for programs and a sentence for people`(index: Int) {
    let (problem, code, text) = Self.table[index]
    let finding = FileFinding(path: "a.bin", problem: problem)
    #expect(finding.code == code)
    #expect(finding.text == text)
    #expect(!finding.isPublishersFault)
  }

  @Test func `signed bytes that are no model are the publisher's fault`() throws {
    let problem = FormatProblem(file: try RelativePath("a.bin"), fault: .empty, firstBytes: [])
    let finding = FileFinding(path: "a.bin", problem: .notAModel(problem))
    #expect(finding.isPublishersFault)
    #expect(finding.code == "empty")
    #expect(finding.text == "a.bin is empty")
  }
}
