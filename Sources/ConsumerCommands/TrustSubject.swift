import CommandErrors
import CommandLineKit
import Digests
import Installing
import Manifests
import ModelStore
import Signatures
import Trust

/// What a withdrawal is about, as it is typed.
enum TrustSubject {
  case key(Fingerprint)
  /// The digest of the payload of a manifest.
  case digest(SHA256Digest)
  /// A manifest in a file.
  case file(String)
  /// The manifest of a version that is installed.
  case version(VersionReference)

  /// Reads a fingerprint, 64 hexadecimal digits, the path of a manifest, or `MODEL@VERSION`.
  ///
  /// A path starts with `/`, `./` or `../`, or ends with `.json`, as for `install`.
  init(_ text: String) throws {
    if let key = Fingerprint(text) {
      self = .key(key)
    } else if let digest = SHA256Digest(hex: text) {
      self = .digest(digest)
    } else {
      do { self = try Self.manifest(text) } catch let error as ManifestError {
        throw UsageError(
          "\(quoted(text)) is neither a key nor a manifest",
          notes: ["read as MODEL@VERSION: \(error.text)"],
          helps: [
            "a key is a fingerprint SHA256:..., as trust list shows it",
            "a manifest is a path that starts with ./ or ends with .json, 64 digits of 0-9 and a-f, or MODEL@VERSION",
          ]
        )
      }
    }
  }

  private static func manifest(_ text: String) throws -> TrustSubject {
    switch try InstallTarget(text) {
    case .manifest(.file(let path)): .file(path)
    case .manifest(.url):
      throw UsageError(
        "\(quoted(text)) is a URL",
        helps: ["fetch the manifest, and name the file"]
      )
    case .model: .version(try VersionReference(text))
    }
  }
}

/// A key or a manifest that is, or was, withdrawn.
enum Withdrawal {
  case key(Fingerprint)
  case manifest(SHA256Digest)

  /// Finds out which manifest a subject stands for; its signers do not matter.
  init(_ subject: TrustSubject, _ client: Client) async throws {
    switch subject {
    case .key(let key): self = .key(key)
    case .digest(let digest): self = .manifest(digest)
    case .file(let path):
      let bytes = try await ManifestSource.file(path).envelope(client.fetchOptions())
      self = .manifest(try Envelope(parsing: bytes).payloadDigest)
    case .version(let reference):
      let model = try client.store(having: reference.model).model(reference.model)
      self = .manifest(try model.versionName(reference.version).manifestDigest(in: model))
    }
  }

  func withdrawn(from policy: TrustPolicy, reason: String) -> TrustPolicy {
    switch self {
    case .key(let key): policy.withdrawing(key, reason: reason)
    case .manifest(let digest): policy.withdrawing(digest, reason: reason)
    }
  }

  func restored(to policy: TrustPolicy) throws -> TrustPolicy {
    switch self {
    case .key(let key): try policy.restoring(key)
    case .manifest(let digest): try policy.restoring(digest)
    }
  }

  /// The name of the member for programs, and its text.
  var member: (name: String, text: String) {
    switch self {
    case .key(let key): ("fingerprint", key.description)
    case .manifest(let digest): ("manifestSha256", digest.hex)
    }
  }

  var words: String {
    switch self {
    case .key(let key): "the key \(key)"
    case .manifest(let digest): "the manifest with SHA-256 \(digest)"
    }
  }
}

extension VersionName {
  /// The whole digest of the manifest, of which the name holds the start.
  fileprivate func manifestDigest(in model: borrowing StoredModel) throws -> SHA256Digest {
    try Envelope(parsing: try model.manifest(of: self).envelope).payloadDigest
  }
}
