import Digests
package import Manifests

/// Why a file is not what its name and its place in a release promise.
package struct FormatProblem: Error, Equatable, Sendable {
  package let file: RelativePath
  package let fault: FormatFault
  /// The first bytes of the file, at most 16, for the message.
  package let firstBytes: [UInt8]

  package init(file: RelativePath, fault: FormatFault, firstBytes: [UInt8]) {
    self.file = file
    self.fault = fault
    self.firstBytes = Array(firstBytes.prefix(16))
  }
}

/// What is wrong with the content of a file.
package enum FormatFault: Equatable, Sendable {
  case empty
  /// The file starts with zeros: space that was set aside and never written.
  case zeroFilled
  /// A web page: of an error, a login, a captive portal.
  case htmlPage
  /// The text that Git LFS keeps in place of the file.
  case lfsPointer(LFSPointer)
  case xmlError
  case jsonError
  /// The words with which a model hub refuses.
  case hubError
  case formatMismatch(expected: [ModelFormat], found: ModelFormat)
  /// The file says that it has more bytes than it has.
  case truncated(needed: UInt64, size: Int)
  /// A package lacks a file that its format demands, or that its manifest lists.
  case bundleIncomplete(missing: String)
  /// The manifest of a package can't be read.
  case badPackageManifest
  /// Something in the file is not as its format demands.
  case structure(StructureFault)
  /// This program does not know enough to check the file.
  case unverified(StructureFault)
}

extension FormatFault {
  /// The stable name of the fault for programs.
  package var code: String {
    switch self {
    case .empty: "empty"
    case .zeroFilled: "zeroFilled"
    case .htmlPage: "htmlPage"
    case .lfsPointer: "lfsPointer"
    case .xmlError: "xmlError"
    case .jsonError: "jsonError"
    case .hubError: "hubError"
    case .formatMismatch: "formatMismatch"
    case .truncated: "truncated"
    case .bundleIncomplete: "bundleIncomplete"
    case .badPackageManifest: "badEncoding"
    case .structure(let fault), .unverified(let fault): fault.code.rawValue
    }
  }
}

extension FormatProblem: CustomStringConvertible {
  /// The problem as one sentence without a full stop, safe to print.
  package var text: String {
    switch fault {
    case .empty: "\(file) is empty"
    case .zeroFilled: "\(file) starts with zeros only: it was set aside and never written"
    case .htmlPage: "\(file) is an HTML page, not a model file (\(beginning))"
    case .lfsPointer(let pointer):
      "\(file) is a Git LFS pointer, not the file itself\(pointer.facts)"
    case .xmlError: "\(file) is an XML document, as servers send for errors (\(beginning))"
    case .jsonError: "\(file) is a JSON error document (\(beginning))"
    case .hubError: "\(file) is an error message of a model hub (\(beginning))"
    case .formatMismatch(let expected, let found):
      "\(file) is not \(expected.map(\.rawValue).joined(separator: " or ")): "
        + "its content is \(found == .other ? "unknown" : found.rawValue) (\(beginning))"
    case .truncated(let needed, let size):
      "\(file) has \(size) bytes and needs at least \(needed): it is cut short"
    case .bundleIncomplete(let missing): "\(file): the package lacks \(escaped(missing))"
    case .badPackageManifest: "\(file) is not the manifest of a Core ML package"
    case .structure(let fault): "\(file) \(fault.code.words): \(fault)"
    case .unverified(let fault): "\(file) cannot be checked: \(fault)"
    }
  }

  package var description: String { text }

  /// The first bytes in hexadecimal.
  private var beginning: String {
    let digits = firstBytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    return "first bytes \(digits.joined(separator: " "))"
  }
}

extension LFSPointer {
  fileprivate var facts: String {
    let parts = [oid.map { "SHA-256 \($0.hex)" }, size.map { "\($0) bytes" }].compactMap(\.self)
    return parts.isEmpty ? "" : " (of \(parts.joined(separator: ", ")))"
  }
}
