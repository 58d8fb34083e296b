import CommandErrors
import CommandLineKit
import Manifests
import Publishing
import Signatures
import StrictJSON
import SystemFiles
import Trust

/// Changes a repository: takes the lock, completes what was interrupted, plans, signs, and publishes or leaves the rest to others.
struct RepositoryChange {
  /// What a change came to.
  enum Outcome {
    case unchanged
    case published(RepositoryDraft)
    /// It waits for more signatures.
    case waiting(RepositoryDraft)
  }

  typealias Plan =
    (inout RepositoryDraft, borrowing RepositoryTree, Timestamp) throws -> Void

  let path: String
  let options: RepositoryOptions
  let context: CommandContext

  /// Makes the change that `plan` plans, and tells what it came to.
  func run(_ plan: Plan) async throws -> ExitCode {
    _ = try await make(plan)
    return .done
  }

  /// Makes the change that `plan` plans, tells what it came to, and returns that.
  ///
  /// With `isUrgent` it is published even while another waits, which then waits on, made for the new state.
  func make(isUrgent: Bool = false, _ plan: Plan) async throws -> Outcome {
    let signers = try await openSigners()
    let tree = try RepositoryTree(path: path)
    return try locked(tree) { tree in
      let isBesideAnother = try recover(tree)
      guard isUrgent || !isBesideAnother else { throw RepositoryProblem.changePending }
      let now = try Timestamp.current()
      let state = try tree.state(at: now)
      var draft = RepositoryDraft(base: state, lifetimes: options.lifetimes)
      try plan(&draft, tree, now)
      let outcome = try finish(&draft, tree, signers, now, isBesideAnother: isBesideAnother)
      tell(outcome)
      if isBesideAnother { tellOfWaiting(tree, now) }
      return outcome
    }
  }

  /// Makes the change that waits for what is published now, and tells what it lacks.
  private func tellOfWaiting(_ tree: borrowing RepositoryTree, _ now: Timestamp) {
    do {
      guard let draft = try tree.pendingDraft(for: try tree.state(at: now), at: now) else { return }
      let words = "the change that waits was made for the new state, and lacks"
      context.console.inform(draft.missing.isEmpty ? "\(words) no signature" : "\(words):")
      for part in draft.missing { context.console.inform(part.words) }
    } catch {
      // The urgent one is published; what became of the other is no failure of it.
      context.console.warn(PublisherTool.explain(error))
    }
  }

  /// What brings an interrupted publication to its end.
  static func completing(_ path: String) -> String {
    "repo sign \(path), or any command that changes something, completes it"
  }

  func openSigners() async throws -> [RepositorySigner] {
    try await options.signers.makeReady(context).map { signer in
      RepositorySigner(signer.publicKey) { try signer.sign($0) }
    }
  }

  /// Does something while no other publisher of this machine does; waits for those who began before.
  func locked<Result>(
    _ tree: borrowing RepositoryTree,
    _ body: (borrowing RepositoryTree) throws -> Result
  ) throws -> Result {
    guard let lock = try tree.lock(while: { !Task.isCancelled }) else { throw CancellationError() }
    let result = try body(tree)
    lock.release()
    return result
  }

  /// Completes what was interrupted; returns whether a change waits for signatures.
  func recover(_ tree: borrowing RepositoryTree) throws -> Bool {
    let found = try tree.recover()
    guard found == .completed else { return found == .waiting }
    context.console.inform("completed a publication that was interrupted")
    // Another may have waited beside it.
    return try tree.recover() == .waiting
  }

  /// Signs the change, and publishes it if nothing is missing.
  func finish(
    _ draft: inout RepositoryDraft,
    _ tree: borrowing RepositoryTree,
    _ signers: [RepositorySigner],
    _ now: Timestamp,
    mayStage: Bool? = nil,
    isBesideAnother: Bool = false
  ) throws -> Outcome {
    guard !draft.isEmpty else { return .unchanged }
    try draft.sign(with: signers, at: now)
    if draft.isComplete {
      try tree.publish(draft, at: now, isBesideAnother: isBesideAnother)
      return .published(draft)
    }
    guard mayStage ?? options.allowsStaging, !isBesideAnother else {
      throw RepositoryProblem.tooFewSignatures(draft.missing)
    }
    try tree.stage(draft)
    return .waiting(draft)
  }
}

// MARK: Words

extension RepositoryChange {
  /// Tells what a change came to, and what comes next.
  func tell(_ outcome: Outcome) {
    let console = context.console
    switch outcome {
    case .unchanged:
      console.print("nothing to change in \(path)")
      console.summarize(["repository": .string(path), "state": "unchanged"])
    case .published(let draft):
      for line in draft.summary { console.print(line) }
      console.inform("published \(words(draft))")
      console.wrote(path)
      console.summarize(members(draft, "published"))
    case .waiting(let draft):
      for line in draft.summary { console.print(line) }
      console.inform(
        draft.missing.isEmpty
          ? "nothing is published yet"
          : "nothing is published yet; the change waits for signatures:"
      )
      for part in draft.missing { console.inform(part.words) }
      guard !draft.missing.isEmpty else {
        console.summarize(members(draft, "waiting"))
        return
      }
      console.inform(
        "next: sealift-publish repo sign \(path) --key KEY, or --export PART --output FILE for a machine without network"
      )
      console.summarize(members(draft, "waiting"))
    }
  }

  private func words(_ draft: RepositoryDraft) -> String {
    draft.versions.map { "\($0.role.text) \($0.version)" }.joined(separator: ", ")
  }

  private func members(_ draft: RepositoryDraft, _ state: String) -> JSONObject {
    [
      "repository": .string(path), "state": .string(state),
      "changes": .array(draft.summary.map { .string($0) }),
      "versions": .object(
        JSONObject(
          uniqueMembers: draft.versions.map { ($0.role.text, .integer(Int64($0.version))) }
        )
      ),
      "missing": .array(draft.missing.map(\.document)),
    ]
  }
}

extension MissingSignatures {
  /// What is missing, in a line.
  var words: String {
    "\(part.word): \(found) of \(threshold) signatures; can sign: "
      + keys.map(\.description).joined(separator: ", ")
  }

  var document: JSONValue {
    [
      "part": .string(part.word), "signatures": .integer(Int64(found)),
      "threshold": .integer(Int64(threshold)),
      "keys": .array(keys.map { .string($0.description) }),
    ]
  }
}
