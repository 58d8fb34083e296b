/// The first systems that load a version of the Core ML specification.
enum CoreMLReleases {
  struct Row: Equatable {
    let specification: Int
    let iOS: String
    let macOS: String
  }

  static let rows: [Row] = [
    Row(specification: 1, iOS: "11", macOS: "10.13"),
    Row(specification: 2, iOS: "11.2", macOS: "10.13.2"),
    Row(specification: 3, iOS: "12", macOS: "10.14"),
    Row(specification: 4, iOS: "13", macOS: "10.15"),
    Row(specification: 5, iOS: "14", macOS: "11"),
    Row(specification: 6, iOS: "15", macOS: "12"),
    Row(specification: 7, iOS: "16", macOS: "13"),
    Row(specification: 8, iOS: "17", macOS: "14"),
    Row(specification: 9, iOS: "18", macOS: "15"),
    Row(specification: 10, iOS: "26", macOS: "26"),
  ]

  static let newest = 10

  static func row(_ specification: Int) -> Row? {
    rows.first { $0.specification == specification }
  }

  /// The specification that brought a set of operators: `CoreML5` came with version 6.
  static func specification(ofOpset name: String) -> Int? {
    guard name.utf8.starts(with: "CoreML".utf8), let number = Int(name.dropFirst(6)),
      (3...9).contains(number)
    else { return nil }
    return number + 1
  }
}
