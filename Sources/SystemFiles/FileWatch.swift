import Glibc

/// Sees whether anybody opens or closes a file, or changes its status, from some moment on.
///
/// Writing through a descriptor that was open before is not seen. The kernel tells of its own machine alone: what others do
/// to a file on a server stays unseen. The C interface is inotify.
package struct FileWatch: ~Copyable, Sendable {
  private static let events =
    UInt32(IN_OPEN) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_CLOSE_NOWRITE) | UInt32(IN_ATTRIB)

  private let queue: OpenFile

  private init(queue: consuming OpenFile) { self.queue = queue }

  /// Begins to watch `file`.
  package init(_ file: borrowing OpenFile) throws(SystemError) {
    let descriptor = try check("inotify_init1") {
      inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
    }
    let queue = OpenFile(descriptor: descriptor)
    let path = "/proc/self/fd/\(file.descriptor)"
    try check("inotify_add_watch", path) {
      unsafe inotify_add_watch(descriptor, path, Self.events)
    }
    self = FileWatch(queue: queue)
  }

  /// Whether something was seen since the last call; true where the kernel does not say.
  package func hasSeen() -> Bool {
    var events = [UInt8](repeating: 0, count: 4096)
    var hasSeen = false
    while true {
      let count = unsafe read(queue.descriptor, &events, events.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return hasSeen || errno != EAGAIN }
      hasSeen = true
    }
  }
}
