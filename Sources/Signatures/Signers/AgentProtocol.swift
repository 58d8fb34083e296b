/// The messages of the SSH agent protocol (draft-ietf-sshm-ssh-agent), as far as signing needs them.
///
///     message   = uint32 length ‖ byte type ‖ contents
///     keys      = 11                                       -> 12 ‖ uint32 n ‖ n × (string blob ‖ string comment)
///     signature = 13 ‖ string blob ‖ string data ‖ uint32 0 -> 14 ‖ string (string "ssh-ed25519" ‖ string 64 bytes)
///                                                          -> 5 if the agent refuses
package enum AgentProtocol {
  /// The most bytes that OpenSSH's agent takes or gives as one message, without its length.
  static let limit = 256 * 1024

  private static let refusal: UInt8 = 5
  private static let keysAnswer: UInt8 = 12
  private static let signatureAnswer: UInt8 = 14

  static let keysRequest = wireString([11])

  /// The request for a signature over `data`; nil if it is longer than agents take.
  static func signatureRequest(_ key: PublicKey, _ data: [UInt8]) -> [UInt8]? {
    let contents = [13] + wireString(key.openSSHBlob) + wireString(data) + wireNumber(0)
    return contents.count <= limit ? wireString(contents) : nil
  }

  /// Reads the answer to the request for keys.
  package static func keys(_ answer: [UInt8]) throws(SignerError) -> [AgentKey] {
    let contents = try contents(of: answer, .keys, type: keysAnswer)
    var reader = WireReader()
    guard let count = reader.number(in: contents.span) else { throw .agentAnswerMalformed(.keys) }
    var keys: [AgentKey] = []
    for _ in 0..<count {
      guard let blob = reader.string(in: contents.span),
        let comment = reader.string(in: contents.span)
      else { throw .agentAnswerMalformed(.keys) }
      keys.append(
        AgentKey(
          blob: Array(contents[blob]),
          comment: String(decoding: contents[comment], as: UTF8.self)
        )
      )
    }
    guard reader.offset == contents.count else { throw .agentAnswerMalformed(.keys) }
    return keys
  }

  /// Reads the answer to the request for a signature.
  package static func signature(_ answer: [UInt8]) throws(SignerError) -> Signature {
    let contents = try contents(of: answer, .signature, type: signatureAnswer)
    var outer = WireReader()
    guard let place = outer.string(in: contents.span), outer.offset == contents.count else {
      throw .agentAnswerMalformed(.signature)
    }
    let body = Array(contents[place])
    var reader = WireReader()
    guard reader.literal(wireString(PublicKey.openSSHKind.utf8), in: body.span),
      let bytes = reader.string(in: body.span), reader.offset == body.count,
      let signature = Signature(bytes: body[bytes])
    else { throw .agentAnswerMalformed(.signature) }
    return signature
  }

  private static func contents(
    of answer: [UInt8],
    _ request: SignerError.Request,
    type: UInt8
  ) throws(SignerError) -> [UInt8] {
    if answer == [refusal] { throw .agentRefused(request) }
    guard answer.first == type else { throw .agentAnswerMalformed(request) }
    return Array(answer.dropFirst())
  }
}
