package import Signatures
package import SystemFiles

/// The keys in a folder as their files say in the clear: no passphrase is asked for, and nothing is opened.
package struct KeyListing: Sendable {
  /// A file with a key, or what should be one.
  package struct Entry: Sendable {
    package let path: String
    /// Whose key it is; nil where only the passphrase would tell.
    package let fingerprint: Fingerprint?
    /// The public half, where the file or the one beside it holds it.
    package let publicKey: PublicKey?
    /// What protects a private key; nil for a public one.
    package let protection: PrivateKeyFile.Protection?
    package fileprivate(set) var findings: [KeyFinding]
  }

  /// The keys by the bytes of their names.
  package let entries: [Entry]
  /// What is wrong with the folder itself.
  package let findings: [KeyFinding]

  /// Looks at the plain files of the folder at `path`, not at those of folders in it.
  ///
  /// A file that holds no key is left out unless its name ends in `.key` or `.pub`.
  /// - Throws: `SystemError` if the folder cannot be read.
  package init(folder path: String) throws(SystemError) {
    let folder = try Folder(path: path)
    let mode = try folder.status().mode
    // In a sticky folder nobody exchanges the files of others.
    findings = mode & 0o022 != 0 && mode & 0o1000 == 0 ? [.openFolder(mode: mode)] : []
    var entries: [Entry] = []
    for name in try folder.entries().map(\.name) {
      let place = joined(path, name)
      guard try Folder.kind(at: place) == .file else { continue }
      if let entry = Entry(name, at: place) { entries.append(entry) }
    }
    self.entries = entries
  }
}

extension KeyListing.Entry {
  /// Reads a file; nil if it holds no key and is not called so.
  fileprivate init?(_ name: String, at path: String) {
    do throws(KeyError) {
      self.init(path, publicKey: try PublicKey(statedFile: path))
    } catch {
      if error.isAboutPrivateKey {
        self.init(private: name, at: path)
      } else if ["key", "pub"].contains(where: {
        name.utf8.reversed().starts(with: ".\($0)".utf8.reversed())
      }) {
        self.init(path, findings: [.unreadable(error)])
      } else {
        return nil
      }
    }
  }

  private init(
    _ path: String,
    fingerprint: Fingerprint? = nil,
    publicKey: PublicKey? = nil,
    protection: PrivateKeyFile.Protection? = nil,
    findings: [KeyFinding] = []
  ) {
    self.path = path
    self.fingerprint = fingerprint ?? publicKey?.fingerprint
    self.publicKey = publicKey
    self.protection = protection
    self.findings = findings
  }

  private init(private name: String, at path: String) {
    var findings: [KeyFinding] = []
    do throws(KeyError) {
      _ = try PrivateKeyFile(path: path)
    } catch {
      switch error {
      case .exposed(_, let mode): findings = [.exposed(mode: mode)]
      case .foreign(_, let owner, _): findings = [.foreign(owner: owner)]
      default: break
      }
    }
    do throws(KeyError) {
      let file = try PrivateKeyFile(path: path, allowingInsecurePermissions: true)
      if case .passphrase(let derivation?) = file.protection, derivation.isWeak {
        findings.append(.weak(derivation, file.form))
      }
      if isLeftOver(name) { findings.append(.leftOver) }
      let companion = try KeyIdentity.publicKey(beside: path)
      if let companion, let named = file.namedKey, named != companion.key.fingerprint {
        findings.append(
          .otherPublicKey(path: companion.path, expected: named, found: companion.key.fingerprint)
        )
        self.init(path, fingerprint: named, protection: file.protection, findings: findings)
      } else {
        self.init(
          path,
          fingerprint: file.namedKey,
          publicKey: companion?.key,
          protection: file.protection,
          findings: findings
        )
      }
    } catch {
      self.init(path, findings: findings + [.unreadable(error)])
    }
  }
}

/// Whether a name is one under which a file is written that is to replace another.
private func isLeftOver(_ name: String) -> Bool {
  let count = name.utf8.count - 33
  return count > 0 && isTemporaryName(name, of: String(Substring(name.utf8.prefix(count))))
}
