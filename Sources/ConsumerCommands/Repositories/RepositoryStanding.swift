import CommandErrors
import CommandLineKit
import Manifests
import Repositories
import Trust

/// What is known of a repository on this machine, and since when it is not current any more.
struct RepositoryStanding {
  let name: RepositoryName
  /// When each role expires; nil where it was never asked, or where nothing of it can be read.
  private let expiries: [KeptExpiries.Expiry]?
  /// Whether something is kept of it by which nothing can be decided.
  private let isDamaged: Bool
  private let now: Timestamp

  init(_ repository: PinnedRepository, _ client: Client, now: Timestamp) {
    (name, self.now) = (repository.name, now)
    expiries = Self.expiries(of: repository, client, now)
    isDamaged = client.reservation(of: repository).isDamaged
  }

  private static func expiries(
    of repository: PinnedRepository,
    _ client: Client,
    _ now: Timestamp
  ) -> [KeptExpiries.Expiry]? {
    do {
      guard let folder = try client.stateFolder(of: repository.name) else { return nil }
      if let kept = try KeptExpiries.read(of: repository, in: folder) { return kept }
      return try repository.follower([], client.fetchOptions())
        .stored(folder, now: now, ignoringExpiry: true).metadata.expiries
    } catch {
      return nil
    }
  }

  /// The first role that has expired, and when; nil while all is current.
  var stale: (role: RoleName, since: Timestamp)? {
    expiries?.filter { $0.time <= now }.min { $0.time < $1.time }
      .map { (role: $0.role, since: $0.time) }
  }

  /// When the first of the roles expires.
  var end: (role: RoleName, time: Timestamp)? {
    expiries?.min { $0.time < $1.time }
  }

  /// How current it is, in one line.
  var words: String {
    if isDamaged { return "damaged, so that nothing of it is accepted: sealift repo update" }
    guard let end else { return "not asked yet: sealift repo update" }
    if let stale { return "stale since \(stale.since), when \(stale.role) expired" }
    return "current until \(end.time)"
  }

  /// The same, to tell beside a failure to ask it.
  var knowledge: String {
    end == nil && !isDamaged
      ? "nothing is known of it here yet" : "what is known of it here is \(words)"
  }

  /// Warns of metadata that is stale: what was withdrawn since is not known.
  func warnIfStale(_ console: Console) {
    guard let stale else { return }
    console.warn(
      Diagnostic(
        .notAccepted,
        kind: .metadataExpired,
        "what is known of the repository \(name) is stale since \(stale.since), when \(stale.role) expired",
        notes: [
          "the clock here says \(now)",
          "what was withdrawn since is not known; installed models keep working",
        ],
        helps: ["sealift repo update \(name) asks it again"]
      )
    )
  }
}
