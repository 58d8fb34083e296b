import Glibc

/// The most memory that a process ever had resident, in bytes; nil once it has ended.
///
/// `process` is a number or `self`; the value is `VmHWM` of `/proc/PID/status`.
package func residentPeak(of process: String) -> Int? {
  let number = unsafe open("/proc/\(process)/status", O_RDONLY | O_CLOEXEC)
  guard number >= 0 else { return nil }
  let file = Descriptor(number)
  var text = [UInt8](repeating: 0, count: 8192)
  let count = unsafe read(file.number, &text, text.count)
  guard count > 0 else { return nil }
  let line = text[..<count].split(separator: UInt8(ascii: "\n"))
    .first { $0.starts(with: "VmHWM:".utf8) }
  guard let digits = line?.filter({ (0x30...0x39).contains($0) }) else { return nil }
  return Int(String(decoding: digits, as: UTF8.self)).map { $0 * 1024 }
}
