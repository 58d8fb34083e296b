import Auditing
import Digests
import Foundation
import Glibc
import Manifests
import ReleaseSimulator
import Signatures
import StrictJSON
import SystemFiles
import TestSupport
import Testing
import Trust

/// An installed model with one thing wrong, and the verdict that an audit gives on it.
///
/// One for each verdict; a format that shows them all runs over ``all``.
struct AuditScene: Sendable, CustomTestStringConvertible {
  let verdict: AuditVerdict
  /// The file that the finding is about; nil for the version or the model as a whole.
  var file: String?
  var exit = 10
  /// What stands before the options of a test: the models, or what is looked at.
  var arguments: [String] = []
  /// Calls of the audit that are struck, where the medium or another process is at fault.
  var strikes: [StrikeRule] = []
  /// Whether other verdicts may stand beside it, since the same harm shows in several ways.
  var stampShows = true
  var needsRoot = false
  /// Makes the store, or whatever the arguments name, with `folder` for what else is needed.
  let prepare: @Sendable (ConsumerHome) async throws -> Void

  var testDescription: String { verdict.rawValue }

  /// The files of the model: one of three chunks, one without a table.
  static let (weights, notes) = ("weights.bin", "zz/notes.txt")

  /// A client with the scene in its store.
  func home() async throws -> ConsumerHome {
    let home = try await ConsumerHome.trusting()
    try await prepare(home)
    return home
  }

  /// Runs the audit with more options to its end, as the scene has it.
  func run(_ options: [String] = [], _ home: ConsumerHome) async throws -> ToolOutcome {
    let placed = arguments.map { $0.replacingOccurrences(of: "@", with: home.folder) }
    let words = ["audit"] + placed + options
    guard !strikes.isEmpty else { return try await home.run(words) }
    let rules = strikes.map { $0.filled(with: home) }
    return try await CallStriker(home).run(words, rules)
  }

  /// Those that this process can make: all of them as root.
  static var possible: [AuditScene] { all.filter { !$0.needsRoot || geteuid() == 0 } }

  static let all = ofFiles + ofManifests + ofRecords
}

extension StrikeRule {
  /// The rule with the words that run `sealift` in place of a `%`.
  fileprivate func filled(with home: ConsumerHome) -> StrikeRule {
    guard case .after(let command) = strike else { return self }
    let tool = ([home.tool.path] + home.places).joined(separator: " ")
    let words = command.replacingOccurrences(of: "%", with: tool)
    return StrikeRule(.after("\(words) >/dev/null 2>&1"), name, calls)
  }
}

// MARK: What is done to stores

extension ConsumerHome {
  /// A release with the files of the scenes, which differ from version to version.
  func auditRelease(_ version: String = "1.0.0") -> ConsumerRelease {
    let seed = UInt64(version.utf8.reduce(0) { $0 + Int($1) })
    return ConsumerRelease(
      version: version,
      files: [
        AuditScene.weights: .random(150_000, seed: seed, chunkLength: 65_536),
        AuditScene.notes: .random(100, seed: seed, chunkLength: nil),
      ]
    )
  }

  /// Installs versions, and then does harm by a shell in the folder of the model.
  ///
  /// `$v` is the folder of the first version, `$f` that of its files, `$n` its name, and `$s` runs `sealift`.
  func damaged(_ script: String, versions: [String] = ["1.0.0"]) async throws {
    for version in versions { try await installed(auditRelease(version)) }
    try await harm(script)
  }

  /// Does harm by a shell in the folder of the model.
  func harm(_ script: String) async throws {
    var shell = try #require(Tool.installed("sh"))
    shell.folder = oracle().folder
    shell.environment = tool.environment
    let name = try #require(oracle().names(in: "versions").first { $0 != "CACHEDIR.TAG" })
    shell.environment["n"] = name
    shell.environment["v"] = "versions/\(name)"
    shell.environment["f"] = "versions/\(name)/files"
    shell.environment["s"] = ([tool.path] + places).joined(separator: " ")
    shell.environment["d"] = folder
    let outcome = try await shell.run(["-ec", script])
    guard outcome.ending == .exited(0) else {
      throw SupportError.programFailed("sh", message: outcome.errors)
    }
  }

  /// Writes a trust policy that is the auditor's own.
  func writePolicy(_ policy: TrustPolicy) throws {
    _ = try write(JSONWriter.pretty(policy.document), to: "own.json")
  }
}

extension AuditScene {
  /// A scene in which a shell does harm to version 1.0.0.
  private static func harm(
    _ verdict: AuditVerdict,
    of file: String? = weights,
    _ script: String
  ) -> AuditScene {
    AuditScene(verdict: verdict, file: file) { try await $0.damaged(script) }
  }

  private static let opened = "chmod u+w $f $f/* $f/zz; "

  fileprivate static let ofFiles = [
    AuditScene(verdict: .ok, exit: 0) { try await $0.damaged(":") },
    harm(
      .modified,
      opened + "printf X | dd of=$f/weights.bin bs=1 seek=70000 conv=notrunc 2>/dev/null"
    ),
    harm(.missing, opened + "rm -f $f/weights.bin"),
    harm(.extra, of: ".gitattributes", opened + "echo x > $f/.gitattributes"),
    harm(.truncated, opened + "truncate -s 100000 $f/weights.bin"),
    harm(.wrongSize, opened + "echo x >> $f/weights.bin"),
    harm(.empty, opened + ": > $f/weights.bin"),
    harm(.wrongType, opened + "mv $f/weights.bin $d/w; ln -s $d/w $f/weights.bin"),
    harm(
      .lfsPointer,
      opened
        + #"printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 150000\n' 7 > $f/weights.bin"#
    ),
    AuditScene(verdict: .contradiction, file: weights, arguments: ["--full-hash"]) { home in
      var release = home.auditRelease()
      release.files[weights]?.signedDigest = .ofNothing
      try await home.installed(release)
    },
    AuditScene(
      verdict: .notAModel,
      file: "model.gguf",
      arguments: ["--directory", "@/plain", "--manifest", "@/plain.json"]
    ) { home in
      let release = ConsumerRelease(files: ["model.gguf": .random(5_000)])
      try release.simulated().write(to: "\(home.folder)/plain")
      _ = try home.publish(release, as: "plain.json")
    },
    harm(.wrongMode, "chmod 644 $f/weights.bin"),
    AuditScene(verdict: .wrongOwner, file: weights, needsRoot: true) {
      try await $0.damaged("chown 65534 $f/weights.bin")
    },
    harm(.hardlinkedElsewhere, "ln $f/weights.bin $d/second"),
    AuditScene(
      verdict: .unreadable,
      file: weights,
      strikes: [StrikeRule(.error(EIO), "pread64", 1...1)]
    ) { try await $0.damaged(":") },
    AuditScene(
      verdict: .unstableRead,
      file: weights,
      strikes: [StrikeRule(.claim(65_536), "pread64", 1...1)]
    ) { try await $0.damaged(":") },
  ]

  /// A scene that is judged by a policy of the auditor.
  private static func policy(
    _ verdict: AuditVerdict,
    _ make: @escaping @Sendable (ConsumerHome) throws -> TrustPolicy
  ) -> AuditScene {
    AuditScene(verdict: verdict, arguments: ["--trust", "@/own.json"]) { home in
      try await home.damaged(":")
      try home.writePolicy(try make(home))
    }
  }

  fileprivate static let ofManifests = [
    harm(.manifestInvalid, of: nil, "chmod u+w $v $v/manifest.json; echo '{}' > $v/manifest.json"),
    policy(.signatureUntrusted) { home in
      try .trusting([try home.signer(named: "somebody")], for: "acme/*")
    },
    AuditScene(verdict: .keyRevoked) { home in
      try await home.damaged("$s trust withdraw \(home.signer.fingerprint) --reason stolen")
    },
    policy(.keyExpired) { home in
      try TrustPolicy().adding(
        [home.signer.trusted(until: Timestamp("2026-01-02T00:00:00Z"))],
        for: ModelPattern("acme/*"),
        threshold: 1
      )
    },
    policy(.manifestWithdrawn) { home in
      var rules = try TrustPolicy.trusting([home.signer], for: "acme/*")
      rules = try TrustPolicy(
        keys: Array(rules.keys.values),
        rules: rules.rules,
        withdrawnManifests: [
          try home.auditRelease().simulated().digest(): "wrong tokenizer"
        ]
      )
      return rules
    },
    AuditScene(verdict: .expiredManifest, arguments: ["--at", "2200-01-01T00:00:00Z"]) { home in
      var release = home.auditRelease()
      release.details.expires = try Timestamp("2199-01-01T00:00:00Z")
      try await home.installed(release)
    },
    AuditScene(verdict: .belowFloor) { home in
      // The record of before is put back, in which the older version is active.
      try await home.damaged("cp active.json $d/record")
      try await home.installed(home.auditRelease("1.1.0"))
      try await home.harm("cp $d/record active.json")
    },
  ]

  /// A scene of a release that needs a runtime, of which another version is stated after it was installed.
  private static func runtime(
    _ verdict: AuditVerdict,
    exit: Int = 10,
    _ script: String
  ) -> AuditScene {
    AuditScene(verdict: verdict, exit: exit) { home in
      var release = home.auditRelease()
      release.runtimes = [
        try RuntimeRequirement(
          name: RuntimeName("llama.cpp"),
          scheme: .build,
          minimum: "b5873",
          below: "b9000"
        )
      ]
      let words = ["--mirror", try home.fileMirror(release), "--runtime", "llama.cpp=b6000"]
      let outcome = try await home.run(["install", try home.publish(release)] + words)
      #expect(outcome.ending == .exited(0), "\(outcome.errors)")
      try await home.harm(script)
    }
  }

  fileprivate static let ofRecords = [
    runtime(.runtimeTooOld, "$s runtime set llama.cpp=b100"),
    runtime(.runtimeUnsuitable, "$s runtime set llama.cpp=b9999"),
    runtime(.runtimeUnknown, exit: 0, ":"),
    harm(.recordMismatch, of: nil, "ln -sfn versions current"),
    harm(.recordDamaged, of: nil, ": > ../../floors/acme+tiny.json"),
    AuditScene(verdict: .markedBad) { home in
      // The record of before is put back, as a hand in the store would do.
      try await home.damaged(
        "cp active.json $d/record; $s mark bad acme/tiny --reason slow; cp $d/record active.json",
        versions: ["1.0.0", "1.1.0"]
      )
    },
    harm(.unregisteredVersion, of: nil, "rm stamps/*"),
    harm(.stampMismatch, of: nil, "touch -m -d 2001-01-01 $f/weights.bin"),
    AuditScene(
      verdict: .changedDuringAudit,
      exit: 0,
      strikes: [StrikeRule(.after("% rollback acme/tiny"), "fadvise64", 1...1)]
    ) { try await $0.damaged(":", versions: ["1.0.0", "1.1.0"]) },
    AuditScene(verdict: .notChecked, arguments: ["--manifests", "@/none"]) { home in
      try await home.damaged("mkdir $d/none")
    },
  ]
}
