import Digests
import Manifests

/// A version: what it is, how it stands, its findings, and maps of its files.
struct VersionCard {
  /// The most files without findings that are listed, and the most of them with a map.
  private static let listedFiles = 500
  private static let mappedFiles = 24
  /// The fewest chunks of a file whose map is shown without being asked for.
  private static let leastForOpenMap = 100

  private let version: AuditedVersion
  private let model: ModelName
  private let number: Int

  init(_ version: AuditedVersion, of model: ModelName, number: Int) {
    (self.version, self.model, self.number) = (version, model, number)
  }

  private struct NumberedFile {
    let file: AuditedFile
    let id: String
  }

  private var files: [NumberedFile] {
    version.files.enumerated().map { NumberedFile(file: $1, id: "v\(number)f\($0 + 1)") }
  }

  func write(to html: inout MarkupText) {
    html.write("article", ["class": "card version", "id": "v\(number)"]) { html in
      writeHeader(to: &html)
      let findings =
        version.findings.map { (nil, $0) }
        + version.files.flatMap { file in file.findings.map { (file.path, $0) } }
      if !findings.isEmpty { FindingsTable(findings).write(to: &html) }
      for numbered in files where numbered.file.chunks.contains(.wrong) {
        ChunkMap(numbered.file, id: numbered.id).write(to: &html)
      }
      writeOthers(to: &html)
    }
  }

  private func writeHeader(to html: inout MarkupText) {
    html.write("header") { html in
      html.write("h3") { html in
        html.write(text: "\(model) ")
        html.write("span", ["class": "light"], version.version.text)
      }
      html.write("span", ["class": "tag"], version.role.rawValue)
      html.write("div", ["class": "badges"]) { html in
        for axis in AuditAxis.allCases {
          html.writeBadge(version.tone(on: axis), "\(axis.title): \(version.word(on: axis))")
        }
      }
      html.write("dl") { html in
        if let manifest = version.manifest {
          html.writeFact("Manifest", "sha256:\(manifest.hex)", isCode: true)
        }
        for signer in version.signers {
          let counts = signer.counts ? "" : " (does not count)"
          html.writeFact("Signed by", "\(signer.name)\(counts) \(signer.fingerprint)", isCode: true)
        }
        if let released = version.released { html.writeFact("Released", released.text) }
        if let accepted = version.acceptedAt { html.writeFact("Accepted here", accepted.text) }
        if let folder = version.folder { html.writeFact("Folder", folder, isCode: true) }
      }
    }
  }

  /// The files that have no wrong chunk.
  private func writeOthers(to html: inout MarkupText) {
    let others = files.filter { !$0.file.chunks.contains(.wrong) && $0.file.signed != nil }
    guard !others.isEmpty else { return }
    let mapped = others.filter { $0.file.chunks.count > 1 }
      .sorted { ($1.file.signed?.size ?? 0) < ($0.file.signed?.size ?? 0) }.prefix(Self.mappedFiles)
    html.write("details") { html in
      html.write("summary") { html in
        html.write(text: version.files.count == others.count ? "Files " : "Other files ")
        html.write("span", ["class": "light"], counted(others.count, "file"))
      }
      writeTable(of: others, to: &html)
    }
    // The largest file is the one that people ask about.
    if let first = mapped.first, first.file.chunks.count >= Self.leastForOpenMap {
      write(mapped.prefix(1), title: "Chunk map", isOpen: true, to: &html)
      write(mapped.dropFirst(), title: "More chunk maps", isOpen: false, to: &html)
    } else {
      write(mapped, title: "Chunk maps", isOpen: false, to: &html)
    }
  }

  private func write(
    _ files: ArraySlice<NumberedFile>,
    title: String,
    isOpen: Bool,
    to html: inout MarkupText
  ) {
    guard !files.isEmpty else { return }
    html.write("details", isOpen ? ["open": ""] : [:]) { html in
      html.write("summary") { html in
        html.write(text: "\(title) ")
        html.write("span", ["class": "light"], counted(files.count, "file"))
      }
      for numbered in files { ChunkMap(numbered.file, id: numbered.id).write(to: &html) }
    }
  }

  private func writeTable(of files: [NumberedFile], to html: inout MarkupText) {
    html.write("div", ["class": "scroll"]) { html in
      html.write("table") { html in
        html.write("caption", [:], "Files of the manifest that have no wrong chunk.")
        html.writeHeader(
          ["File", "Verdict", "Size", "Chunks", "Read", "Signed SHA-256"],
          numbers: [2, 3]
        )
        html.write("tbody") { html in
          for numbered in files.prefix(Self.listedFiles) { write(numbered.file, to: &html) }
        }
      }
    }
    let left = files.count - Self.listedFiles
    if left > 0 {
      let text =
        "\(counted(left, "file")) more have no wrong chunk; the JSON report lists them all."
      html.write("p", ["class": "more"], text)
    }
  }

  private func write(_ file: AuditedFile, to html: inout MarkupText) {
    let tone = ReportTone(of: file.findings)
    html.write("tr") { html in
      html.write("td") { $0.write("code", [:], file.path) }
      html.write("td") { $0.writeBadge(tone, file.verdict.rawValue) }
      html.write("td", ["class": "number"], file.signed.map { grouped($0.size) } ?? "")
      html.write("td", ["class": "number"], file.chunks.isEmpty ? "–" : grouped(file.chunks.count))
      html.write("td", [:], file.reading.words)
      html.write("td") { $0.write("code", [:], file.signed?.sha256.hex ?? "") }
    }
  }
}

extension AuditedFile.Reading {
  /// How the bytes were read, for people.
  var words: String {
    switch self {
    case .none: "not read"
    case .cold: "from disk"
    case .direct: "from disk, past the cache"
    case .throughCache: "partly from cache"
    case .unknown: "from disk or cache"
    }
  }
}

extension MarkupText {
  /// Writes the head of a table; the columns in `numbers` are set like numbers.
  mutating func writeHeader(_ titles: [String], numbers: Set<Int> = []) {
    write("thead") { html in
      html.write("tr") { html in
        for (index, title) in titles.enumerated() {
          if numbers.contains(index) {
            html.write("th", ["scope": "col", "class": "number"], title)
          } else {
            html.write("th", ["scope": "col"], title)
          }
        }
      }
    }
  }
}
