/// A loopback HTTP/1.1 server that is honest, or wrong in one chosen way, and logs every request.
///
/// It listens on a free port of 127.0.0.1 with a thread for each connection, and ends with ``stop()`` or with
/// the last reference to it. Files come from memory and, where a folder is given, from beneath it.
package final class FaultyMirror: Sendable {
  /// The port of 127.0.0.1 where it listens.
  package let port: UInt16
  private let state: MirrorState
  private let listener: Guarded<WorkerThread?>

  /// Serves the files beneath `folder`, read from disk at each request.
  ///
  /// `pattern` says to which paths the fault applies, as ``set(_:for:)`` does.
  package convenience init(
    folder: String,
    _ fault: Fault = .honest,
    for pattern: String = "*"
  ) throws(SupportError) {
    try self.init(MirrorState(folder: folder), fault, for: pattern)
  }

  /// Serves files from memory, by their paths with or without the slash at the start.
  package convenience init(
    files: [String: [UInt8]] = [:],
    _ fault: Fault = .honest,
    for pattern: String = "*"
  ) throws(SupportError) {
    let state = try MirrorState(folder: nil)
    for (path, bytes) in files { state.serve(bytes, at: path) }
    try self.init(state, fault, for: pattern)
  }

  private init(_ state: MirrorState, _ fault: Fault, for pattern: String) throws(SupportError) {
    state.set(fault, for: pattern)
    let socket = try Socket.listening()
    port = try Socket.port(of: socket)
    self.state = state
    listener = Guarded(try WorkerThread { MirrorListener(socket, state).run() })
  }

  deinit { stop() }

  /// The address without a slash at its end, such as `http://127.0.0.1:40001`.
  package var url: String { "http://127.0.0.1:\(port)" }

  /// The address of a file, whose path begins with a slash or not.
  package func url(_ path: String) -> String {
    path.utf8.first == UInt8(ascii: "/") ? url + path : "\(url)/\(path)"
  }

  /// Applies `fault` to the answers that begin from now on, to all paths, and forgets every other fault.
  package func set(_ fault: Fault) { state.setOnly(fault) }

  /// Applies `fault` to the paths that match `pattern`, before the faults that were set earlier.
  ///
  /// A pattern is one of the shell's, such as `*.gguf`, where `*` matches slashes too; paths begin with a slash.
  /// Faults that count requests count from here. The corresponding C function is `fnmatch`.
  package func set(_ fault: Fault, for pattern: String) { state.set(fault, for: pattern) }

  /// The most bytes of body a second on each connection, in whatever fault; nil for no limit.
  package var rate: Int? {
    get { state.rate }
    set { state.rate = newValue }
  }

  /// Keeps every answer back until `leader` was asked for something.
  ///
  /// A client that asks several mirrors at once would otherwise be done, at times, before it came to a certain one.
  package func answer(after leader: FaultyMirror) { state.follow(leader.state.log) }

  /// Offers these bytes at `path`, before a file on disk of the same name.
  package func serve(_ bytes: [UInt8], at path: String) { state.serve(bytes, at: path) }

  /// Takes back a file in memory.
  package func remove(_ path: String) { state.remove(path) }

  /// Cuts all connections there are; new ones are taken.
  package func cutConnections() { state.cutConnections() }

  /// Every request so far, in the order in which their headers ended.
  package var requests: [RequestRecord] { state.log.records }

  /// The requests for one path, which begins with a slash.
  package func requests(for path: String) -> [RequestRecord] {
    requests.filter { $0.path.utf8.elementsEqual(path.utf8) }
  }

  /// The bytes of bodies sent so far for one path, over all requests.
  package func bytesSent(for path: String) -> Int {
    requests(for: path).reduce(0) { $0 + $1.bytesSent }
  }

  /// The bytes of bodies sent so far.
  package var bytesSent: Int { requests.reduce(0) { $0 + $1.bytesSent } }

  /// Waits until the log meets `condition`; false if the mirror stops or the task is cancelled first.
  @discardableResult
  package func wait(until condition: @escaping @Sendable ([RequestRecord]) -> Bool) async -> Bool {
    await state.log.wait(until: condition)
  }

  /// Ends all connections and threads and frees the port; the log stays.
  package func stop() {
    state.stop.raise()
    let thread = listener.withLock { $0.take() }
    thread?.join()
    state.log.close()
  }
}
