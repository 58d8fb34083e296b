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
/// it is an error. The variables that `arguments` name as passphrases are left out too, and no copy of them is made;
/// ``takeProcessVariable(_:)`` gives their bytes.
package func processEnvironment(
  namedIn arguments: [String] = []
) throws(UsageError) -> [String: String] {
  let secrets = secretVariables(in: arguments)
  var environment: [String: String] = [:]
  var entry = unsafe environ
  while let bytes = unsafe entry.pointee {
    unsafe entry = unsafe entry.advanced(by: 1)
    guard let (name, _) = unsafe variable(bytes), !secrets.contains(where: { $0.isSame(as: name) })
    else { continue }
    let isValid = unsafe String(validatingCString: bytes) != nil
    let text = unsafe repaired(bytes)
    guard let end = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { continue }
    if isValid {
      let value = String(decoding: text.utf8[end...].dropFirst(), as: UTF8.self)
      environment[name] = environment[name] ?? value
    } else if isRead(name) || arguments.contains(where: { names($0, name) }) {
      throw UsageError("the environment variable \(name) is not valid UTF-8")
    }
  }
  return environment
}

/// Takes the value of a variable out of the environment of this process; nil if it is not set.
///
/// It is overwritten where it stood, so that neither this process nor one that it starts holds it any more.
@Sendable package func takeProcessVariable(_ name: String) -> [UInt8]? {
  var value: [UInt8]?
  var entry = unsafe environ
  while let bytes = unsafe entry.pointee {
    unsafe entry = unsafe entry.advanced(by: 1)
    guard let (entryName, start) = unsafe variable(bytes), entryName.isSame(as: name) else {
      continue
    }
    let text = unsafe bytes.advanced(by: start)
    let count = unsafe strlen(text)
    if value == nil {
      value = unsafe text.withMemoryRebound(to: UInt8.self, capacity: count) {
        unsafe Array(UnsafeBufferPointer(start: $0, count: count))
      }
    }
    unsafe explicit_bzero(text, count)
  }
  return value
}

/// The variables that hold a passphrase: the values of options whose names end in `passphrase-env`.
func secretVariables(in arguments: [String]) -> [String] {
  let ending = Array("passphrase-env".utf8.reversed())
  return arguments.indices.compactMap { index in
    let words = arguments[index].utf8.split(separator: UInt8(ascii: "="), maxSplits: 1)
    guard let name = words.first, name.starts(with: "--".utf8),
      name.reversed().starts(with: ending)
    else { return nil }
    if words.count == 2 { return String(Substring(words[1])) }
    return index + 1 < arguments.count ? arguments[index + 1] : nil
  }
}

/// The name of a variable, and where its value begins; nil for what is no variable.
private func variable(_ entry: UnsafePointer<CChar>) -> (name: String, start: Int)? {
  guard let mark = unsafe strchr(entry, CInt(UInt8(ascii: "="))) else { return nil }
  let count = unsafe UnsafePointer(mark) - entry
  let name = unsafe entry.withMemoryRebound(to: UInt8.self, capacity: count) {
    unsafe String(decoding: UnsafeBufferPointer(start: $0, count: count), as: UTF8.self)
  }
  return (name, count + 1)
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
