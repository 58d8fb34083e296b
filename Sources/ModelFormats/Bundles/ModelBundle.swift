package import Manifests

/// A folder of a release that a runtime loads as one model: `NAME.mlpackage`, `NAME.mlmodelc`, `NAME.aimodel` or
/// `NAME.DEVICE.aimodelc`.
package struct ModelBundle: Hashable, Sendable {
  /// What a folder's name says that it is.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case mlpackage, mlmodelc, aimodel, aimodelc

    /// The format of the files in such a folder that have none of their own.
    package var format: ModelFormat {
      switch self {
      case .mlpackage: .mlpackage
      case .mlmodelc: .mlmodelc
      case .aimodel: .aimodel
      case .aimodelc: .aimodelc
      }
    }
  }

  package let kind: Kind
  /// The path of the folder.
  package let folder: String

  /// The outermost bundle around `path`; nil for a file in none.
  package init?(around path: RelativePath) {
    let folders = path.components.dropLast()
    for (index, name) in folders.enumerated() {
      guard let kind = Self.kind(of: name) else { continue }
      self.kind = kind
      folder = folders[...index].joined(separator: "/")
      return
    }
    return nil
  }

  /// The kind of device that a compiled model is for, as the folder is named; nil where its name has none.
  var deviceArchitecture: String? {
    guard kind == .aimodelc else { return nil }
    let name = folder.utf8.split(separator: UInt8(ascii: "/")).last ?? folder.utf8[...]
    let parts = name.split(separator: UInt8(ascii: "."))
    return parts.count > 2 ? String(decoding: Array(parts[parts.count - 2]), as: UTF8.self) : nil
  }

  /// The path of a file from the folder on; nil for a file outside.
  package func path(of file: RelativePath) -> String? {
    guard file.text.utf8.starts(with: "\(folder)/".utf8) else { return nil }
    return String(decoding: file.text.utf8.dropFirst(folder.utf8.count + 1), as: UTF8.self)
  }

  /// The kind of a folder with this name; nil for one that is no bundle.
  package static func kind(of name: String) -> Kind? {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else {
      return nil
    }
    return Kind(rawValue: String(name[name.index(after: dot)...]))
  }
}

extension ReleaseFiles {
  /// The bundles of one kind, in the order of their first files, each with its files.
  func bundles(_ kind: ModelBundle.Kind) -> [(bundle: ModelBundle, files: [FileInspection])] {
    var order: [ModelBundle] = []
    var files: [ModelBundle: [FileInspection]] = [:]
    for inspection in inspections {
      guard let bundle = ModelBundle(around: inspection.path), bundle.kind == kind else { continue }
      if files[bundle] == nil { order.append(bundle) }
      files[bundle, default: []].append(inspection)
    }
    return order.map { ($0, files[$0] ?? []) }
  }
}
