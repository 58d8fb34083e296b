import Manifests
import ModelStore
import ReleaseSimulator
import SystemFiles
import TestSupport
import Trust
import Verification

/// A store in the folder of the running test, and a signer whom everybody trusts.
struct Bench {
  let signer: SimulatedSigner
  let policy: TrustPolicy
  let path: String
  let now: Timestamp

  init(at path: String = TemporaryFolder.path("store")) throws {
    self.path = path
    signer = try SimulatedSigner("release")
    policy = try TrustPolicy.trusting([signer])
      .adding([signer.trusted()], for: ModelPattern("*/*"), threshold: 1)
    now = try Timestamp("2026-06-01T00:00:00Z")
  }

  /// The path of the folder of `tiny`, or of what is in it.
  func place(_ name: String = "") -> String {
    "\(path)/models/tiny\(name.isEmpty ? "" : "/")\(name)"
  }

  func accepted(_ release: SimulatedRelease) throws -> AcceptedManifest {
    try policy.accept(try release.manifest(signedBy: [signer]), at: now)
  }

  func name(of release: SimulatedRelease) throws -> VersionName {
    VersionName(version: release.version, manifest: try release.digest())
  }

  func entry(of release: SimulatedRelease) throws -> VersionHistory.Entry {
    VersionHistory.Entry(version: release.version, manifest: try release.digest())
  }

  /// The path of a file of an installed version.
  func file(_ name: String, of release: SimulatedRelease) throws -> String {
    place("versions/\(try self.name(of: release).text)/files/\(name)")
  }

  /// Opens the store for reading, which must be there.
  func storeForReading() throws -> Store {
    guard let store = try Store.open(reading: path) else { throw SupportError.notStarted(path) }
    return store
  }

  /// Opens the model anew, as another process would.
  func model(_ name: String = "tiny") throws -> StoredModel {
    try Store(changing: path).modelForChanging(ModelName(name))
  }

  /// Writes the parts that a transfer would have brought.
  func fill(_ candidate: borrowing Candidate, from release: SimulatedRelease) throws {
    for index in try candidate.incompleteFiles() {
      let path = candidate.accepted.release.files[index].path.text
      try candidate.parts.replaceFile(
        "\(Candidate.transferName(index)).part",
        with: release.contents[path] ?? [],
        mode: 0o600
      )
    }
  }

  /// Seals all files, which must be right.
  func seal(_ candidate: inout Candidate) throws {
    for index in candidate.accepted.release.files.indices {
      if let problem = try candidate.seal(index, depth: .everyByte, report: { _ in true }) {
        throw FileFinding(path: "\(index)", problem: problem)
      }
    }
  }

  @discardableResult
  func publish(_ release: SimulatedRelease) throws -> VerifiedVersion {
    let model = try model(release.model.text)
    let lock = try model.lockForInstall()
    var candidate = try model.candidate(for: accepted(release), holding: lock)
    try fill(candidate, from: release)
    try seal(&candidate)
    return try model.publish(candidate, acceptedAt: now)
  }

  /// Does what an install does after the transfer.
  @discardableResult
  func install(
    _ release: SimulatedRelease,
    consent: VersionHistory.Consent = .none
  ) throws -> ActiveRecord {
    let model = try model(release.model.text)
    let version = try publish(release)
    return try model.activate(version, now: now, as: .named(consent: consent))
  }

  /// Verifies a version that is there and makes it active.
  @discardableResult
  func activate(
    _ release: SimulatedRelease,
    consent: VersionHistory.Consent = .returnToPrevious
  ) throws -> ActiveRecord {
    let model = try model()
    guard case .verified(let version) = try check(release) else {
      throw StoreError.damagedVersion(try name(of: release))
    }
    return try model.activate(version, now: now, as: .named(consent: consent))
  }

  func check(_ release: SimulatedRelease, isFull: Bool = false) throws -> VersionCheck {
    try model().check(accepted(release), now: now, isFull: isFull) { _ in true }
  }

  /// Whether the version is there and right.
  func isVerified(_ release: SimulatedRelease, isFull: Bool = true) throws -> Bool {
    guard case .verified = try check(release, isFull: isFull) else { return false }
    return true
  }

  func reconcile() throws {
    let model = try model()
    try model.reconcile(holding: model.lockForInstall(), now: now)
  }

  /// Collects with the usual rules, and returns what it says.
  @discardableResult
  func collect(
    newest: Int = 2,
    at time: Timestamp? = nil,
    _ change: (inout CollectionOptions) -> Void = { _ in }
  ) throws -> [CollectedItem] {
    var options = CollectionOptions()
    options.newestCount = newest
    change(&options)
    let store = try Store(changing: path)
    return try store.collect(try store.modelNames(), options, now: time ?? now)
  }

  func read(_ path: String) throws -> [UInt8] {
    try OpenFile(readingPlainFile: path).readAll(limit: 1 << 20)
  }

  /// Puts a new file at `path`.
  func write(_ text: String, to path: String) throws {
    try replaceFile(at: path, with: Array(text.utf8), mode: 0o600)
  }
}

extension FileFinding: Error {}
