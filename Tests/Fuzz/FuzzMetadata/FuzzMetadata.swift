import FuzzDriver
import Manifests
import Trust

/// Reads the input as each kind of metadata; what is accepted must survive being written, and be asked everything.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  if let root = read(bytes, as: .root, SignedRoot.self) { ask(root) }
  _ = read(bytes, as: .timestamp, SignedTimestamp.self)
  if let snapshot = read(bytes, as: .snapshot, SignedSnapshot.self) { ask(snapshot) }
  if let targets = read(bytes, as: .targets, SignedTargets.self) { ask(targets) }
  return 0
}

private func read<Role>(
  _ bytes: [UInt8],
  as role: RoleName,
  _ type: SignedMetadata<Role>.Type
) -> SignedMetadata<Role>? {
  do throws(MetadataRefusal) {
    let file = try type.init(parsing: bytes, as: role, limit: 5_000_000)
    check(file, as: role)
    return file
  } catch {
    check(error)
    return nil
  }
}

/// What is signed must not change when it is written again, or nobody's signature would hold.
private func check<Role>(_ file: SignedMetadata<Role>, as role: RoleName) {
  let written = SignedMetadata(file.contents, signatures: file.signatures)
  precondition(written.signedBytes == file.signedBytes, "the signed bytes changed")
  do throws(MetadataRefusal) {
    let again = try SignedMetadata<Role>(parsing: written.bytes, as: role, limit: 40_000_000)
    precondition(again == written, "the file changed")
  } catch { preconditionFailure("what was written is refused: \(error)") }
}

private func ask(_ root: SignedRoot) {
  let keys = root.contents
  for role in [keys.root, keys.timestamp, keys.snapshot, keys.targets] {
    let count = role.count(root, keys: keys.keys)
    precondition(Set(count.counted).count == count.counted.count, "a key counts twice")
    checkIsSafe(count.text)
  }
  do throws(MetadataRefusal) { _ = try RootRule.accept(root.bytes, after: root) } catch {
    check(error)
  }
}

private func ask(_ snapshot: SignedSnapshot) {
  for role in snapshot.contents.files.keys { check(role) }
}

private func ask(_ targets: SignedTargets) {
  for path in targets.contents.targets.keys {
    precondition(!path.fileName.utf8.contains(UInt8(ascii: "/")), "a name is a path")
    precondition(path.fileName.utf8.first != UInt8(ascii: "."), "a name is hidden")
    checkIsSafe(path.description)
    guard let request = path.requestPath(prefix: nil) else { continue }
    let segments = request.utf8.split(separator: UInt8(ascii: "/"))
    precondition(!segments.contains { $0.elementsEqual("..".utf8) }, "a path leads elsewhere")
  }
  guard let delegations = targets.contents.delegations else { return }
  for path in targets.contents.targets.keys.prefix(8) {
    for role in delegations.matching(path) {
      check(role.name)
      _ = role.keys.count(targets, keys: delegations.keys)
    }
  }
}

private func check(_ role: RoleName) {
  for name in [role.fileName, role.requestName(version: 1)] {
    let isPlain = name.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "/") }
    precondition(isPlain, "a name is a path")
  }
  precondition(role.fileName.utf8.count <= 205, "a name is too long for a file")
  checkIsSafe(role.description)
}

private func check(_ error: MetadataRefusal) { checkIsSafe(error.description) }

private func checkIsSafe(_ text: String) {
  let isSafe = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
  precondition(isSafe, "a message has control characters")
}

@main
struct FuzzMetadata {
  static func main() { unsafe runFuzzer(fuzz) }
}
