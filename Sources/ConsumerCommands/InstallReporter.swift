import CommandLineKit
import Installing
import Manifests
import ModelStore
import StrictJSON
import Synchronization
import Transfers
import Verification

/// Turns the events of an install into progress, messages and JSON events.
final class InstallReporter: Sendable {
  private enum Phase { case none, reading, fetching, verifying }

  private struct State {
    var phase = Phase.none
    var display: ProgressDisplay?
    var faults: WarningFold
  }

  private let console: Console
  private let state: Mutex<State>

  init(_ console: Console) {
    self.console = console
    let faults = WarningFold(showsAll: console.style.verbosity >= .verbose)
    state = Mutex(State(faults: faults))
  }

  /// Takes the progress line away, and tells how many warnings were not shown.
  func finish() {
    show(.none, label: "", total: 0)
    for line in state.withLock({ $0.faults.takeRest() }) { console.inform(line) }
  }

  func note(_ event: InstallEvent) {
    switch event {
    case .attached, .attachedProgress: noteWait(event)
    case .returned, .alreadyInstalled, .replacesDamaged, .damaged: noteFound(event)
    case .reading(let done, let total):
      show(.reading, label: "reading", total: total)
      update(done: done)
    case .fetching(let missing, let total):
      console.detail("\(exactBytesText(missing)) of \(exactBytesText(total)) are missing")
      show(.fetching, label: "fetching", total: total)
    case .transfer(let event):
      note(event)
    case .verifying(let done, let total):
      show(.verifying, label: "verifying", total: total)
      update(done: done)
    case .refetching(let finding):
      console.warn(Diagnostic(.wrongBytes, "\(finding.text); it is fetched again"))
    case .published, .activated, .collected: noteResult(event)
    }
  }

  /// What is in the store already.
  private func noteFound(_ event: InstallEvent) {
    switch event {
    case .returned(let name):
      finish()
      console.inform("\(name.version) was removed not long ago and is had back")
    case .alreadyInstalled(let name):
      console.inform("\(name.version) is already installed, verified")
    case .replacesDamaged(let name, let findings):
      console.warn(
        Diagnostic(
          .wrongBytes,
          "\(name.version) is installed but damaged; it is fetched again",
          notes: findings.map(\.text)
        )
      )
    case .damaged(let name, let damage):
      finish()
      damage.tell(of: name, console)
    default: break
    }
  }

  /// What another process does that this one waits for.
  private func noteWait(_ event: InstallEvent) {
    switch event {
    case .attached(let holder):
      let who = holder.map { "process \($0.process)" } ?? "another process"
      console.inform("\(who) is at work on this model; waiting for it")
      console.event("attached", holder.map { ["process": .integer(Int64($0.process))] } ?? [:])
    case .attachedProgress(let progress):
      let isFetching = progress.phase == .download
      show(
        isFetching ? .fetching : .verifying,
        label: isFetching ? "fetching elsewhere" : "verifying elsewhere",
        total: progress.total
      )
      update(done: progress.done)
    default: break
    }
  }

  private func noteResult(_ event: InstallEvent) {
    switch event {
    case .published(let name):
      console.event("published", ["version": .string(name.version.text)])
    case .activated(let record):
      console.event(
        "activated",
        [
          "version": .string(record.active.version.text),
          "generation": .integer(Int64(record.generation)),
        ]
      )
    case .collected(let items):
      finish()
      for item in items {
        let version = VersionName(item.name)?.version.text ?? item.name
        console.inform(
          "\(version) is gone, which no rule keeps: \(roundedBytesText(item.bytes)) freed"
        )
        console.event(
          "collected",
          ["version": .string(version), "bytes": .integer(Int64(item.bytes))]
        )
      }
    default: break
    }
  }

  private func note(_ event: FetchEvent) {
    switch event {
    case .progress(let progress):
      update(done: progress.verified + progress.pending)
    case .resumed(let label, let bytes):
      console.inform("\(label): \(exactBytesText(bytes)) of an earlier run are right and kept")
      console.event("resumed", ["file": .string(label), "bytes": .integer(Int64(bytes))])
    case .reused(let label, let bytes):
      console.inform("\(label): \(exactBytesText(bytes)) come from versions that are installed")
      console.event("reused", ["file": .string(label), "bytes": .integer(Int64(bytes))])
    case .pace(let pace): note(pace)
    case .mirrorFault(let label, let mirror, let fault): note(fault, of: mirror, label)
    case .mirrorChosen(let label, let mirror):
      console.detail("\(label): from \(mirror)")
    case .chunkRefetched(let label, let chunk, let mirror):
      console.detail("\(label): chunk \(chunk) came right from \(mirror)")
    case .waiting(let label, let duration):
      console.detail("\(label): no mirror serves, next attempt in \(durationText(duration))")
    case .checking, .verified:
      break
    }
  }

  private func note(_ fault: MirrorFault, of mirror: String, _ label: String) {
    let warning = Diagnostic(
      fault.kind == .integrity ? .wrongBytes : .network,
      kind: DiagnosticKind(fault.kind),
      "mirror \(mirror): \(fault)",
      notes: ["file \(label)"]
    )
    let subject = "mirror \(mirror), \(fault.kind.rawValue)"
    let isShown = state.withLock { $0.faults.shows(subject) }
    if isShown { console.warn(warning) } else { console.warnUnseen(warning) }
  }

  private func note(_ pace: FetchPace) {
    let shares = pace.shares.map { share in
      JSONValue.object(["mirror": .string(share.mirror), "bytes": .integer(Int64(share.bytes))])
    }
    var members: JSONObject = [
      "bytesPerSecond": .integer(Int64(pace.rate)), "mirrors": .array(shares),
    ]
    if let remaining = pace.remaining {
      members = [
        "bytesPerSecond": .integer(Int64(pace.rate)),
        "remainingSeconds": .integer(remaining.components.seconds), "mirrors": .array(shares),
      ]
    }
    console.event("pace", members)
  }

  private func update(done: Int) {
    state.withLock { $0.display }?.update(done: done)
  }

  private func show(_ phase: Phase, label: String, total: Int) {
    let old = state.withLock { state -> ProgressDisplay? in
      guard state.phase != phase else { return nil }
      let old = state.display
      state.phase = phase
      state.display =
        phase == .none ? nil : ProgressDisplay(console, label: label, total: total)
      return old
    }
    old?.finish()
  }
}
