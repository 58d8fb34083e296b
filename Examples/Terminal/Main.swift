import Glibc
import Sealift

// Installs a model and shows how it goes: example-terminal STORE PUBLIC-KEY (MANIFEST | --resume MODEL)

/// What the person asked for.
struct Arguments {
  let store: String
  let key: String
  let source: ModelSource

  init?(_ words: [String]) {
    guard words.count >= 4 else { return nil }
    (store, key) = (words[1], words[2])
    switch (words[3], words.count) {
    case ("--resume", 5): source = .interrupted(words[4])
    case (let text, 4): source = text.contains("://") ? .url(text) : .file(text)
    default: return nil
    }
  }
}

/// A bar that stands on one line.
func bar(_ fraction: Double) -> String {
  let width = 30
  let done = Int(fraction * Double(width))
  return "[" + String(repeating: "#", count: done) + String(repeating: ".", count: width - done)
    + "] \(Int(fraction * 100)) %"
}

/// A state in one line.
func line(_ state: InstallState) -> String {
  switch state {
  case .notDownloaded: return "not downloaded"
  case .downloading(let fraction, let rate, let eta):
    let pace = rate.map { ", \($0 / 1000) kB/s" } ?? ""
    let rest = eta.map { ", \($0.components.seconds) s left" } ?? ""
    return "downloading \(bar(fraction))\(pace)\(rest)"
  case .verifying(let fraction): return "verifying   \(bar(fraction))"
  case .ready(let version): return "version \(version) is ready"
  case .active(let version): return "version \(version) is active"
  case .failed(let failure): return "\(failure.message) \(failure.advice)"
  }
}

@main
struct Main {
  static func main() async {
    guard let arguments = Arguments(CommandLine.arguments) else {
      print("usage: example-terminal STORE PUBLIC-KEY (MANIFEST | --resume MODEL)")
      exit(2)
    }
    let isTerminal = isatty(1) == 1
    do throws(ModelFailure) {
      let library = try ModelLibrary(
        store: .folder(arguments.store),
        trust: .rules([SignerRule(models: "*", keys: [arguments.key])])
      )
      for interrupted in try library.interruptedInstalls() {
        show("\(interrupted.model) \(interrupted.version) was interrupted", isTerminal: false)
      }
      let plan = try await library.plan(arguments.source)
      show("\(plan.downloadSize) bytes to download, \(plan.freeSpace) free", isTerminal: false)
      for await state in library.install(arguments.source) {
        show(line(state), isTerminal: isTerminal && state.isBusy)
        if case .failed(let failure) = state { throw failure }
      }
    } catch {
      for detail in error.details { show("  \(detail)", isTerminal: false) }
      if error.reason != .cancelled { show(error.message, isTerminal: false) }
      exit(1)
    }
  }

  /// Writes a line; on a terminal, progress replaces the line before.
  static func show(_ text: String, isTerminal: Bool) {
    print(isTerminal ? "\r\u{1b}[K\(text)" : text, terminator: isTerminal ? "" : "\n")
    _ = fflush(nil)
  }
}
