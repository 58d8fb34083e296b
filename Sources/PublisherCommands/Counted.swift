import CommandLineKit

/// Returns `count` with its noun: `1 file`, `1,234 files`.
func counted(_ count: Int, _ noun: String) -> String {
  "\(groupedText(count)) \(noun)\(count == 1 ? "" : "s")"
}
