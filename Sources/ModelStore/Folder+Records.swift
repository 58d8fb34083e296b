import SystemFiles

/// Records, in whose place a person or a disk may have put anything.
extension Folder {
  /// Reads the record at the relative `path`; nil if there is none.
  ///
  /// Anything but a file of at most `limit` bytes is a record that cannot be read: it has no bytes, which no record may
  /// have. So is one behind a file that stands in the place of a folder. A link is refused with an error, as everywhere. So one odd entry stops nothing but what it is about.
  func readRecord(_ path: String, limit: Int) throws(SystemError) -> [UInt8]? {
    do {
      return try readFile(path, limit: limit)
    } catch let error where error.isNoFile || error.isTooLarge || error.isNotFound {
      return []
    }
  }

  /// The entries of the folder `name`; none where something else has that name, or nothing.
  func entriesOfPart(_ name: String) throws(SystemError) -> [Entry] {
    do {
      return try openFolder(name).entries()
    } catch let error where error.isNotFound || error.isEscape {
      return []
    }
  }

  /// Opens the folder at the relative `path`; nil where something else has that name, such as a link, or nothing.
  func openFolderProper(_ path: String) throws(SystemError) -> Folder? {
    do {
      return try openFolder(path)
    } catch let error where error.isNotFound || error.isEscape {
      return nil
    }
  }

  /// Replaces the record `name` as ``SystemFiles/Folder/replaceFile(_:with:mode:)`` does, and a folder of that name too.
  func replaceRecord(_ name: String, with bytes: [UInt8], mode: UInt32) throws(SystemError) {
    if try status(of: name)?.kind == .folder { try removeTree(name) }
    try replaceFile(name, with: bytes, mode: mode)
  }
}
