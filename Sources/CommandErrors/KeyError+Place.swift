package import CommandLineKit
package import Signatures

extension CommandContext {
  /// Puts into words what is wrong with the key at `path`, the value of `option`, and names each of them once.
  package func explain(_ error: KeyError, at path: String, of option: String? = nil) -> Diagnostic {
    let diagnostic = explain(error)
    let place = [option, error.namesItsFile ? nil : path].compactMap(\.self)
    return place.isEmpty ? diagnostic : diagnostic.about(place.joined(separator: " "))
  }
}

extension KeyError {
  /// Whether its words name the file that it is about.
  fileprivate var namesItsFile: Bool {
    switch self {
    case .unreadable, .unwritable, .exposed, .foreign, .changed: true
    default: false
    }
  }
}
