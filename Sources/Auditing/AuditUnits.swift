/// A service and a timer of systemd that audit by themselves.
///
/// The service runs one command line, with nothing but what an audit needs: it may read, write into the folder of its
/// report, and no more. Both are texts that a person puts into place, as `systemctl cat` shows such files.
package struct AuditUnits: Equatable, Sendable {
  /// What the units are made for.
  package struct Plan: Equatable, Sendable {
    /// The program, the word `audit` and its options, each a word; paths in them are absolute.
    package let command: [String]
    /// What is read: the store, the configuration, and whatever else was named.
    package let readable: [String]
    /// The folder into which the report is written; nil for a run that prints it into the journal.
    package let writable: String?

    package init(command: [String], readable: [String], writable: String?) {
      (self.command, self.readable, self.writable) = (command, readable, writable)
    }
  }

  package static let serviceName = "sealift-audit.service"
  package static let timerName = "sealift-audit.timer"

  private let plan: Plan

  package init(_ plan: Plan) { self.plan = plan }

  /// The service: one run, in the background, with as few rights as it can do with.
  package var service: String {
    let lines =
      [
        "[Unit]",
        "Description=Audit of the models that sealift has installed",
        "Documentation=man:sealift-audit(1)",
        "",
        "[Service]",
        "Type=oneshot",
        "ExecStart=" + plan.command.map(Self.word).joined(separator: " "),
        "# Exit code 10 says that something was found: the unit fails, and OnFailure= can tell somebody.",
        "Nice=19",
        "CPUSchedulingPolicy=idle",
        "IOSchedulingClass=idle",
        "TimeoutStartSec=infinity",
        "",
        "ProtectSystem=strict",
        "ProtectHome=read-only",
        // One that is not there is no reason not to start.
        "ReadOnlyPaths=" + plan.readable.map { Self.path("-" + $0) }.joined(separator: " "),
      ] + (plan.writable.map { ["ReadWritePaths=" + Self.path($0)] } ?? [])
      // It would hide what is there; without it the folders may be read.
      + (usesTemporaryFolders ? [] : ["PrivateTmp=yes"]) + Self.restrictions
    return lines.joined(separator: "\n") + "\n"
  }

  /// What an audit does without: the network, devices, other processes, and everything that changes the system.
  private static let restrictions = [
    "PrivateNetwork=yes",
    "RestrictAddressFamilies=none",
    "IPAddressDeny=any",
    "PrivateDevices=yes",
    "ProtectClock=yes",
    "ProtectControlGroups=yes",
    "ProtectHostname=yes",
    "ProtectKernelLogs=yes",
    "ProtectKernelModules=yes",
    "ProtectKernelTunables=yes",
    "ProtectProc=invisible",
    "NoNewPrivileges=yes",
    "LockPersonality=yes",
    "MemoryDenyWriteExecute=yes",
    "RestrictNamespaces=yes",
    "RestrictRealtime=yes",
    "RestrictSUIDSGID=yes",
    "SystemCallArchitectures=native",
    "SystemCallFilter=@system-service",
    "SystemCallErrorNumber=EPERM",
    "# Reads files of other users and asks what of them is in the page cache, and nothing else of what root may.",
    "CapabilityBoundingSet=CAP_DAC_READ_SEARCH CAP_FOWNER",
    "UMask=0022",
  ]

  /// Whether anything that the service needs is in a folder for temporary files, as far as its path tells.
  private var usesTemporaryFolders: Bool {
    let paths = plan.command.prefix(1) + plan.readable + (plan.writable.map { [$0] } ?? [])
    return paths.contains { path in
      let names = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        .filter { $0 != "." }
      return names.starts(with: ["tmp"]) || names.starts(with: ["var", "tmp"])
        || names.contains("..")
    }
  }

  /// The timer: every night at some time, and soon after a night that the machine slept through.
  package var timer: String {
    """
    [Unit]
    Description=Nightly audit of the models that sealift has installed

    [Timer]
    OnCalendar=*-*-* 02:00:00
    RandomizedDelaySec=2h
    Persistent=true

    [Install]
    WantedBy=timers.target

    """
  }

  /// Both units with the places that they go to, as one text.
  package var text: String {
    let folder = "/etc/systemd/system"
    return "# \(folder)/\(Self.serviceName)\n\(service)\n# \(folder)/\(Self.timerName)\n\(timer)"
  }

  /// A word of a command line: between double quotes, with what systemd replaces written twice (systemd.service(5)).
  static func word(_ text: String) -> String {
    "\"" + quoted(text, doubling: "%$") + "\""
  }

  /// A path in a list of paths, in which nothing but `%` stands for something else.
  static func path(_ text: String) -> String {
    text.unicodeScalars.allSatisfy(isPlain)
      ? quoted(text, doubling: "%") : "\"" + quoted(text, doubling: "%") + "\""
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && scalar.value > 0x20 && scalar != "\"" && scalar != "\\" && scalar != "'"
  }

  private static func quoted(_ text: String, doubling doubled: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if doubled.unicodeScalars.contains(scalar) {
        result += "\(scalar)\(scalar)"
      } else if scalar == "\"" || scalar == "\\" {
        result += "\\\(scalar)"
      } else if scalar.value < 0x20 || scalar.value == 0x7F {
        let digits = String(scalar.value, radix: 16)
        result += "\\x" + (digits.utf8.count < 2 ? "0" : "") + digits
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
