import Manifests

/// What a report comes to in words: the headline, and an answer for each axis.
struct ReportJudgement {
  let report: AuditReport
  let counts: AuditCounts

  init(_ report: AuditReport) {
    self.report = report
    counts = report.counts
  }

  /// The tone of the whole.
  var tone: ReportTone {
    switch report.outcome {
    case .clean: counts.versions == 0 || report.mode != .full ? .idle : .good
    case .findings, .unfinished:
      max(ReportTone(of: report.findings.map(\.finding)), .care)
    }
  }

  /// The one sentence that a person takes away.
  var headline: String {
    if report.unfinished != nil {
      return counts.findings == 0
        ? "The audit did not come to its end."
        : "The audit did not come to its end, and found \(counted(counts.findings, "problem")) so far."
    }
    guard report.outcome == .findings else { return cleanHeadline }
    let affected = versions.count { $0.allFindings.contains(where: \.counts) }
    guard affected > 0 else {
      let models = report.models.count { $0.findings.contains(where: \.counts) }
      return
        "\(part(models, of: counts.models, "model")) not as \(models == 1 ? "it" : "they") should be."
    }
    return
      "\(part(affected, of: counts.versions, "version")) not as \(affected == 1 ? "it" : "they") should be."
  }

  private var cleanHeadline: String {
    guard counts.versions > 0 else { return "There was nothing to audit." }
    let all =
      counts.versions == 1 ? "The installed version" : "All \(grouped(counts.versions)) versions"
    return switch report.mode {
    case .full: "\(all) \(counts.versions == 1 ? "is" : "are") what was signed."
    case .quick: "Nothing has changed, as far as can be seen without reading."
    case .sample: "No damage in the sample that was read."
    }
  }

  /// Where, when and how.
  var lead: String {
    let subject =
      switch report.subject {
      case .store(let path): "store \(path)"
      case .folder(let path, _): "folder \(path)"
      }
    return
      "Host \(report.host.name), \(subject), \(spoken(report.endedAt)). \(sentence(report.proof))"
  }

  private var versions: [AuditedVersion] { report.models.flatMap(\.versions) }

  /// What is said on an axis: how it stands, and the answer to its question.
  func answer(on axis: AuditAxis) -> (tone: ReportTone, text: String) {
    let tone = ReportTone(of: report.findings.map(\.finding).filter { $0.axis == axis })
    guard tone > .idle else { return untroubled(axis, tone) }
    let affected = versions.count { $0.findings(on: axis).contains(where: \.counts) }
    guard affected > 0 else { return (tone, "Something is wrong with a model") }
    let place =
      counts.versions == 1
      ? "the version" : "\(grouped(affected)) of \(grouped(counts.versions)) versions"
    let manifests =
      counts.versions == 1
      ? "The manifest is" : "\(grouped(affected)) of \(grouped(counts.versions)) manifests"
    return switch (axis, tone) {
    case (.integrity, .bad): (tone, "Damage in \(place)")
    case (.integrity, _): (tone, "Oddities in \(place)")
    case (.trust, .bad): (tone, "\(manifests) not accepted")
    case (.trust, _): (tone, "Doubts about \(place)")
    case (.state, _): (tone, "Disorder in \(place)")
    }
  }

  private func untroubled(_ axis: AuditAxis, _ tone: ReportTone) -> (ReportTone, String) {
    guard counts.versions > 0 else { return (.idle, "Nothing to judge") }
    guard report.unfinished == nil else { return (.idle, "Nothing wrong so far") }
    return switch (axis, report.mode) {
    case (.integrity, .quick): (.idle, "Nothing was read")
    case (.integrity, .sample): (.idle, "No damage in the sample")
    case (.integrity, .full):
      (tone, tone == .good ? "All bytes are as signed" : "Not all was looked at")
    case (.trust, _): (tone, "All manifests are accepted")
    case (.state, _): (tone, tone == .good ? "All records agree" : "Nothing wrong, see the notes")
    }
  }

  private func part(_ count: Int, of all: Int, _ noun: String) -> String {
    all == 1
      ? "The \(noun) is"
      : "\(grouped(count)) of \(grouped(all)) \(noun)s \(count == 1 ? "is" : "are")"
  }

  /// `30 November 2026, 18:40 UTC`.
  private func spoken(_ time: Timestamp) -> String {
    let months = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September",
      "October", "November", "December",
    ]
    let parts = time.text.split { "-T:Z".contains($0) }
    guard parts.count == 6, let month = Int(parts[1]), let day = Int(parts[2]),
      months.indices.contains(month - 1)
    else { return time.text }
    return "\(day) \(months[month - 1]) \(parts[0]), \(parts[3]):\(parts[4]) UTC"
  }
}
