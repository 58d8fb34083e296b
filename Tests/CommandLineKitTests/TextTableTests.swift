import CommandLineKit
import Testing

@Suite struct TextTableTests {
  @Test func `columns are aligned and lines have no space at their end`() {
    var table = TextTable(["MODEL", "SIZE", "STATE"], alignments: [.left, .right, .left])
    table.append(["lfm2-2.6b", "1.5 GiB", "active"])
    table.append(["a", "37 B", ""])
    #expect(
      table.lines == [
        "MODEL         SIZE  STATE",
        "lfm2-2.6b  1.5 GiB  active",
        "a             37 B",
      ]
    )
  }

  @Test func `wide, combined and hidden characters keep the columns straight`() {
    var table = TextTable(columns: [.left, .left])
    table.append(["日本", "1"])
    table.append(["e\u{301}", "2"])
    table.append(["\u{1B}[1m\n", "3"])
    #expect(
      table.lines == ["日本            1", "e\u{301}               2", "\\u{1b}[1m\\u{a}  3"]
    )
  }
}
