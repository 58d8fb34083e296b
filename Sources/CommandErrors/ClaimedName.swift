/// Returns what a signature calls its key, in words where it says nothing.
///
/// It proves nothing, and the text around it has to say so.
package func claimedName(_ keyID: String) -> String {
  keyID.isEmpty ? "a key without a name" : keyID
}
