package import Manifests
package import Signatures

/// The file `SHA256SUMS` of a release: the one text that is signed for other tools.
///
/// It is always made here from a manifest, so that a key never signs bytes that somebody else chose. What else a key of
/// ours signs is told apart from it: DSSE begins with `DSSEv1 ` and SSHSIG with `SSHSIG`, where the list begins with a
/// hexadecimal digit; minisign's two are a hash of 64 bytes, shorter than any line of the list, and a signature of 64
/// bytes with the trusted comment that is made here.
package struct ChecksumList: Equatable, Sendable {
  /// The namespace of signatures in the form of OpenSSH.
  package static let namespace = "sealift"
  package static let name = "SHA256SUMS"

  /// The lines that `sha256sum -c` reads, in the order of the bytes of the paths.
  package let bytes: [UInt8]
  /// What a trusted comment says about it.
  private let subject: String

  /// Lists the files of a release.
  package init(_ envelope: Envelope) throws(ManifestError) {
    let release = try envelope.release()
    let lines = release.files.map { "\($0.sha256)  \($0.path)\n" }
    bytes = Array(lines.joined().utf8)
    subject = "\(release.model) \(release.version) manifest sha256:\(envelope.payloadDigest)"
  }

  /// Signs the list for minisign; the trusted comment names the release and its manifest.
  package func minisignSignature(by signer: borrowing some Signer & ~Copyable) throws -> String {
    try MinisignSignature(of: bytes, by: signer, trustedComment: subject).text
  }

  /// Signs the list for signify.
  package func signifySignature(by signer: borrowing some Signer & ~Copyable) throws -> String {
    try SignifySignature(of: bytes, by: signer).text
  }

  /// Signs the list for `ssh-keygen -Y verify -n sealift`.
  package func sshSignature(by signer: borrowing some Signer & ~Copyable) throws -> String {
    try SSHSignature(of: bytes, by: signer, namespace: Self.namespace).text
  }

  /// Signs the list for `openssl pkeyutl -verify -rawin`: 64 bytes.
  package func rawSignature(by signer: borrowing some Signer & ~Copyable) throws -> [UInt8] {
    try signer.verifiedSignature(of: bytes).bytes
  }
}
