import Glibc
import SystemFiles

/// What the threads of a mirror share.
final class MirrorState: Sendable {
  private struct Rule {
    let pattern: String
    let fault: Fault
    var turns = 0
  }

  private struct Settings {
    var rules: [Rule] = []
    var files: [String: MemoryFile] = [:]
    var rate: Int?
    /// The requests to the mirror that must have been asked first.
    var leader: RequestLog?
    var filesServed = 0
    var connections: [Int: Descriptor] = [:]
  }

  let log = RequestLog()
  let stop: StopSignal
  private let folder: String?
  private let settings = Guarded(Settings())

  init(folder: String?) throws(SupportError) {
    self.folder = folder
    stop = try StopSignal()
  }

  var rate: Int? {
    get { settings.withLock { $0.rate } }
    set { settings.withLock { $0.rate = newValue } }
  }

  func set(_ fault: Fault, for pattern: String) {
    settings.withLock { settings in
      settings.rules.removeAll { $0.pattern.utf8.elementsEqual(pattern.utf8) }
      settings.rules.append(Rule(pattern: pattern, fault: fault))
    }
  }

  func setOnly(_ fault: Fault) {
    settings.withLock { $0.rules = [Rule(pattern: "*", fault: fault)] }
  }

  func serve(_ bytes: [UInt8], at path: String) {
    settings.withLock { settings in
      settings.filesServed += 1
      let tag = "\"\(settings.filesServed)-\(String(bytes.count, radix: 16))\""
      settings.files[absolute(path)] = MemoryFile(bytes: bytes, tag: tag)
    }
  }

  func remove(_ path: String) {
    settings.withLock { $0.files[absolute(path)] = nil }
  }

  /// Decides the answer to a request, counting it against the newest rule that matches its path.
  func answer(to request: RequestHead) -> Answer {
    let (fault, turn, rate): (Fault, Int, Int?) = settings.withLock { settings in
      let match = settings.rules.lastIndex {
        unsafe fnmatch($0.pattern, request.path, 0) == 0
      }
      guard let match else { return (.honest, 1, settings.rate) }
      settings.rules[match].turns += 1
      return (settings.rules[match].fault, settings.rules[match].turns, settings.rate)
    }
    var answer = fault.answer(to: request, file(at: request.path), turn: turn)
    if answer.rate == nil { answer.rate = rate }
    if request.wantsClose, case .keepAlive = answer.ending {
      answer.ending = .close
      answer.fields.append(HTTPField("Connection", "close"))
    }
    return answer
  }

  func add(_ socket: Descriptor, number: Int) {
    settings.withLock { $0.connections[number] = socket }
  }

  func removeConnection(_ number: Int) {
    settings.withLock { $0.connections[number] = nil }
  }

  func follow(_ leader: RequestLog) { settings.withLock { $0.leader = leader } }

  /// Returns once the mirror that leads was asked for something, or this one stops.
  func waitForLeader() {
    while let leader = settings.withLock({ $0.leader }), leader.records.isEmpty {
      if stop.wait(for: nil, until: .now + .milliseconds(5)) == .stopped { return }
    }
  }

  /// Cuts every connection there is.
  func cutConnections() {
    settings.withLock { settings in
      for socket in settings.connections.values { shutdown(socket.number, CInt(SHUT_RDWR)) }
    }
  }

  private func file(at path: String) -> (any ServedFile)? {
    if let file = settings.withLock({ $0.files[path] }) { return file }
    guard let folder else { return nil }
    let name = path.utf8.drop { $0 == UInt8(ascii: "/") }
    do {
      return try DiskFile(Folder(path: folder).openFile(String(Substring(name))))
    } catch {
      return nil  // Whatever cannot be opened is not there: 404.
    }
  }

  private func absolute(_ path: String) -> String {
    path.utf8.first == UInt8(ascii: "/") ? path : "/\(path)"
  }
}
