import Manifests
package import Signatures

/// A file that is written for other tools.
package struct ExportedFile: Hashable, Sendable {
  /// What an earlier export left in its place can look like.
  package enum Kind: Hashable, Sendable {
    case document, signature, publicKey
  }

  package let name: String
  package let bytes: [UInt8]
  package let kind: Kind

  package init(_ name: String, _ bytes: [UInt8], _ kind: Kind = .document) {
    (self.name, self.bytes, self.kind) = (name, bytes, kind)
  }

  /// Whether what stands there is what an earlier export of the same kind wrote: a public key beside a signature, or a
  /// raw signature.
  func isRenewal(of document: KeptDocument) -> Bool {
    switch (kind, document) {
    case (.publicKey, .publicKey): true
    case (.signature, .rawKey): bytes.count == Signature.byteCount
    default: false
    }
  }

  /// The list of digests by itself.
  package static func checksums(_ list: ChecksumList) -> ExportedFile {
    ExportedFile(ChecksumList.name, list.bytes)
  }

  /// A signature of the list in one format, and the public key as the tool of that format reads it.
  ///
  /// `identity` is the name of the signer for OpenSSH.
  /// - Throws: What the signer throws.
  package static func signature(
    of list: ChecksumList,
    as format: ExportFormat,
    by signer: borrowing some Signer & ~Copyable,
    identity: SignerIdentity
  ) throws -> [ExportedFile] {
    let key = signer.publicKey
    switch format {
    case .minisign:
      return [
        signature(".minisig", text: try list.minisignSignature(by: signer)),
        publicKey("minisign.pub", key.minisignFile),
      ]
    case .signify:
      return [
        signature(".sig", text: try list.signifySignature(by: signer)),
        publicKey("signify.pub", key.signifyFile(name: identity.text)),
      ]
    case .ssh:
      let line = key.allowedSigner(identity.text, namespace: ChecksumList.namespace)
      return [
        signature(".sshsig", text: try list.sshSignature(by: signer)),
        publicKey("allowed_signers", line),
      ]
    case .openssl:
      return [
        ExportedFile("\(ChecksumList.name).ed25519", try list.rawSignature(by: signer), .signature),
        publicKey("pub.pem", key.pem(name: identity.text)),
      ]
    case .sha256sums, .metalink, .cyclonedx: preconditionFailure("not signed")
    }
  }

  private static func signature(_ ending: String, text: String) -> ExportedFile {
    ExportedFile(ChecksumList.name + ending, Array(text.utf8), .signature)
  }

  private static func publicKey(_ name: String, _ text: String) -> ExportedFile {
    ExportedFile(name, Array(text.utf8), .publicKey)
  }
}
