/// What a worker keeps between its jobs.
struct WorkBench: ~Copyable {
  /// Bytes that are read from disk to be hashed.
  var block: [UInt8] = []
}
