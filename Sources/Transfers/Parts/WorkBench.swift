import Digests

/// What a worker keeps between its jobs.
struct WorkBench: ~Copyable {
  /// Bytes that are read from disk to be hashed.
  var block: [UInt8] = []
  /// What tags the chunks that are to be read back; nil where libcrypto cannot.
  let tagger: TagMaker?

  init(_ key: TagKey) { tagger = TagMaker(key) }
}
