import CSodium
import SystemFiles

/// `sodium_init`, once for the process.
private let isSodiumReady = sodium_init() >= 0

/// Stands at the start of whatever calls libsodium.
func requireSodium() {
  precondition(isSodiumReady, "libsodium is not available")
}

/// `keepMemoryPrivate`, once for the process.
private let isMemoryPrivate: Bool = {
  keepMemoryPrivate()
  return true
}()

/// Stands before whatever takes a secret into memory, in the first place where that is still unguarded.
package func requirePrivateMemory() { _ = isMemoryPrivate }

/// Overwrites an array that held a secret, in a way that is not optimised away.
///
/// The array must be the only reference to its storage, as one is that was never assigned elsewhere. The
/// corresponding C function is `sodium_memzero`.
package func wipe(_ bytes: inout [UInt8]) {
  unsafe bytes.withUnsafeMutableBytes { buffer in
    if let start = buffer.baseAddress { unsafe sodium_memzero(start, buffer.count) }
  }
  bytes = []
}
