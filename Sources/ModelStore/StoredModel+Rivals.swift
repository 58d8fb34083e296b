import SystemFiles

// Where no lock keeps other processes out, two may publish the same version at the same time.
extension StoredModel {
  /// Whether a lock keeps other processes from doing what this one does.
  package var keepsOthersOut: Bool { options.locking == .kernel }

  /// Takes away what is left of a candidate whose version another process has published.
  package func removeRest(of candidate: borrowing Candidate) throws {
    try folder.openFolder(StoreLayout.staging).removeTree(candidate.place)
  }
}
