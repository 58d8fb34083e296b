import Foundation
import Glibc
import SystemFiles

/// What another process holds in its memory.
package struct ProcessMemory {
  /// Whether this process may look into one that keeps its memory to itself: it has `CAP_SYS_PTRACE`, as root has.
  package static let isOpen: Bool = {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
    let digits = line?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } ?? 0
    return digits >> 19 & 1 == 1
  }()

  /// A range of addresses, with what the kernel says of it.
  package struct Region: Hashable, Sendable, CustomStringConvertible {
    package let range: Range<UInt>
    package let name: String
    /// The short flags of the kernel, such as `dd` for what no core dump holds.
    package let flags: Set<String>

    package var isDumped: Bool { !flags.contains("dd") }
    package var description: String {
      "\(String(range.lowerBound, radix: 16))-\(String(range.upperBound, radix: 16)) \(name)"
        + (isDumped ? "" : " (in no core dump)")
    }
  }

  /// The regions that the process can write to, and their bytes.
  package let contents: [(region: Region, bytes: [UInt8])]

  /// Copies the memory of a process, which should stand still meanwhile.
  ///
  /// What can only be read comes from files and holds no secrets of the run.
  package init(of process: Int32) throws {
    // Foundation reads as many bytes as the file claims to have, and one of these claims none.
    let smaps = try OpenFile(reading: "/proc/\(process)/smaps").readAll(limit: 64 << 20)
    let text = String(decoding: smaps, as: UTF8.self)
    let file = Descriptor(unsafe open("/proc/\(process)/mem", O_RDONLY | O_CLOEXEC))
    var contents: [(Region, [UInt8])] = []
    for region in Self.regions(text) {
      // Guard pages among them cannot be read, and hold nothing.
      guard let bytes = read(file, region.range) else { continue }
      contents += used(bytes).map { (region, $0) }
    }
    self.contents = contents
  }

  /// Where these bytes stand.
  package func regions(with bytes: [UInt8]) -> [Region] {
    contents.filter { holds($0.bytes, bytes) }.map(\.region)
  }

  private static func regions(_ smaps: String) -> [Region] {
    var regions: [Region] = []
    var head: (range: Range<UInt>, name: String)?
    for line in smaps.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      if ends.count == 2, words.count >= 5 {
        let isReadable = words[1].hasPrefix("r") && words[1].contains("w")
        let isPrivatePage = words[1].hasPrefix("r") && words.count < 6
        let name = words.count > 5 ? words[5...].joined(separator: " ") : ""
        head = isReadable || isPrivatePage ? (ends[0]..<ends[1], name) : nil
      } else if words[0] == "VmFlags:", let known = head {
        regions.append(Region(range: known.range, name: known.name, flags: Set(words.dropFirst())))
      }
    }
    return regions
  }
}

/// Whether `needle` stands somewhere in `bytes`.
///
/// The C functions are many times as fast as a search of Foundation, of which a test needs thousands.
package func holds(_ bytes: [UInt8], _ needle: [UInt8]) -> Bool {
  guard let first = needle.first, needle.count <= bytes.count else { return needle.isEmpty }
  return unsafe bytes.withUnsafeBytes { bytes in
    guard var place = bytes.baseAddress else { return false }
    let end = unsafe place + (bytes.count - needle.count + 1)
    while unsafe place < end,
      let hit = unsafe memchr(place, CInt(first), end - place)
    {
      if unsafe memcmp(hit, needle, needle.count) == 0 { return true }
      unsafe place = UnsafeRawPointer(hit) + 1
    }
    return false
  }
}

/// The runs of pages that are not all zeros, which is most of what a process has set aside.
private func used(_ bytes: [UInt8]) -> [[UInt8]] {
  let page = 4096
  let zeros = [UInt8](repeating: 0, count: page)
  var runs: [[UInt8]] = []
  var start: Int?
  for place in stride(from: 0, to: bytes.count, by: page) {
    let count = min(page, bytes.count - place)
    let isZero = unsafe bytes.withUnsafeBytes { bytes in
      unsafe zeros.withUnsafeBytes { zeros in
        guard let one = bytes.baseAddress, let other = zeros.baseAddress else {
          return true
        }
        return unsafe memcmp(one + place, other, count) == 0
      }
    }
    if !isZero { start = start ?? place }
    if isZero, let begin = start {
      runs.append(Array(bytes[begin..<place]))
      start = nil
    }
  }
  if let start { runs.append(Array(bytes[start...])) }
  return runs
}

/// Reads all of a range of addresses; nil if that cannot be.
private func read(_ file: Descriptor, _ range: Range<UInt>) -> [UInt8]? {
  var bytes = [UInt8](repeating: 0, count: range.count)
  let count = unsafe pread(file.number, &bytes, bytes.count, off_t(range.lowerBound))
  return count == range.count ? bytes : nil
}

/// The process numbers of the children of a process.
package func children(of process: Int32) -> [Int32] {
  let path = "/proc/\(process)/task/\(process)/children"
  let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  return text.split(separator: " ").compactMap { Int32($0) }
}
