import CLinux
import Glibc

extension Folder {
  /// What stands under `name`, itself if it is a link; nil if nothing does.
  package func status(of name: String) throws(SystemError) -> FileStatus? {
    let name = try checkedPath(name, for: "fstatat")
    var facts = stat()
    do {
      try check("fstatat", name, in: descriptor) {
        unsafe fstatat(descriptor, name, &facts, AT_SYMLINK_NOFOLLOW)
      }
    } catch let error where error.isNotFound {
      return nil
    }
    return FileStatus(facts)
  }

  /// Gives `name` to what `old` names, replacing a file of that name at one instant.
  package func rename(
    _ old: String,
    to folder: borrowing Folder,
    _ name: String
  ) throws(SystemError) {
    let (old, name) = (
      try checkedPath(old, for: "renameat"), try checkedPath(name, for: "renameat")
    )
    try check("renameat", name, in: folder.descriptor) {
      unsafe renameat(descriptor, old, folder.descriptor, name)
    }
  }

  /// Gives `name` to what `old` names; false where it cannot be moved, but only copied (`EXDEV`).
  ///
  /// That is so between file systems, and for a folder in the lower layer of an overlay.
  package func renameIfMovable(
    _ old: String,
    to folder: borrowing Folder,
    _ name: String
  ) throws(SystemError) -> Bool {
    do {
      try rename(old, to: folder, name)
      return true
    } catch let error where error.code == EXDEV {
      return false
    }
  }

  /// Swaps what two names stand for; false where they cannot be moved, but only copied (`EXDEV`).
  package func exchangeIfMovable(
    _ name: String,
    with folder: borrowing Folder,
    _ other: String
  ) throws(SystemError) -> Bool {
    do {
      try exchange(name, with: folder, other)
      return true
    } catch let error where error.code == EXDEV {
      return false
    }
  }

  /// Gives `name` to what `old` names, or throws `EEXIST` if something has that name already.
  ///
  /// File systems without `renameat2` get a test and a plain rename, safe only under a lock.
  package func renameWithoutReplacing(
    _ old: String,
    to folder: borrowing Folder,
    _ name: String
  ) throws(SystemError) {
    let (old, name) = (
      try checkedPath(old, for: "renameat2"), try checkedPath(name, for: "renameat2")
    )
    do {
      try checkLinux("renameat2", name, in: folder.descriptor) {
        unsafe linux_renameat2(
          descriptor,
          old,
          folder.descriptor,
          name,
          UInt32(LINUX_RENAME_NOREPLACE)
        )
      }
    } catch let error where error.code == EINVAL || error.code == ENOSYS {
      guard try folder.status(of: name) == nil else {
        throw SystemError("renameat2", code: EEXIST, path: name)
      }
      try rename(old, to: folder, name)
    }
  }

  /// Swaps what two names stand for at one instant; both must exist.
  ///
  /// File systems without `RENAME_EXCHANGE` get three renames through a temporary name beside `name`: safe only
  /// under a lock, and a crash between them can leave `other` missing.
  package func exchange(
    _ name: String,
    with folder: borrowing Folder,
    _ other: String
  ) throws(SystemError) {
    let (name, other) = (
      try checkedPath(name, for: "renameat2"), try checkedPath(other, for: "renameat2")
    )
    do {
      try checkLinux("renameat2", other, in: folder.descriptor) {
        unsafe linux_renameat2(
          descriptor,
          name,
          folder.descriptor,
          other,
          UInt32(LINUX_RENAME_EXCHANGE)
        )
      }
    } catch let error where error.code == EINVAL || error.code == ENOSYS {
      try exchangeInSteps(name, with: folder, other)
    }
  }

  /// Does what ``exchange(_:with:_:)`` does, in three renames; undoes the first if the second fails.
  package func exchangeInSteps(
    _ name: String,
    with folder: borrowing Folder,
    _ other: String
  ) throws(SystemError) {
    let aside = "\(name).\(randomName())"
    try folder.rename(other, to: self, aside)
    do {
      try rename(name, to: folder, other)
    } catch {
      try? rename(aside, to: folder, other)
      throw error
    }
    try rename(aside, to: self, name)
  }

  /// Removes the file or link `name`; that it is missing already is no error.
  package func removeFile(_ name: String) throws(SystemError) {
    let name = try checkedPath(name, for: "unlinkat")
    do {
      try check("unlinkat", name, in: descriptor) { unsafe unlinkat(descriptor, name, 0) }
    } catch let error where error.code == ENOENT {}
  }

  /// Makes `name` a link to `target`, replacing a link of that name at one instant.
  package func replaceLink(_ name: String, target: String) throws(SystemError) {
    let temporary = "\(name).\(randomName())"
    let target = try checkedPath(target, for: "symlinkat")
    try check("symlinkat", name, in: descriptor) {
      unsafe symlinkat(target, descriptor, temporary)
    }
    do {
      try rename(temporary, to: self, name)
    } catch {
      try? removeFile(temporary)
      throw error
    }
  }

  /// The target of the link `name`; nil if there is no link of that name.
  package func linkTarget(_ name: String) throws(SystemError) -> String? {
    let name = try checkedPath(name, for: "readlinkat")
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    do {
      let count = try check("readlinkat", name, in: descriptor) {
        unsafe readlinkat(descriptor, name, &buffer, buffer.count)
      }
      return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    } catch let error where error.isNotFound || error.code == EINVAL {
      return nil
    }
  }
}

/// A name that nobody guesses: 128 random bits as 32 hexadecimal digits.
package func randomName() -> String {
  var bytes = [UInt8](repeating: 0, count: 16)
  let count = unsafe linux_getrandom(&bytes, bytes.count)
  precondition(count == bytes.count, "the kernel gives random bytes")
  let digits = Array("0123456789abcdef".utf8)
  return String(
    decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
    as: UTF8.self
  )
}
