import Auditing
import Foundation
import TestSupport
import Testing

@Suite(.temporaryFolder) struct AuditUnitsTests {
  private func units(
    _ words: [String] = [],
    readable: [String] = ["/var/lib/sealift", "/etc/sealift"]
  ) -> AuditUnits {
    AuditUnits(
      AuditUnits.Plan(
        command: ["/bin/true", "audit"] + words,
        readable: readable,
        writable: "/var/lib/node exporter"
      )
    )
  }

  @Test(
    .enabled(if: Tool.installed("systemd-analyze") != nil, "needs systemd-analyze"),
    arguments: [[], ["--output", "/a b%c$d\"e\\f", "--ignore", "line\nend", "é"]]
  )
  func `systemd has nothing to say of the units`(words: [String]) async throws {
    let units = units(words, readable: ["/var/lib/a b%c\"d\\e", "/etc/sealift"])
    #expect(try await said(of: units.service, units.timer) == "")
    let bad = units.service.replacing("Type=oneshot", with: "Type=oneshot\nNonsense=yes")
    #expect(try await said(of: bad, units.timer).contains("Nonsense"))
  }

  private func said(of service: String, _ timer: String) async throws -> String {
    let analyze = try #require(Tool.installed("systemd-analyze"))
    let places = [(AuditUnits.serviceName, service), (AuditUnits.timerName, timer)].map {
      (TemporaryFolder.path($0), $1)
    }
    for (path, text) in places { try Data(text.utf8).write(to: URL(filePath: path)) }
    let outcome = try await analyze.run(["verify", "--man=no"] + places.map(\.0))
    // Of a machine that systemd does not run, it may say other things.
    return (outcome.output + outcome.errors).split(separator: "\n")
      .filter { $0.contains("sealift-audit") }.joined(separator: "\n")
  }

  @Test func `words of the command are quoted as systemd reads them`() {
    let service = units(["--output", "/a b%c$d\"e\\f\ng"]).service
    #expect(
      service.contains(
        #"ExecStart="/bin/true" "audit" "--output" "/a b%%c$$d\"e\\f\x0ag""# + "\n"
      )
    )
  }

  @Test func `the service reads the store, writes where its report goes, and reaches nothing else`()
  {
    let lines = units().service.split(separator: "\n").map(String.init)
    let expected = [
      "ProtectSystem=strict", "ReadOnlyPaths=-/var/lib/sealift -/etc/sealift",
      "ReadWritePaths=\"/var/lib/node exporter\"", "PrivateNetwork=yes", "IOSchedulingClass=idle",
      "Nice=19", "NoNewPrivileges=yes", "PrivateTmp=yes",
      "CapabilityBoundingSet=CAP_DAC_READ_SEARCH CAP_FOWNER",
    ]
    for line in expected { #expect(lines.contains(line), "\(line)") }
  }

  @Test(arguments: [
    ("/bin/sealift", "/var/lib/sealift", "/var/lib/node", true),
    ("/bin/sealift", "/var/tmpfs/tmp", "/tmpx", true),
    ("/bin/sealift", "/tmp/store", "/var/lib/node", false),
    ("/bin/sealift", "/var/tmp/store", "/var/lib/node", false),
    ("/bin/sealift", "//var/./tmp", "/var/lib/node", false),
    ("/bin/sealift", "/var/lib/../tmp/store", "/var/lib/node", false),
    ("/bin/sealift", "/var/lib/sealift", "/tmp", false),
    ("/tmp/sealift", "/var/lib/sealift", "/var/lib/node", false),
  ])
  func `the service has a folder of its own for temporary files, unless what it needs is there`(
    program: String,
    store: String,
    output: String,
    isPrivate: Bool
  ) {
    let plan = AuditUnits.Plan(command: [program, "audit"], readable: [store], writable: output)
    let lines = AuditUnits(plan).service.split(separator: "\n")
    #expect(lines.contains("PrivateTmp=yes") == isPrivate)
  }

  @Test func `the timer is spread over hours, and makes up for a night that was missed`() {
    let lines = units().timer.split(separator: "\n").map(String.init)
    #expect(lines.contains("RandomizedDelaySec=2h"))
    #expect(lines.contains("Persistent=true"))
  }

  @Test func `both stand in one text, with the places that they go to`() {
    let text = units().text
    #expect(text.hasPrefix("# /etc/systemd/system/sealift-audit.service\n[Unit]\n"))
    #expect(text.contains("\n# /etc/systemd/system/sealift-audit.timer\n[Unit]\n"))
  }
}
