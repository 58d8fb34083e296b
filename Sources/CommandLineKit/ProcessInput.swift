import Glibc

/// Returns the arguments of this process after the program's name.
///
/// Throws for one that is not UTF-8, which Swift's own list would repair silently.
package func processArguments() throws(UsageError) -> [String] {
  var arguments: [String] = []
  for index in 1..<max(1, Int(CommandLine.argc)) {
    guard let bytes = unsafe CommandLine.unsafeArgv[index] else { break }
    guard let text = unsafe String(validatingCString: bytes) else {
      throw UsageError("argument \(index) is not valid UTF-8", notes: [unsafe repaired(bytes)])
    }
    arguments.append(text)
  }
  return arguments
}

/// Returns the environment of this process; the first of equal names counts.
///
/// A variable that is not UTF-8 is left out, unless this tool would read it, or one of `arguments` names it: then
/// it is an error.
package func processEnvironment(
  namedIn arguments: [String] = []
) throws(UsageError) -> [String: String] {
  var environment: [String: String] = [:]
  var entry = unsafe environ
  while let bytes = unsafe entry.pointee {
    unsafe entry = unsafe entry.advanced(by: 1)
    let isValid = unsafe String(validatingCString: bytes) != nil
    let text = unsafe repaired(bytes)
    guard let end = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { continue }
    let name = String(decoding: text.utf8[..<end], as: UTF8.self)
    if isValid {
      let value = String(decoding: text.utf8[end...].dropFirst(), as: UTF8.self)
      environment[name] = environment[name] ?? value
    } else if isRead(name) || arguments.contains(where: { names($0, name) }) {
      throw UsageError("the environment variable \(name) is not valid UTF-8")
    }
  }
  return environment
}

private func isRead(_ name: String) -> Bool {
  ["SEALIFT_", "XDG_", "HOME", "SOURCE_DATE_EPOCH"].contains { name.utf8.starts(with: $0.utf8) }
    || name.lowercased().utf8.reversed().starts(with: "_proxy".utf8.reversed())
}

/// Whether an argument is `name`, or an option with this value.
private func names(_ argument: String, _ name: String) -> Bool {
  argument.utf8.elementsEqual(name.utf8)
    || argument.utf8.reversed().starts(with: "=\(name)".utf8.reversed())
}

private func repaired(_ bytes: UnsafePointer<CChar>) -> String { unsafe String(cString: bytes) }
