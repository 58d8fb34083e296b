import SystemFiles

/// The names of everything in a store; ``StoreKind`` has the permission bits.
///
///     <store>/                          0700 where it is one user's
///       STORE.json                      says that this is a store, and its format
///       store.lock                      shared by all who change something; proves that locks work
///       floors/<model>.json             the downgrade floor; outlives removal
///       repositories/<name>/            what is known of a repository, whose format is that of `Repositories`
///       models/<model>/                 `/` in a model's name is written `+`
///         install.lock  state.lock      never removed: held for a download, held for a moment
///         active.json                   the only authority on which version is active
///         bad.json  pins.json           versions that failed, with reasons; versions that stay
///         current -> versions/<name>/files     derived from the record
///         versions/                     with CACHEDIR.TAG: bytes that can be fetched again
///           <name>/                     <version>-<16 digits of the manifest digest>, 0555
///             manifest.json             the envelope that was accepted, byte for byte
///             files/                    the release and nothing else, 0444
///         manifests/<name>.json         the same envelope where backups find it
///         stamps/<name>.json            what was verified, file by file
///         leases/<name>                 locked by those who use the version
///         staging/<name>/               a candidate: a version that is being fetched or checked
///           CACHEDIR.TAG
///           journal.json  progress      what is being done with it, and how far it is
///           parts/<number>.part         bytes that nobody has verified yet
///           tree/                       the future version folder
///         trash/                        with CACHEDIR.TAG: versions on their way out
///           <name>                      removed by a person, and kept for a day
///           <name>.replaced.<32 digits> what a repair found in the place of the right files, kept for a day
///           <name>.<32 digits>          deleted by the next process that finds it
enum StoreLayout {
  static let format = "sealift.store/1"

  static let storeFile = "STORE.json"
  static let storeLock = "store.lock"
  static let models = "models"
  static let floors = "floors"
  static let repositories = "repositories"

  static let installLock = "install.lock"
  static let stateLock = "state.lock"
  static let activeRecord = "active.json"
  static let badVersions = "bad.json"
  static let pins = "pins.json"
  static let currentLink = "current"
  static let versions = "versions"
  static let manifests = "manifests"
  static let stamps = "stamps"
  static let leases = "leases"
  static let staging = "staging"
  static let trash = "trash"

  static let manifest = "manifest.json"
  static let files = "files"
  static let journal = "journal.json"
  static let progress = "progress"
  static let parts = "parts"
  static let tree = "tree"
  /// In what a repair took out of a version: what stood in the place of the folder of the files.
  static let odd = "odd"
  static let cacheTag = "CACHEDIR.TAG"

  /// The first line that tells backup programs to pass over a folder (bford.info/cachedir).
  static let cacheTagText = "Signature: 8a477f597d28d172789f06886806bc55\n"
  /// The extended attribute that tells backup programs the same (freedesktop.org).
  static let backupAttribute = "user.xdg.robots.backup"

  /// The most bytes of a record, a floor or a store file.
  static let recordLimit = 64 * 1024
  /// The most bytes of a stamp: 100,000 files with long names.
  static let stampLimit = 256 << 20
  /// The bytes that a commit needs besides the model files.
  static let reservedBytes = 64 * 1024
  /// How long a version that a person removed can be had back, in seconds.
  static let removalGrace = 24 * 60 * 60

  /// What the names end in, before their digits, under which a repair keeps what it took out of a version.
  private static let replaced = ".replaced"

  /// A new name in the trash for what a repair takes out of a version.
  static func replacedName(of version: VersionName) -> String {
    "\(version.text)\(replaced).\(randomName())"
  }

  /// Whether the entry of the trash is what a repair took out of a version.
  static func isReplaced(_ entry: String) -> Bool {
    let stem = String(entry.dropLast(33))
    return stem.utf8.count + 33 == entry.utf8.count && isTemporary(entry, of: stem)
      && stem.hasSuffix(replaced) && VersionName(String(stem.dropLast(replaced.count))) != nil
  }

  /// Whether `entry` is what a killed process left while it replaced `name`.
  static func isTemporary(_ entry: String, of name: String) -> Bool {
    isTemporaryName(entry, of: name)
  }
}
