import CommandErrors
import CommandLineKit
import Manifests
import ModelFormats
import Publishing

extension Diagnostic {
  /// The most files that are named one by one.
  private static let namedCount = 20

  init(unfit files: [UnfitFile]) {
    let contents = files.contains { file in
      switch file.reason {
      case .content, .format: true
      default: false
      }
    }
    let sentences = files.map { $0.sentence }
    var helps: [String] = []
    for help in files.map(\.help) where !helps.contains(help) { helps.append(help) }
    let code: ExitCode = contents ? .unusable : .usage
    let kind = files.count == 1 ? files.first?.kind : .unfitFiles
    if let only = sentences.first, sentences.count == 1 {
      self.init(code, kind: kind, only, helps: helps)
      return
    }
    let rest = sentences.count - Self.namedCount
    self.init(
      code,
      kind: kind,
      "\(files.count) entries cannot be in a release",
      notes: sentences.prefix(Self.namedCount) + (rest > 0 ? ["and \(rest) more"] : []),
      helps: helps
    )
  }
}

extension UnfitFile {
  fileprivate var sentence: String {
    switch reason {
    case .link: "\(path) is a symbolic link"
    case .special: "\(path) is a special file, such as a device or a pipe"
    case .hidden: "\(path) is hidden: its name starts with a dot"
    case .name(let fault): "\(path) has a name that no release may have: \(fault.text)"
    case .emptyFolder: "\(path) is an empty folder"
    case .privateKey: "\(path) is a private key, and a release is public"
    case .content(let problem): problem.text
    case .format(let stated, let found):
      "\(path) is not \(stated): its content is \(found == .other ? "unknown" : found.text)"
    }
  }

  fileprivate var kind: DiagnosticKind {
    switch reason {
    case .link: .link
    case .special: .specialFile
    case .hidden: .hiddenFile
    case .name: .badName
    case .emptyFolder: .emptyFolder
    case .privateKey: .publishedSecret
    case .content(let problem): DiagnosticKind(problem.fault)
    case .format: .formatMismatch
    }
  }

  fileprivate var help: String {
    switch reason {
    case .link: "put a copy in its place, as cp -L makes one"
    case .special: "leave it out with --exclude PATTERN"
    case .hidden:
      "hidden files cannot be in a release: leave them out with --exclude PATTERN, or name the files one by one"
    case .name:
      "rename it; names have ASCII letters, digits and ._+@=,()[] - only, and no space or dot at the end"
    case .emptyFolder: "remove it, or leave it out with --exclude PATTERN; a release has files only"
    case .privateKey: "keep keys outside of what is published; --exclude PATTERN leaves a file out"
    case .content(let problem): problem.fault.help
    case .format: "leave --format out, or give the right file"
    }
  }
}

extension FormatFault {
  /// What a publisher can do about a fault.
  var help: String {
    switch self {
    case .lfsPointer: "git lfs pull fetches the file itself"
    case .unverified:
      "use a newer sealift-publish, or accept the file unchecked with --allow-unverified"
    case .structure(let fault) where fault.code == .unsafeCode:
      "publish safetensors, GGUF or ONNX instead, or agree to the risk with --allow-pickle"
    case .structure(let fault) where fault.code == .wrongEndian:
      "convert the file, or tell build with --big-endian that it is for such hosts"
    case .structure(let fault) where fault.code == .licenceConflict:
      "find out which licence holds"
    case .structure(let fault) where fault.code == .externalPathUnsafe:
      "keep the data in a file of its own beside the model, copied (cp) where it is a link"
    case .structure(let fault) where fault.code == .shardMismatch:
      "put all files of the set beside each other, under the names that they were made with"
    case .bundleIncomplete: "add the file that is missing: a set is published as a whole"
    default: "fetch or convert the file again"
    }
  }
}
