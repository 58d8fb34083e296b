import Manifests
import Testing

/// What programs print about themselves.
struct RuntimeProbeTests {
  @Test(
    arguments: [
      ("version: 10393 (b5c2f6b)\nbuilt with cc for x86_64\n", "10393 (b5c2f6b)"),
      (
        "load_backend: loaded CPU backend\nversion: 0.2.0-dev (build 10573, commit abc)\n",
        "0.2.0-dev (build 10573, commit abc)"
      ),
      ("ollama version is 0.30.0\n", "0.30.0"),
      ("Warning: could not connect\nWarning: client version is 0.30.1\n", "0.30.1"),
      ("ProductName: macOS\nProductVersion: 26.1\n", "26.1"), ("26.1\r\n", "26.1"),
      ("2026.4.1-22982-abc\n", "2026.4.1-22982-abc"), ("b10573-abc\n", "b10573-abc"),
      ("version: 0 (unknown)\n", nil), ("version: b0-unknown\n", nil), ("no idea\n", nil),
      ("", nil),
    ] as [(String, String?)]
  )
  func `the line with the version is found`(output: String, version: String?) {
    #expect(RuntimeStatement.version(inOutput: Array(output.utf8)) == version)
  }

  @Test(
    arguments: [
      ("llama-server", "llama.cpp"), ("llama-cli", "llama.cpp"), ("ollama", "ollama"),
      ("bash", nil),
    ] as [(String, String?)]
  )
  func `some programs are known by their names`(program: String, runtime: String?) {
    #expect(RuntimeStatement.runtime(ofProgram: program)?.text == runtime)
  }

  @Test(
    arguments: [
      ("10393 (abc)", "b10394", .tooOld),
      ("0.2.0-dev (build 10573, commit abc)", "b10394", .satisfied),
      ("version: 10393 (abc)", "b10394", .tooOld), ("b0-unknown", "b6096", .undetermined),
      ("0", "b6096", .undetermined), ("", "b6096", .undetermined),
    ] as [(String, String, RuntimeState)]
  )
  func `what a probe states is judged as what a person states`(
    version: String,
    minimum: String,
    state: RuntimeState
  ) throws {
    let name = try RuntimeName("llama.cpp")
    let requirement = try RuntimeRequirement(name: name, scheme: .build, minimum: minimum)
    #expect(requirement.state(given: [RuntimeStatement(name: name, version: version)]) == state)
  }
}
