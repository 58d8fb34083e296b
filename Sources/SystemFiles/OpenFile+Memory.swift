import CLinux
import Glibc

extension OpenFile {
  /// Makes a file without a name that lies in memory and holds `contents`; its position is the start.
  ///
  /// It goes when the last descriptor of it is closed. The corresponding C function is `memfd_create`.
  package init(inMemory contents: Span<UInt8>) throws(SystemError) {
    let number = try checkLinux("memfd_create") { unsafe linux_memory_file("sealift") }
    let file = OpenFile(descriptor: CInt(number))
    try file.write(contents, at: 0)
    self = file
  }
}
