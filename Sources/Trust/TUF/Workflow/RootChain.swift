/// The roots to which a pinned root leads, each signed by the one before it.
package struct RootChain: Sendable {
  /// The roots in the order of their versions, the pinned one first.
  package let roots: [SignedRoot]

  /// Walks from the pinned root over stored ones, which may come in any order.
  ///
  /// Stored roots that do not follow one another are left aside: the walk on the network brings them again. A pin that is
  /// newer than stored roots wins.
  /// - Throws: ``MetadataRefusal``, only for the pin.
  package init(
    pin: [UInt8],
    chain: [[UInt8]],
    limits: MetadataLimits = .standard
  ) throws(MetadataRefusal) {
    var roots = [try RootRule.acceptPin(pin, limits: limits)]
    var later: [Int: SignedRoot] = [:]
    for bytes in chain {
      do throws(MetadataRefusal) {
        let root = try SignedRoot(parsing: bytes, as: .root, limit: limits.root)
        later[root.version] = root
      } catch { continue }
    }
    var newest = roots[0]
    while newest.version < Int.max, let next = later[newest.version + 1] {
      do throws(MetadataRefusal) { newest = try RootRule.accept(next, after: newest) } catch {
        break
      }
      roots.append(newest)
    }
    (self.roots, self.newest) = (roots, newest)
  }

  /// Whether a pinned root leads to another one, over these that may lie between.
  ///
  /// Forward only: nobody vouches for an older root. Whoever makes one up chooses its keys, so that it leads to whatever
  /// they like; and a genuine one has keys that count no more.
  /// - Throws: ``MetadataRefusal``, only for the pin.
  package static func leads(
    from pin: [UInt8],
    to other: [UInt8],
    over between: [[UInt8]]
  ) throws(MetadataRefusal) -> Bool {
    try RootChain(pin: pin, chain: between + [other]).roots.contains { $0.bytes == other }
  }

  /// The root whose keys count now; it may have expired.
  package let newest: SignedRoot
}
