import Glibc

/// Takes connections, each to a thread of its own, until the mirror stops.
final class MirrorListener: Sendable {
  private let socket: Descriptor
  private let state: MirrorState
  private let finished = Guarded<[Int]>([])

  init(_ socket: Descriptor, _ state: MirrorState) {
    self.socket = socket
    self.state = state
  }

  func run() {
    var threads: [Int: WorkerThread] = [:]
    var number = 0
    while state.stop.wait(for: socket.number, CInt(POLLIN)) == .ready {
      guard let connection = Socket.accept(from: socket) else { continue }
      number += 1
      threads[number] = start(connection, number)
      // Threads that have ended are joined as new ones come, so that their stacks do not pile up.
      for number in finished.withLock({ list in
        defer { list = [] }; return list
      }) {
        threads.removeValue(forKey: number)?.join()
      }
    }
    Socket.refuse(socket)
    for thread in threads.values { thread.join() }
  }

  private func start(_ socket: Descriptor, _ number: Int) -> WorkerThread? {
    state.add(socket, number: number)
    let (state, finished) = (state, self)
    do {
      return try WorkerThread {
        var connection = MirrorConnection(socket, number: number, state)
        connection.serve()
        state.removeConnection(number)
        finished.finished.withLock { $0.append(number) }
      }
    } catch {
      state.removeConnection(number)
      return nil
    }
  }
}
