/// Whether what is to stand at `path` would lie in `folder` or anywhere beneath it, by whatever links the path leads.
///
/// Of the folders on the way the deepest that exists is asked, and those above it, by their inodes.
/// - Throws: `SystemError`, also where `folder` does not exist.
package func wouldLie(_ path: String, within folder: String) throws(SystemError) -> Bool {
  let sought = try Folder(path: folder).status().identity
  var ancestor = try deepestFolder(of: path)
  while true {
    let here = try Folder(path: ancestor).status().identity
    if here == sought { return true }
    let above = ancestor + "/.."
    // Only the root is its own parent.
    guard try Folder(path: above).status().identity != here else { return false }
    ancestor = above
  }
}

/// The deepest folder on the way to `path` that exists.
private func deepestFolder(of path: String) throws(SystemError) -> String {
  var folder = splitPath(path).folder
  while true {
    do {
      _ = try Folder(path: folder)
      return folder
    } catch let error where error.isNotFound && folder != "." && folder != "/" {
      folder = splitPath(folder).folder
    }
  }
}
