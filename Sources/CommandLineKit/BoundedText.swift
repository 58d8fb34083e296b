/// Takes a text for people as it was typed, if it has at most `limit` bytes.
///
/// It is kept and printed again and again, so nobody should be able to make it endless.
package func parseText(_ text: String, upTo limit: Int) throws(UsageError) -> String {
  guard text.utf8.count <= limit else {
    throw UsageError(
      "it is longer than \(groupedText(limit)) bytes",
      notes: ["it has \(groupedText(text.utf8.count))"],
      helps: ["say it shorter"]
    )
  }
  return text
}

/// The most bytes of a name that a person gives.
package let longestName = 200

/// The most bytes of a reason that a person gives.
package let longestReason = 1_000
