/// The names and permission bits of everything in a store.
///
///     <store>/                          0700
///       STORE.json                      says that this is a store, and its format
///       floors/<model>.json             the downgrade floor; outlives removal
///       models/<model>/                 `/` in a model's name is written `+`
///         install.lock  state.lock      never removed: held for a download, held for a moment
///         active.json                   the only authority on which version is active
///         current -> versions/<name>/files     derived from it
///         versions/<name>/              <version>-<16 digits of the manifest digest>, 0555
///           manifest.json               the envelope that was accepted, byte for byte
///           files/                      the release and nothing else, 0444
///         stamps/<name>.json            what was verified, file by file
///         staging/<name>/               a candidate: a version that is being fetched or checked
///           CACHEDIR.TAG
///           parts/<number>.part         bytes that nobody has verified yet
///           tree/                       the future version folder
///         trash/                        versions on their way out
enum StoreLayout {
  static let format = "sealift.store/1"

  static let storeFile = "STORE.json"
  static let models = "models"
  static let floors = "floors"

  static let installLock = "install.lock"
  static let stateLock = "state.lock"
  static let activeRecord = "active.json"
  static let currentLink = "current"
  static let versions = "versions"
  static let stamps = "stamps"
  static let staging = "staging"
  static let trash = "trash"

  static let manifest = "manifest.json"
  static let files = "files"
  static let parts = "parts"
  static let tree = "tree"
  static let cacheTag = "CACHEDIR.TAG"

  /// The first line that tells backup programs to pass over a folder (bford.info/cachedir).
  static let cacheTagText = "Signature: 8a477f597d28d172789f06886806bc55\n"

  static let privateFolder: UInt32 = 0o700
  static let privateFile: UInt32 = 0o600
  static let publishedFolder: UInt32 = 0o555
  static let publishedFile: UInt32 = 0o444

  /// The most bytes of a record, a floor or a store file.
  static let recordLimit = 64 * 1024
  /// The most bytes of a stamp: 100,000 files with long names.
  static let stampLimit = 256 << 20
  /// The bytes that a commit needs besides the model files.
  static let reservedBytes = 64 * 1024

  /// Whether `entry` is what a killed process left while it replaced `name`.
  ///
  /// Temporary names are the final name, a dot and 32 random digits.
  static func isTemporary(_ entry: String, of name: String) -> Bool {
    entry.utf8.starts(with: "\(name).".utf8) && entry.utf8.count == name.utf8.count + 33
  }
}
