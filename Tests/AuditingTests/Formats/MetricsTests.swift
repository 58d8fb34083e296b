import Auditing
import TestSupport
import Testing

struct MetricsTests {
  private func lines(of scene: ReportScene) throws -> [String] {
    String(decoding: MetricsReport(try scene.report()).bytes, as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }

  @Test(
    .temporaryFolder,
    .enabled(if: PythonEnvironment.isThere, PythonEnvironment.notice)
  )
  func `the parser of Prometheus reads back every family with its type, and every label`()
    async throws
  {
    let script = """
      from prometheus_client.parser import text_string_to_metric_families
      for name in files("prom"):
          seen = set()
          for family in text_string_to_metric_families(open(name, encoding="utf-8", newline="").read()):
              if not family.documentation or not family.name.startswith("sealift_audit_"):
                  print(name, family.name)
              if family.type != ("counter" if family.name == "sealift_audit_bytes_hashed" else "gauge"):
                  print(name, family.name, family.type)
              for sample in family.samples:
                  key = (sample.name, tuple(sorted(sample.labels.items())))
                  if key in seen: print(name, "twice", key)
                  seen.add(key)
                  if name == "hostile.prom" and sample.name == "sealift_audit_info":
                      print(sample.labels["machine"])
      """
    let found = try await FormatJudge.judge(script, ending: "prom") { MetricsReport($0).bytes }
    let told = found.split(separator: "\n")
    #expect(told.count == 1, "\(found)")
    #expect(found.contains(#"<script>alert(1)</script>" onload="alert(1)' & ]]> --> {0} "#))
    #expect(found.contains(#"line\u{d}\u{a}end\u{9}tab\u{1b}[31mred\u{7}␀"#))
  }

  @Test(
    .enabled(if: Tool.installed("promtool") != nil, "needs promtool"),
    arguments: ReportScene.allCases
  )
  func `promtool finds nothing to say`(scene: ReportScene) async throws {
    let promtool = try #require(Tool.installed("promtool"))
    let outcome = try await promtool.run(
      ["check", "metrics"],
      input: MetricsReport(scene.report()).bytes
    )
    #expect(outcome.exitCode == 0)
    #expect(outcome.output + outcome.errors == "")
  }

  @Test func `a series is there before it counts anything`() throws {
    let lines = try lines(of: .clean)
    #expect(lines.contains(#"sealift_audit_files{verdict="ok"} 3"#))
    #expect(lines.contains(#"sealift_audit_files{verdict="modified"} 0"#))
    #expect(
      lines.contains(
        #"sealift_audit_findings{axis="trust",verdict="keyRevoked",severity="error"} 0"#
      )
    )
    #expect(lines.contains(#"sealift_audit_outcome{outcome="clean"} 1"#))
    #expect(lines.contains(#"sealift_audit_outcome{outcome="findings"} 0"#))
  }

  @Test func `it says when the audit ended, how long it took, and what it read`() throws {
    let lines = try lines(of: .damaged)
    #expect(lines.contains("sealift_audit_last_run_timestamp_seconds 1796064015"))
    #expect(lines.contains("sealift_audit_duration_seconds 4.120"))
    #expect(lines.contains("# TYPE sealift_audit_bytes_hashed_total counter"))
    #expect(lines.contains(#"sealift_audit_files{verdict="modified"} 1"#))
    let version = #"model="acme/tiny-chat",model_version="2.1.0-rc.1""#
    #expect(
      lines.contains {
        $0.hasPrefix("sealift_audit_version_trusted{\(version)") && $0.hasSuffix("} 0")
      }
    )
  }
}
