import Manifests
import SystemFiles

/// What the file system says of the files of a version, and of the folders that hold them.
///
/// A folder tells of every entry that was made, removed or renamed in it, and of a change of its mode.
struct StampFacts: Equatable, Sendable {
  /// What one file looked like when its bytes were right.
  struct File: Equatable, Sendable {
    let path: RelativePath
    let identity: FileIdentity
    let size: Int
    let modifiedAt: Int
    let changedAt: Int

    init(path: RelativePath, status: FileStatus) {
      self.path = path
      identity = status.identity
      size = status.size
      modifiedAt = status.modifiedAt
      changedAt = status.changedAt
    }

    init(path: RelativePath, identity: FileIdentity, size: Int, modifiedAt: Int, changedAt: Int) {
      self.path = path
      self.identity = identity
      self.size = size
      self.modifiedAt = modifiedAt
      self.changedAt = changedAt
    }
  }

  /// What one folder looked like when it held nothing but what is signed.
  struct Holder: Equatable, Sendable {
    /// The path from the folder of the release, which is itself the empty path.
    let path: String
    let identity: FileIdentity
    let modifiedAt: Int
    let changedAt: Int
  }

  var files: [File] = []
  /// A folder stands before those beneath it.
  var folders: [Holder] = []
}

/// A look at the files of a release in a folder.
enum StampLook: Equatable {
  case whole(StampFacts)
  /// This one is missing, no plain file, or of another file system.
  case missing(RelativePath)

  /// Asks the file system about each file and each folder on the way to one; opens no file and reads no byte.
  ///
  /// Follows no link. Throws what keeps that from being known, which is no word about the files.
  init(at paths: [RelativePath], in files: borrowing Folder) throws(SystemError) {
    var facts = StampFacts()
    let wanted = paths.map { WantedFile(path: $0, names: $0.components[...]) }
    if let path = try facts.add(wanted, in: files, at: "") {
      self = .missing(path)
    } else {
      self = .whole(facts)
    }
  }
}

/// A file to look for, and the names that lead to it from the folder at hand.
private struct WantedFile {
  let path: RelativePath
  var names: ArraySlice<String>
}

extension StampFacts {
  /// Adds what is said of `folder`, which stands at `place`, and of what is wanted beneath it; returns the first file
  /// that is not there.
  fileprivate mutating func add(
    _ wanted: [WantedFile],
    in folder: borrowing Folder,
    at place: String
  ) throws(SystemError) -> RelativePath? {
    let status = try folder.status()
    // Something else is mounted within the version.
    if let root = folders.first, root.identity.device != status.identity.device {
      return wanted.first?.path
    }
    folders.append(Holder(path: place, status: status))
    var inner: [String: [WantedFile]] = [:]
    for file in wanted {
      guard let name = file.names.first else { continue }
      if file.names.count == 1 {
        let found = try folder.status(of: name)
        guard let found, found.kind == .file, found.identity.device == status.identity.device
        else { return file.path }
        files.append(File(path: file.path, status: found))
      } else {
        inner[name, default: []].append(WantedFile(path: file.path, names: file.names.dropFirst()))
      }
    }
    for (name, wanted) in inner.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      guard let next = try folder.openFolderProper(name) else { return wanted.first?.path }
      let missing = try add(wanted, in: next, at: place.isEmpty ? name : "\(place)/\(name)")
      if let missing { return missing }
    }
    return nil
  }
}

extension StampFacts.Holder {
  fileprivate init(path: String, status: FileStatus) {
    self.path = path
    identity = status.identity
    modifiedAt = status.modifiedAt
    changedAt = status.changedAt
  }
}
