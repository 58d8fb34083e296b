package import Manifests
package import Trust

extension TrustedMetadata {
  /// Verifies what is kept, which is read file by file while another process may keep newer ones.
  ///
  /// What is refused is read once more, and judged again if it has changed: files of two states do not fit together
  /// although those of each do.
  /// - Parameters:
  ///   - read: Reads what is kept.
  ///   - ignoringExpiry: Whether what has expired will do.
  ///   - now: The time by which everything is judged.
  /// - Throws: ``RepositoryFault``, and what `read` throws.
  package init(
    settled read: () throws -> StoredMetadata,
    ignoringExpiry: Bool,
    now: Timestamp
  ) throws {
    var kept = try read()
    while true {
      do throws(MetadataRefusal) {
        self = try TrustedMetadata(offline: kept, ignoringExpiry: ignoringExpiry, now: now)
        return
      } catch {
        let again = try read()
        guard again != kept else { throw RepositoryFault.refused(error, file: nil, troubles: []) }
        kept = again
      }
    }
  }
}
