import Foundation
import Sealift

// Answers requests with the active version of a model, and swaps when another one becomes active:
//
//     example-service STORE PUBLIC-KEY MODEL -- PROGRAM [ARGUMENT…]
//
// Each line on standard input is a request. PROGRAM is the runtime: it finds the folder of the files in MODEL_DIR, and
// answers each line of its standard input with a line. A new version is noticed between two requests; the runtime that has
// the old one then ends, and only after that its lease.

/// The runtime with one version loaded; that version stays on disk until this value ends.
struct LoadedModel: ~Copyable {
  let version: String
  private let model: ActiveModel
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  init(_ model: consuming ActiveModel, _ command: [String]) throws {
    version = model.version
    process.executableURL = URL(filePath: command[0])
    process.arguments = Array(command.dropFirst())
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["MODEL_DIR": model.path, "MODEL_VERSION": model.version]
    ) { $1 }
    (process.standardInput, process.standardOutput) = (input, output)
    self.model = model
    try process.run()
  }

  /// Asks the runtime; nil if it has ended.
  func answer(to request: String) throws -> String? {
    try input.fileHandleForWriting.write(contentsOf: Data("\(request)\n".utf8))
    var line = Data()
    while let byte = try output.fileHandleForReading.read(upToCount: 1), let first = byte.first {
      if first == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(first)
    }
    return nil
  }

  /// Ends the runtime, and then gives the version back.
  consuming func end() throws {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    model.release()
  }
}

@main
struct Main {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count > 5, words[4] == "--" else {
      print("usage: example-service STORE PUBLIC-KEY MODEL -- PROGRAM [ARGUMENT…]")
      exit(2)
    }
    let (name, command) = (words[3], Array(words[5...]))
    do {
      let library = try ModelLibrary(
        store: .folder(words[1]),
        trust: .rules([SignerRule(models: "*", keys: [words[2]])])
      )
      var loaded = try await LoadedModel(library.leaseActiveModel(name), command)
      say("loaded \(loaded.version)")
      while let request = readLine() {
        if let version = try library.activeVersion(of: name), version != loaded.version {
          try await swap(&loaded, library, name, command)
        }
        guard let answer = try loaded.answer(to: request) else { throw Ended() }
        say("\(loaded.version): \(answer)")
      }
      try loaded.end()
    } catch let failure as ModelFailure {
      say("\(failure.message) \(failure.advice)")
      exit(1)
    }
  }

  /// Loads the version that is active now beside the old one, and only then lets the old one go.
  static func swap(
    _ loaded: inout LoadedModel,
    _ library: ModelLibrary,
    _ name: String,
    _ command: [String]
  ) async throws {
    var next = try await LoadedModel(library.leaseActiveModel(name), command)
    let old = loaded.version
    Swift.swap(&loaded, &next)
    try next.end()
    say("swapped \(old) for \(loaded.version)")
  }
}

/// Writes a line at once, whoever reads it.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

/// The runtime ended by itself.
struct Ended: Error {}
