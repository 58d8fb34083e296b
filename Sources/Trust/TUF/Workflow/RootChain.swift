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

  /// Whether one root leads to the other, whichever of them is the older one, over these that may lie between.
  ///
  /// - Throws: ``MetadataRefusal``, for a root that is none.
  package static func connects(
    _ one: [UInt8],
    _ other: [UInt8],
    over between: [[UInt8]]
  ) throws(MetadataRefusal) -> Bool {
    for (pin, wanted) in [(one, other), (other, one)] {
      let chain = try RootChain(pin: pin, chain: between + [wanted])
      if chain.roots.contains(where: { $0.bytes == wanted }) { return true }
    }
    return false
  }

  /// The root whose keys count now; it may have expired.
  package let newest: SignedRoot
}
