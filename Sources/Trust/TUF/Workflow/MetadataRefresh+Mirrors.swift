extension MetadataRefresh {
  /// Takes the answers of several mirrors to one request, and goes on with the best that passes all checks.
  ///
  /// Of timestamps that is the one of the highest version; of roots, any that follows, rather than that there is none; of
  /// other files the first. The order is that of the mirrors.
  /// - Throws: ``MetadataRefusal`` of the first answer, if none passes; the machine is as it was.
  package mutating func received(
    anyOf responses: [MetadataResponse]
  ) throws(MetadataRefusal) -> Step {
    var best: (machine: MetadataRefresh, step: Step)?
    var refusal: MetadataRefusal?
    for response in responses {
      var attempt = self
      do throws(MetadataRefusal) {
        let step = try attempt.received(response)
        if best.map({ attempt.isBetter(than: $0.machine) }) ?? true { best = (attempt, step) }
      } catch {
        refusal = refusal ?? error
      }
    }
    guard let best else {
      guard let refusal else { preconditionFailure("somebody has answered") }
      throw refusal
    }
    self = best.machine
    return best.step
  }

  private func isBetter(than other: MetadataRefresh) -> Bool { progress > other.progress }
}
