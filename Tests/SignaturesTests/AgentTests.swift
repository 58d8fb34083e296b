import Digests
import Glibc
import Signatures
import SystemFiles
import Testing
import Vectors

/// An agent of which every answer is written down before it is asked.
///
/// The answers lie in a socket from the start, so nothing waits for anything.
private final class ScriptedAgent {
  /// The end that the signer takes over.
  let client: CInt
  private let server: CInt

  init(_ answers: [[UInt8]], staysOpen: Bool = true) throws {
    var ends: [CInt] = [-1, -1]
    let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0)
    (client, server) = (ends[0], ends[1])
    let bytes = answers.flatMap { $0 }
    #expect(unsafe send(server, bytes, bytes.count, CInt(MSG_DONTWAIT)) == bytes.count)
    if !staysOpen { shutdown(server, CInt(SHUT_WR)) }
  }

  deinit { close(server) }

  /// What the signer has sent so far.
  func requests() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = unsafe recv(server, &bytes, bytes.count, CInt(MSG_DONTWAIT))
    return Array(bytes.prefix(max(0, count)))
  }
}

private func number(_ value: Int) -> [UInt8] {
  [UInt8(value >> 24 & 255), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
}

private func string(_ bytes: some Collection<UInt8>) -> [UInt8] { number(bytes.count) + bytes }

private func blob(_ kind: String, _ bytes: [UInt8]) -> [UInt8] {
  string(kind.utf8) + string(bytes)
}

private func keys(_ blobs: [[UInt8]]) -> [UInt8] {
  string([12] + number(blobs.count) + blobs.flatMap { string($0) + string("a comment".utf8) })
}

private func signature(_ kind: String, _ bytes: [UInt8]) -> [UInt8] {
  string([14] + string(blob(kind, bytes)))
}

/// The frames of signing.md section 7, and agents that do not keep to them.
struct AgentTests {
  private let message = Array("DSSEv1 1 a 0 ".utf8)

  private func own() throws -> [UInt8] {
    blob("ssh-ed25519", try SampleKeys.first().publicKey.bytes)
  }

  private func connected(_ agent: ScriptedAgent, patience: Duration = .seconds(60)) throws
    -> AgentSigner
  {
    let name = try #require(Fingerprint(SampleKeys.firstFingerprint))
    return try AgentSigner(name, socket: agent.client, patience: patience)
  }

  @Test func `the frames are those of the protocol, and the signature is that of the key`() throws {
    let key = try SampleKeys.first()
    let made = key.sign(message)
    let other = blob("ssh-rsa", [1, 0, 1])
    let agent = try ScriptedAgent([
      keys([other, try own()]), signature("ssh-ed25519", made.bytes),
    ])
    let signer = try connected(agent)
    #expect(signer.publicKey == key.publicKey)
    #expect(try signer.verifiedSignature(of: message) == made)
    let request = [13] + string(try own()) + string(message) + number(0)
    #expect(agent.requests() == [0, 0, 0, 1, 11] + string(request))
  }

  @Test func `a key that the agent does not have is told with those that it has`() throws {
    let blobs = [blob("ssh-rsa", [1, 0, 1]), blob("sk-ssh-ed25519@openssh.com", [2])]
    let agent = try ScriptedAgent([keys(blobs)])
    let name = try #require(Fingerprint(SampleKeys.firstFingerprint))
    let offered = blobs.map { AgentKey(blob: $0, comment: "a comment") }
    #expect(offered.map(\.kind) == ["ssh-rsa", "sk-ssh-ed25519@openssh.com"])
    #expect(throws: SignerError.keyNotInAgent(name, offered: offered)) { _ = try connected(agent) }
    let empty = try ScriptedAgent([keys([])])
    #expect(throws: SignerError.keyNotInAgent(name, offered: [])) { _ = try connected(empty) }
  }

  @Test(arguments: [
    "ssh-rsa", "sk-ssh-ed25519@openssh.com", "ssh-ed25519-cert-v01@openssh.com",
    "ecdsa-sha2-nistp256",
  ])
  func `a key of another kind is refused by name`(kind: String) throws {
    let bytes = blob(kind, try SampleKeys.first().publicKey.bytes)
    let key = AgentKey(blob: bytes, comment: "a comment")
    let agent = try ScriptedAgent([keys([bytes])])
    #expect(throws: SignerError.agentKeyUnfit(key)) {
      _ = try AgentSigner(key.fingerprint, socket: agent.client, patience: .seconds(60))
    }
  }

  @Test func `a key of small order is no key, though the agent has it`() throws {
    let bytes = blob("ssh-ed25519", [1] + [UInt8](repeating: 0, count: 31))
    let key = AgentKey(blob: bytes, comment: "a comment")
    let agent = try ScriptedAgent([keys([bytes])])
    #expect(throws: SignerError.agentKeyUnfit(key)) {
      _ = try AgentSigner(key.fingerprint, socket: agent.client, patience: .seconds(60))
    }
  }

  @Test func `an agent that signs with another key, or something else, is found out`() throws {
    let name = try #require(Fingerprint(SampleKeys.firstFingerprint))
    for lie in [try SampleKeys.second().sign(message), try SampleKeys.first().sign(message + [0])] {
      let agent = try ScriptedAgent([keys([try own()]), signature("ssh-ed25519", lie.bytes)])
      let signer = try connected(agent)
      #expect(throws: KeyError.signatureDoesNotVerify(by: name)) {
        try signer.verifiedSignature(of: message)
      }
    }
  }

  @Test func `a refusal is told`() throws {
    let locked = try ScriptedAgent([[0, 0, 0, 1, 5]])
    #expect(throws: SignerError.agentRefused(.keys)) { _ = try connected(locked) }
    let agent = try ScriptedAgent([keys([try own()]), [0, 0, 0, 1, 5]])
    let signer = try connected(agent)
    #expect(throws: SignerError.agentRefused(.signature)) { try signer.sign(message) }
  }

  @Test(arguments: [
    [0, 0, 0, 0], string([6]), string([14]), string([5, 0]), string([12]),
    string([12] + number(1)), string([12] + number(1) + number(4) + [1, 2, 3]),
    string([12] + number(0x7fff_ffff)), string([12] + number(0) + [0]),
    string([12] + number(1) + string([]) + number(0x7fff_ffff)),
  ])
  func `garbage instead of the keys is refused`(answer: [UInt8]) throws {
    let agent = try ScriptedAgent([answer])
    #expect(throws: SignerError.agentAnswerMalformed(.keys)) { _ = try connected(agent) }
  }

  private static let made = [UInt8](repeating: 1, count: 64)

  @Test(arguments: [
    string([12]), string([14]), string([14] + number(9)), string([14, 0]),
    signature("ssh-ed25519", Array(made.dropLast())), signature("ssh-ed25519", made + [1]),
    signature("ssh-rsa", made), signature("sk-ssh-ed25519@openssh.com", made),
    string([14] + string(blob("ssh-ed25519", made)) + [0]),
    string([14] + string(blob("ssh-ed25519", made) + [0])),
  ])
  func `garbage instead of a signature is refused`(answer: [UInt8]) throws {
    let agent = try ScriptedAgent([keys([try own()]), answer])
    let signer = try connected(agent)
    #expect(throws: SignerError.agentAnswerMalformed(.signature)) { try signer.sign(message) }
  }

  @Test(arguments: [0x0004_0001, 0x7fff_ffff, 0xffff_ffff])
  func `the length of an answer is judged before anything is read`(length: Int) throws {
    let agent = try ScriptedAgent([number(length)])
    #expect(throws: SignerError.agentAnswerTooLong(found: length, limit: 0x40000)) {
      _ = try connected(agent)
    }
  }

  @Test func `an agent that hangs up is told, wherever it does`() throws {
    for answer in [[], [0, 0], [0, 0, 0, 9, 12, 0, 0]] as [[UInt8]] {
      let agent = try ScriptedAgent([answer], staysOpen: false)
      #expect(throws: SignerError.agentClosed(.keys)) { _ = try connected(agent) }
    }
    let agent = try ScriptedAgent([keys([try own()])], staysOpen: false)
    let signer = try connected(agent)
    #expect(throws: SignerError.agentClosed(.signature)) { try signer.sign(message) }
  }

  @Test(arguments: [[], [0, 0], [0, 0, 0, 5, 12]] as [[UInt8]])
  func `an agent that says nothing is not waited for without end`(answer: [UInt8]) throws {
    let agent = try ScriptedAgent([answer])
    #expect(throws: SignerError.agentSilent(seconds: 0)) {
      _ = try connected(agent, patience: .milliseconds(60))
    }
  }

  @Test func `the wait for a signature has no end but that of the task`() async throws {
    let agent = try ScriptedAgent([keys([try own()])])
    let client = agent.client
    let name = try #require(Fingerprint(SampleKeys.firstFingerprint))
    let message = message
    let task = Task {
      try AgentSigner(name, socket: client, patience: .seconds(60)).sign(message)
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    withExtendedLifetime(agent) {}
  }

  @Test func `an agent that always has something more to say is not read without end`() async throws
  {
    // All is there before it is asked for, so that no wait ever lasts.
    let late = try ScriptedAgent([keys([try own()])])
    #expect(throws: SignerError.agentSilent(seconds: 0)) {
      _ = try connected(late, patience: .zero)
    }
    let made = try SampleKeys.first().sign(message)
    let agent = try ScriptedAgent([keys([try own()]), signature("ssh-ed25519", made.bytes)])
    let client = agent.client
    let name = try #require(Fingerprint(SampleKeys.firstFingerprint))
    let message = message
    let task = Task {
      let signer = try AgentSigner(name, socket: client, patience: .seconds(60))
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try signer.sign(message)
    }
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    withExtendedLifetime(agent) {}
  }

  @Test func `an agent that takes no connection is not waited for without end`() throws {
    let folder = try OwnFolder()
    let path = folder.path("agent")
    let sockets = try (0..<8).map { _ in
      let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
      let number = socket(AF_UNIX, kind, 0)
      try #require(number >= 0)
      return number
    }
    defer { for socket in sockets { close(socket) } }
    try #require(call(isBind: true, sockets[0], path) == 0)
    try #require(listen(sockets[0], 0) == 0)
    // One more waits than may wait, and then none.
    let codes = sockets.dropFirst().map { call(isBind: false, $0, path) }
    #expect(codes.contains(EAGAIN))
    let name = try #require(Fingerprint(SampleKeys.firstFingerprint))
    #expect(throws: SignerError.agentSilent(seconds: 0)) {
      _ = try AgentSigner(name, agent: path, patience: .zero)
    }
  }

  /// Binds a socket to a path, or connects it; returns the error number.
  private func call(isBind: Bool, _ socket: CInt, _ path: String) -> CInt {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    return unsafe withUnsafePointer(to: address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        let result = unsafe isBind ? bind(socket, address, size) : connect(socket, address, size)
        return result == 0 ? 0 : errno
      }
    }
  }

  @Test func `what no agent takes is not sent`() throws {
    let agent = try ScriptedAgent([keys([try own()])])
    let signer = try connected(agent)
    let long = [UInt8](repeating: 0, count: 256 * 1024 - 63)
    #expect(throws: SignerError.tooLongForAgent(found: long.count, limit: 0x40000)) {
      try signer.sign(long)
    }
    #expect(agent.requests() == [0, 0, 0, 1, 11])
  }

  @Test(arguments: ["/nonexistent/agent", "/etc/hostname", "", String(repeating: "x", count: 108)])
  func `a socket at which nobody answers is told`(path: String) throws {
    let name = try #require(Fingerprint(SampleKeys.firstFingerprint))
    do {
      _ = try AgentSigner(name, agent: path)
      Issue.record("there is an agent at \(path)")
    } catch let SignerError.agentUnreachable(error) {
      #expect(error.call == "connect")
      #expect(error.path == path)
    }
  }
}
