import SystemFiles
import Testing

/// Asking a program what it is.
struct ProgramOutputTests {
  private func output(
    _ script: String,
    milliseconds: Int = 20_000
  ) throws(ProgramOutput.Failure) -> String {
    let output = try ProgramOutput(
      of: "/bin/sh",
      ["-c", script],
      environment: ["WORD=there"],
      milliseconds: milliseconds
    )
    return String(decoding: output.bytes, as: UTF8.self)
  }

  @Test func `both outputs are kept, and only the given environment is there`() throws {
    #expect(try output("echo one; echo two >&2") == "one\ntwo\n")
    #expect(try output("echo $WORD$HOME; cat") == "there\n")
  }

  @Test func `a program that goes on is ended when the time is over`() {
    #expect(throws: ProgramOutput.Failure.timeout) {
      _ = try output("echo early; exec sleep 600", milliseconds: 300)
    }
    #expect(throws: ProgramOutput.Failure.timeout) {
      _ = try output("exec >&- 2>&-; exec sleep 600", milliseconds: 300)
    }
  }

  @Test func `of endless output only the beginning is kept`() throws {
    #expect(try output("while :; do echo 0123456789; done").utf8.count == ProgramOutput.maximumSize)
  }

  @Test func `a program that is not there is told`() {
    #expect(throws: ProgramOutput.Failure.self) {
      _ = try ProgramOutput(of: "/nonexistent", [], environment: [], milliseconds: 1_000)
    }
  }
}
