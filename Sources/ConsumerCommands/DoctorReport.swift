import CommandLineKit
import Installing
import Manifests
import ModelStore
import StrictJSON

/// What the doctor says of a store, and the exit code that follows.
///
/// A look and a repair complain about the same things, so that they agree where nothing is left to do.
struct DoctorReport {
  private let isFix: Bool
  private let console: Console
  private var count = 0
  private var codes = Set<ExitCode>()

  init(isFix: Bool, _ console: Console) {
    self.isFix = isFix
    self.console = console
  }

  mutating func add(_ code: ExitCode) { codes.insert(code) }

  /// Reports what keeps the store from being changed at all.
  mutating func refuse(_ error: StoreError) {
    let diagnostic = ConsumerTool.explain(error)
    console.report(diagnostic)
    codes.insert(diagnostic.exitCode)
  }

  /// Tells the steps that are to be taken, or were.
  mutating func tell(_ steps: [ReconcileStep], of name: ModelName) {
    for step in steps {
      let words = ReconcileWords(step, of: name)
      console.print("\(name): \(words.text)\(isFix ? ": done" : "")")
      console.event(isFix ? "reconciled" : "step", words.members)
    }
    count += steps.count
    if !isFix, !steps.isEmpty { codes.insert(.findings) }
  }

  /// Names what no step puts right, with the choices that a person has.
  mutating func complain(about model: borrowing StoredModel, after steps: [ReconcileStep]) throws {
    let status = try model.status()
    if let floor = try model.damagedFloor() { complain(aboutFloor: floor, of: status.model) }
    if case .damaged = status.record {
      refuse(StoreError.damagedRecord(status.model, choices: status.versions.map(\.name)))
      return
    }
    // What a look has found a step for is not told twice.
    let settled = isFix ? [] : steps.compactMap(\.settledVersion)
    let isUnsettled = status.versions.contains {
      $0.proof != .stamped && !settled.contains($0.name)
    }
    guard status.state == .failed || status.hasLostActive || isUnsettled else { return }
    let lines = StatusLines(status)
    for reason in lines.reasons { console.print("\(status.model): \(reason)") }
    for line in lines.advice { console.inform(line) }
    codes.insert(.findings)
  }

  private mutating func complain(aboutFloor place: String, of model: ModelName) {
    console.report(
      Diagnostic(
        .findings,
        kind: .damagedFloor,
        "\(place), the record of the highest version of \(model), cannot be read",
        notes: ["until then no version of it is installed or activated but the one before"],
        helps: [
          "sealift activate \(model)@VERSION --allow-downgrade begins a new one with that version"
        ]
      )
    )
    codes.insert(.findings)
  }

  /// Sums up; returns the exit code.
  func finish() -> ExitCode {
    if count == 0, codes.isEmpty { console.inform("nothing to do") }
    console.summarize(["steps": .integer(Int64(count)), "fixed": .boolean(isFix)])
    for code in [ExitCode.localFailure, .findings] where codes.contains(code) { return code }
    return codes.first ?? .done
  }
}

extension ReconcileStep {
  /// The version whose state the step settles.
  fileprivate var settledVersion: VersionName? {
    switch self {
    case .verify(let name), .discard(let name), .rollBack(let name, _): name
    default: nil
    }
  }
}
