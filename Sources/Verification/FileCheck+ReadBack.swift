package import Digests
package import SystemFiles

extension FileCheck {
  /// Verifies an open file of which the chunks that are `known` need not be read again.
  ///
  /// They count only while nobody else has the file open, and only if it is still unchanged when the others were read;
  /// otherwise it is read as a whole. So it is where the digest of the whole file is compared: all must be read for that, and
  /// what is wrong on this disk must not look like a contradiction of the publisher's. Counts, throws and returns what
  /// ``problem(in:report:)`` does.
  package func problem(
    in file: borrowing OpenFile,
    besides known: ReadBack?,
    report: @Sendable (Int) -> Bool
  ) throws(CancellationError) -> FileProblem? {
    guard let known, depth == .everyByte, file.isOursAlone() else {
      return try problem(in: file, report: report)
    }
    let read = known.chunks(in: file)
    let problem = try problem(in: file, without: read, report: report)
    if problem != nil || known.chunks(in: file).isSuperset(of: read) { return problem }
    // All its bytes were counted already.
    return try self.problem(in: file) { _ in report(0) }
  }
}

extension ReadBack {
  /// The chunks that count now; none where the file system does not say.
  fileprivate func chunks(in file: borrowing OpenFile) -> Set<Int> {
    do {
      return chunks(of: try file.status())
    } catch {
      return []
    }
  }
}
