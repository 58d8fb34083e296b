import Digests
import Manifests
import ModelFormats
import SystemFiles
import Verification

/// Compares the files beneath a folder with a release.
struct VersionAudit {
  /// What came of it.
  struct Outcome {
    var files: [AuditedFile] = []
    /// What is said of the version as a whole.
    var findings: [AuditFinding] = []
    /// The file and the chunk that are still to be looked at, where the work was ended.
    var stop: (file: Int, chunk: Int)?
    /// What was left out by each rule.
    var ignored: [Int]
    /// What kept it from being known whether there is more; what was found before it stands.
    var failure: (any Error)?

    /// Whether anything on the axis of integrity counts.
    var hasDamage: Bool {
      (findings + files.flatMap(\.findings)).contains { $0.counts && $0.axis == .integrity }
    }
  }

  let release: Release
  let digest: SHA256Digest
  let plan: ReadingPlan
  let request: AuditRequest
  let standing: FileAudit.Standing?
  let pace: AuditPace

  /// Looks at every file from the `start` on, then at what is too much, and at what the files say together.
  ///
  /// What keeps it from being known is the outcome's failure, and takes nothing from what was found before.
  func outcome(
    in folder: borrowing Folder,
    from start: (file: Int, chunk: Int) = (0, 0),
    judgingRuntime: Bool
  ) -> Outcome {
    var outcome = Outcome(ignored: request.ignore.map { _ in 0 })
    do {
      try look(in: folder, from: start, judgingRuntime: judgingRuntime, into: &outcome)
    } catch {
      outcome.failure = error
    }
    return outcome
  }

  private func look(
    in folder: borrowing Folder,
    from start: (file: Int, chunk: Int),
    judgingRuntime: Bool,
    into outcome: inout Outcome
  ) throws {
    for index in release.files.indices.dropFirst(start.file) {
      guard pace.goesOn else {
        outcome.stop = (index, index == start.file ? start.chunk : 0)
        return
      }
      let found = try audit(index, from: index == start.file ? start.chunk : 0)
        .outcome(in: folder)
      outcome.files.append(found.file)
      if let chunk = found.stoppedAt {
        outcome.stop = (index, chunk)
        return
      }
    }
    try addExtras(in: folder, to: &outcome)
    try addWhole(
      in: folder,
      isWhole: start == (0, 0),
      to: &outcome,
      judgingRuntime: judgingRuntime
    )
  }

  private func audit(_ index: Int, from chunk: Int) -> FileAudit {
    let entry = release.files[index]
    var selection = plan.selection(of: entry, at: index, in: digest)
    if chunk > 0 {
      switch selection {
      case .nothing: break
      case .everything: selection = .everything(from: chunk)
      case .chunks(let indices): selection = .chunks(indices.filter { $0 >= chunk })
      }
    }
    return FileAudit(
      entry: entry,
      selection: selection,
      standing: standing,
      options: FileAudit.Options(
        isDirect: request.isDirect,
        depth: request.checksWholeFiles ? .everyByteAndWhole : .everyByte
      ),
      pace: pace
    )
  }

  private func addExtras(in folder: borrowing Folder, to outcome: inout Outcome) throws {
    let search = ExtraFileSearch(among: release.files.map(\.path))
    for extra in try search.findings(in: folder, at: []) {
      if let rule = request.ruleIgnoring(extra.path) {
        outcome.ignored[rule] += 1
        continue
      }
      guard case .extra(let kind) = extra.problem else { continue }
      outcome.files.append(
        AuditedFile(
          path: extra.path,
          signed: nil,
          findings: [AuditFinding(.extra, expected: "nothing of this name", actual: kind.words)],
          modifiedAt: try? folder.status(of: extra.path)?.modifiedAt
        )
      )
    }
  }

  /// Looks at what files say of each other, and at the runtimes that load them.
  ///
  /// What files say of each other is known only where all of them were looked at just now.
  private func addWhole(
    in folder: borrowing Folder,
    isWhole: Bool,
    to outcome: inout Outcome,
    judgingRuntime: Bool
  ) throws {
    var needs: [FileNeeds] = []
    if isWhole, request.mode == .full, !outcome.hasDamage {
      let structure = try StructureCheck(release).outcome(in: folder)
      needs = structure.needs
      for finding in structure.findings {
        guard case .notAModel(let problem) = finding.problem else { continue }
        outcome.findings.append(
          AuditFinding(
            .notAModel,
            expected: "files that belong together",
            actual: problem.text,
            note: finding.path
          )
        )
      }
    }
    guard judgingRuntime else { return }
    let verdict = try release.runtimeVerdict(given: request.statements, derived: needs)
    if let finding = AuditFinding(verdict) { outcome.findings.append(finding) }
  }
}

extension AuditRequest {
  /// The place of the first rule that leaves out what is too much at `path`; nil if none does.
  fileprivate func ruleIgnoring(_ path: String) -> Int? {
    ignore.firstIndex { rule in
      rule.pattern.matches(path) && !(rule.until.map { $0 <= judgedAt } ?? false)
    }
  }
}
