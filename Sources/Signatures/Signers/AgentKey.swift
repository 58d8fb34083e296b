import Digests

/// A key that an agent offers; what it says of it is not proven.
package struct AgentKey: Hashable, Sendable {
  /// The public key in the form of OpenSSH, of whatever kind.
  package let blob: [UInt8]
  /// The agent's name for the key: any text at all.
  package let comment: String

  package init(blob: [UInt8], comment: String) { (self.blob, self.comment) = (blob, comment) }

  /// The kind as OpenSSH names it, such as `ssh-rsa`; nil for what names none.
  package var kind: String? {
    var reader = WireReader()
    return reader.string(in: blob.span).flatMap { openSSHKeyKind(blob[$0]) }
  }

  /// The fingerprint, which OpenSSH has for keys of every kind.
  package var fingerprint: Fingerprint { Fingerprint(ofOpenSSHBlob: blob) }
}
