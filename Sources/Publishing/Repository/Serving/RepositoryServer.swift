package import SystemFiles

/// Serves the files of a folder on loopback, for trying a repository out; any web server does so in production.
///
/// Files alone are served, no lists of folders, nothing behind a link, and no name that starts with a dot. One thread
/// serves all connections, so that one that reads slowly keeps no other waiting.
package struct RepositoryServer: ~Copyable {
  /// What is told of a request that was answered.
  package struct Report: Hashable, Sendable {
    package let method: String
    /// The target as it was sent.
    package let target: String
    package let status: Int
  }

  /// The most connections at once; more of them wait.
  private static let maximumConnections = 64
  /// How long a connection may be of no use.
  private static let patience = Duration.seconds(60)
  /// How often the server looks whether it is to end, in milliseconds.
  private static let pause: Int32 = 100

  private let folder: Folder
  private let listener: LoopbackListener

  /// Opens the folder at `path`, and listens on `port`, or on one that the system chooses for 0.
  ///
  /// - Throws: `SystemError`, `EADDRINUSE` if somebody listens there.
  package init(folder path: String, port: UInt16) throws(SystemError) {
    let folder = try Folder(path: path)
    let listener = try LoopbackListener(port: port)
    self.folder = folder
    self.listener = listener
  }

  /// The port that clients connect to.
  package var port: UInt16 { listener.port }

  /// Serves until the task is cancelled; blocks the calling thread.
  ///
  /// - Throws: `SystemError` where the system has no sockets left to wait for.
  package func serve(_ report: (Report) -> Void) throws(SystemError) {
    var connections: [ServedConnection] = []
    while !Task.isCancelled {
      let hasRoom = connections.count < Self.maximumConnections
      let ready = try waitForSockets(
        [SocketInterest(listener.descriptor, reads: hasRoom)] + connections.map(\.interest),
        milliseconds: Self.pause
      )
      let now = ContinuousClock.now
      var staying: [ServedConnection] = []
      for (connection, isReady) in zip(connections, ready.dropFirst()) {
        let goesOn =
          isReady
          ? connection.goOn(in: folder, at: now) { request, status in
            report(
              Report(
                method: request.isHead ? "HEAD" : "GET",
                target: request.target,
                status: status
              )
            )
          } : connection.lastMove.duration(to: now) < Self.patience
        if goesOn { staying.append(connection) }
      }
      if hasRoom, ready[0], let socket = try listener.accept() {
        staying.append(ServedConnection(socket, at: now))
      }
      connections = staying
    }
  }
}
