import CSodium
package import SystemFiles

/// Bytes that nobody else may learn: a passphrase, a seed, the contents of a private key file.
///
/// They lie in guarded memory: locked against swapping as far as the limits of the process allow, left out of
/// core dumps, read-only after they are made, between pages that stop a stray access, and wiped in the end.
/// The corresponding C functions are `sodium_malloc`, `sodium_mprotect_readonly` and `sodium_free`. A value
/// takes four pages of address space. It has no description. Once there is one, the process dumps no core, and no
/// other process of its user can look into it.
@safe package struct SecretBytes: ~Copyable {
  private let memory: UnsafeMutableRawPointer
  package let count: Int

  deinit { unsafe sodium_free(memory) }

  /// Makes room for `capacity` bytes, lets `fill` write to it, and keeps the count that `fill` returns.
  package init<Failure: Error>(
    capacity: Int,
    filling fill: (inout MutableSpan<UInt8>) throws(Failure) -> Int
  ) throws(Failure) {
    requireSodium()
    requirePrivateMemory()
    guard let memory = unsafe sodium_malloc(capacity) else { preconditionFailure("out of memory") }
    do {
      let bytes = unsafe memory.bindMemory(to: UInt8.self, capacity: capacity)
      var span = unsafe UnsafeMutableBufferPointer(start: bytes, count: capacity).mutableSpan
      count = try fill(&span)
    } catch {
      unsafe sodium_free(memory)
      throw error
    }
    precondition(count <= capacity, "the bytes fit in their room")
    let status = unsafe sodium_mprotect_readonly(memory)
    precondition(status == 0, "memory of our own can be protected")
    unsafe self.memory = memory
  }

  /// Takes the bytes of an array and wipes it.
  package init(wiping bytes: inout [UInt8]) {
    self.init(copying: bytes.span)
    wipe(&bytes)
  }

  /// Copies bytes that somebody else wipes.
  package init(copying bytes: Span<UInt8>) {
    self.init(capacity: bytes.count) { room in
      for index in bytes.indices { room[index] = bytes[index] }
      return bytes.count
    }
  }

  /// Reads a file or pipe from its position to its end, past no other memory.
  ///
  /// - Throws: ``KeyError/tooLong(limit:)`` for more than `limit` bytes.
  package init(reading file: borrowing OpenFile, limit: Int) throws(KeyError) {
    try self.init(capacity: limit + 1) { room throws(KeyError) in
      let count: Int
      do throws(SystemError) {
        count = try file.readNext(into: &room)
      } catch {
        throw .unreadable(error)
      }
      guard count <= limit else { throw .tooLong(limit: limit) }
      return count
    }
  }

  /// Lends the bytes, which must not be copied to memory that is not wiped.
  package func withBytes<Value: ~Copyable, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let bytes = unsafe UnsafeRawBufferPointer(start: memory, count: count)
    return try body(unsafe bytes.bindMemory(to: UInt8.self).span)
  }

  /// Whether two secrets are the same, in a time that depends on their lengths only.
  package func isEqual(to other: borrowing SecretBytes) -> Bool {
    guard count == other.count else { return false }
    return unsafe sodium_memcmp(memory, other.memory, count) == 0
  }
}
