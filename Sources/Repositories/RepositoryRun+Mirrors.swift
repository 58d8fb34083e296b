import Trust

/// What came of asking mirrors for one file.
struct Asking {
  let file: String
  /// The first refusal of a rule.
  private(set) var refusal: MetadataRefusal?
  private(set) var isTooLong = false
  private(set) var isAbsent = false
  private(set) var isFailed = false
  private(set) var troubles: [MirrorTrouble] = []

  init(_ file: String) { self.file = file }

  /// Takes an answer that brings no bytes; returns the bytes of any other.
  mutating func take(_ answer: FileAnswer, from mirror: String) -> [UInt8]? {
    switch answer {
    case .bytes(let bytes): return bytes
    case .tooLong(let fault):
      isTooLong = true
      note(.fault(fault), of: mirror)
    case .absent(let fault):
      isAbsent = true
      note(.fault(fault), of: mirror)
    case .failed(let fault):
      isFailed = true
      note(.fault(fault), of: mirror)
    }
    return nil
  }

  /// Takes a refusal of the bytes that came.
  mutating func take(_ refusal: MetadataRefusal, from mirror: String) {
    self.refusal = self.refusal ?? refusal
    note(.refused(refusal), of: mirror)
  }

  mutating func note(_ cause: MirrorTrouble.Cause, of mirror: String) {
    troubles.append(MirrorTrouble(mirror: mirror, file: file, cause: cause))
  }
}

// Mirrors.
extension RepositoryRun {
  /// The mirrors, beginning with the preferred one.
  var order: [Int] {
    let count = source.mirrors.count
    return [preferred].filter { $0 < count } + (0..<count).filter { $0 != preferred }
  }

  /// Asks one mirror after the other until the machine takes an answer.
  mutating func ask<Machine: MetadataMachine>(
    _ request: MetadataRequest,
    _ machine: inout Machine
  ) throws -> Machine.Step {
    var asking = Asking(request.name)
    for mirror in order {
      let name = source.mirrors[mirror]
      let answer = try source.read(.metadata(request.name), limit: request.limit, from: mirror)
      guard let bytes = asking.take(answer, from: name) else { continue }
      do throws(MetadataRefusal) {
        let step = try machine.received(.bytes(bytes))
        troubles += asking.troubles.filter { request.role != .root || !$0.isAbsence }
        if asking.isFailed { preferred = mirror }
        return step
      } catch {
        asking.take(error, from: name)
      }
    }
    return try end(asking, of: request, &machine)
  }

  /// Asks every mirror for the timestamp and gives the machine the newest that it takes.
  mutating func askEvery(
    _ request: MetadataRequest,
    _ machine: inout MetadataRefresh
  ) throws -> MetadataRefresh.Step {
    guard source.mirrors.count > 1 else { return try ask(request, &machine) }
    var asking = Asking(request.name)
    var best: (machine: MetadataRefresh, step: MetadataRefresh.Step, version: Int, mirror: Int)?
    var versions: [(mirror: String, version: Int)] = []
    for mirror in order {
      let name = source.mirrors[mirror]
      let answer = try source.read(.metadata(request.name), limit: request.limit, from: mirror)
      guard let bytes = asking.take(answer, from: name) else { continue }
      var attempt = machine
      do throws(MetadataRefusal) {
        let step = try attempt.received(.bytes(bytes))
        // One that is not to be kept is the one that is kept already.
        let version = if case .keep(let metadata) = step { metadata.version } else { 0 }
        versions.append((name, version))
        if version > best?.version ?? -1 { best = (attempt, step, version, mirror) }
      } catch {
        asking.take(error, from: name)
      }
    }
    guard let best else { return try end(asking, of: request, &machine) }
    for (mirror, version) in versions where version < best.version {
      asking.note(.behind, of: mirror)
    }
    troubles += asking.troubles
    (machine, preferred) = (best.machine, best.mirror)
    return best.step
  }

  /// What follows when no mirror gave what the machine takes.
  private mutating func end<Machine: MetadataMachine>(
    _ asking: Asking,
    of request: MetadataRequest,
    _ machine: inout Machine
  ) throws -> Machine.Step {
    if request.role == .root, asking.isAbsent {
      // So the walk ends; that there is no next root is no trouble.
      troubles += asking.troubles.filter { !$0.isAbsence }
      return try refusing(nil) { () throws(MetadataRefusal) in try machine.received(.absent) }
    }
    var refusal = asking.refusal
    if request.role == .timestamp, isNew, refusal == nil, asking.isAbsent, !asking.isFailed,
      !asking.isTooLong
    {
      throw RepositoryFault.noRepository(file: request.name, troubles: asking.troubles)
    }
    if refusal == nil, asking.isTooLong || asking.isAbsent && !asking.isFailed {
      do throws(MetadataRefusal) {
        return try machine.received(asking.isTooLong ? .tooLong : .absent)
      } catch {
        refusal = error
      }
    }
    guard let refusal else {
      throw RepositoryFault.unreachable(file: request.name, troubles: asking.troubles)
    }
    throw RepositoryFault.refused(refusal, file: request.name, troubles: asking.troubles)
  }
}

extension MirrorTrouble {
  /// Whether the mirror only said that it has no such file.
  fileprivate var isAbsence: Bool {
    guard case .fault(let fault) = cause else { return false }
    return fault.isAbsence
  }
}
