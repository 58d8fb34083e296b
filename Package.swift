// swift-tools-version: 6.3
import PackageDescription

let upcomingFeatures = [
  "ExistentialAny",  // SE-0335
  "InternalImportsByDefault",  // SE-0409
  "MemberImportVisibility",  // SE-0444
  "NonisolatedNonsendingByDefault",  // SE-0461
  "InferIsolatedConformances",  // SE-0470
]

/// Whether the fuzzers are built, and every library with their instruments; `scripts/fuzz` asks for it.
let isFuzzing = Context.environment["FUZZ"] != nil
let fuzzerFlags = ["-sanitize=fuzzer,address"]

/// The language rules of every Swift target: strict memory safety (SE-0458), warnings as errors (SE-0480).
let settings: [SwiftSetting] =
  [.strictMemorySafety(), .treatAllWarnings(as: .error)]
  + upcomingFeatures.map { .enableUpcomingFeature($0) }
  + (isFuzzing ? [.unsafeFlags(fuzzerFlags)] : [])

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tool(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// A program of `Examples/`: it sees of this package what any other package would see.
func example(_ name: String, _ folder: String) -> Target {
  .executableTarget(
    name: name,
    dependencies: ["Sealift"],
    path: "Examples/\(folder)",
    exclude: folder == "Service" ? ["runtime.py"] : [],
    packageAccess: false,
    swiftSettings: settings
  )
}

/// Tests look at optimised libraries and tools in a release build; optimising their own code would take longer than all else.
let testSettings =
  settings + [
    .unsafeFlags(
      ["-Onone", "-no-whole-module-optimization", "-enable-batch-mode"],
      .when(configuration: .release)
    )
  ]

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: testSettings)
}

func fuzzer(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name,
    dependencies: dependencies + ["FuzzDriver"],
    path: "Tests/Fuzz/\(name)",
    swiftSettings: settings,
    linkerSettings: [.unsafeFlags(fuzzerFlags + ["-use-ld=lld"])]
  )
}

/// What a layer offers to those above it.
///
/// Of the work layer this is what `sealift` needs: `Publishing` is for `sealift-publish` alone.
///
/// `Transfers` stands apart: who makes no transfers is not linked with libcurl, which takes longer to load than all the rest.
let machine: [Target.Dependency] = ["SystemFiles", "StrictJSON", "Digests", "Signatures"]
let meaning: [Target.Dependency] = ["Manifests", "ModelFormats", "Trust"]
let work: [Target.Dependency] = ["Verification", "ModelStore", "Installing", "Auditing"]

let package = Package(
  name: "sealift",
  products: [.library(name: "Sealift", targets: ["Sealift"])],
  targets: [
    // C: a module map and a header of a system library each.
    .systemLibrary(name: "CLinux"),
    .systemLibrary(
      name: "CSodium",
      pkgConfig: "libsodium",
      providers: [.apt(["libsodium-dev"])]
    ),
    .systemLibrary(
      name: "CCurl",
      pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"])]
    ),
    .systemLibrary(
      name: "CCrypto",
      pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"])]
    ),

    // The one target with C code: SHA-256 in the lanes of the processor's vectors.
    .target(name: "CHashLanes"),

    // Machine: one idea or one C library each; knows no releases.
    library("SystemFiles", ["CLinux"]),
    library("Digests", ["CCrypto", "CHashLanes", "SystemFiles"]),
    library("StrictJSON"),
    library("Signatures", ["CSodium", "CCrypto", "Digests", "SystemFiles"]),
    library("Transfers", ["CCurl", "Digests", "SystemFiles"]),

    // Meaning: values and rules; no file, socket or clock.
    library("Manifests", ["Digests", "Signatures", "StrictJSON"]),
    library("ModelFormats", ["Manifests", "Digests", "StrictJSON"]),
    library("Trust", ["Manifests", "Digests", "Signatures", "StrictJSON"]),

    // Work: the disk and the network, by the rules above.
    library("Verification", machine + meaning),
    library("ModelStore", machine + meaning + ["Verification"]),
    library("Repositories", machine + meaning + ["Transfers"]),
    library("Publishing", machine + meaning + ["Transfers", "Verification", "Repositories"]),
    library("Installing", machine + meaning + ["Transfers", "Verification", "ModelStore"]),
    library("Auditing", machine + meaning + ["Verification", "ModelStore"]),

    // Surface: commands, the terminal, and the face for applications.
    library("Sealift", machine + meaning + work + ["Transfers"]),
    library("CommandLineKit", ["StrictJSON"]),
    library(
      "CommandErrors",
      machine + meaning + ["Transfers", "Verification", "Repositories", "CommandLineKit"]
    ),
    library(
      "ConsumerCommands",
      machine + meaning + work + ["Transfers", "Repositories", "CommandErrors", "CommandLineKit"]
    ),
    tool("sealift", ["ConsumerCommands", "CommandLineKit"]),
    library(
      "PublisherCommands",
      machine + meaning
        + [
          "Transfers", "Verification", "Repositories", "Publishing", "CommandErrors",
          "CommandLineKit",
        ]
    ),
    tool("sealift-publish", ["PublisherCommands", "CommandLineKit"]),
    // Speaks the protocol of the TUF project's conformance suite, with the code that `sealift` uses.
    tool(
      "sealift-tuf-client",
      machine + meaning + ["Transfers", "Repositories", "CommandLineKit"]
    ),

    // Small programs on the library, which tests run.
    example("example-terminal", "Terminal"),
    example("example-service", "Service"),

    tests("ArchitectureTests", []),
    tests("SystemFilesTests", ["SystemFiles", "TestSupport"]),
    tests("DigestsTests", ["Digests", "SystemFiles", "TestSupport", "Vectors"]),
    tests("SignaturesTests", ["Digests", "Signatures", "SystemFiles", "Vectors"]),
    tests("StrictJSONTests", ["StrictJSON"]),
    tests("ManifestsTests", ["Manifests", "Digests", "Signatures", "StrictJSON"]),
    tests("ModelFormatsTests", ["ModelFormats", "Manifests", "Digests"]),
    tests("CommandLineKitTests", ["CommandLineKit", "StrictJSON", "TestSupport"]),
    tests(
      "PublishingTests",
      machine + meaning
        + ["Transfers", "Verification", "Publishing", "TestSupport", "ReleaseSimulator"]
    ),
    // Makes system calls of a program fail, or kills it there; C, since a tracer must fork.
    .executableTarget(name: "call-striker", path: "Tests/CallStriker"),
    // Runs the built tools.
    tests(
      "CommandTests",
      machine + meaning
        + [
          "Auditing", "Verification", "Publishing", "CommandErrors", "CommandLineKit",
          "PublisherCommands",
          "ConsumerCommands", "TestSupport", "sealift-publish",
          "sealift", "sealift-tuf-client", "call-striker", "ReleaseSimulator",
          "TUFSimulator", "Repositories",
        ]
    ),

    // Reads the published vectors that scripts/fetch-vectors brings.
    .target(name: "Vectors", path: "Tests/Vectors", swiftSettings: settings),

    // What tests share: a faulty and a real mirror, child processes, folders, sample models.
    .target(
      name: "TestSupport",
      dependencies: ["CLinux", "SystemFiles"],
      path: "Tests/TestSupport",
      swiftSettings: settings
    ),
    // Keys, policies and signed releases, in memory or on disk.
    .target(
      name: "ReleaseSimulator",
      dependencies: ["Digests", "Manifests", "Signatures", "SystemFiles", "TestSupport", "Trust"],
      path: "Tests/ReleaseSimulator",
      swiftSettings: settings
    ),
    // Repositories with their metadata, in memory, that sign right and wrong.
    .target(
      name: "TUFSimulator",
      dependencies: [
        "CCrypto", "Digests", "Manifests", "ReleaseSimulator", "Signatures", "StrictJSON", "Trust",
      ],
      path: "Tests/TUFSimulator",
      swiftSettings: settings
    ),
    tests("TrustTests", machine + meaning + ["ReleaseSimulator", "TUFSimulator", "TestSupport"]),
    tests(
      "RepositoriesTests",
      machine + meaning + ["Transfers", "Repositories", "TUFSimulator", "TestSupport"]
    ),
    tests(
      "VerificationTests",
      machine + meaning + ["Verification", "ReleaseSimulator", "TestSupport"]
    ),
    tests(
      "ModelStoreTests",
      machine + meaning + ["Verification", "ModelStore", "ReleaseSimulator", "TestSupport"]
    ),
    tests(
      "InstallingTests",
      machine + meaning + work + ["Transfers", "ReleaseSimulator", "TestSupport"]
    ),
    tests(
      "SealiftTests",
      machine + meaning + work
        + [
          "Transfers", "Sealift", "ReleaseSimulator", "TestSupport", "example-terminal",
          "example-service",
        ]
    ),
    tests(
      "AuditingTests",
      machine + meaning
        + ["Verification", "ModelStore", "Auditing", "ReleaseSimulator", "TestSupport"]
    ),
    tests("TransfersTests", ["Transfers", "Digests", "SystemFiles", "TestSupport"]),
    tests("TestSupportTests", ["TestSupport", "SystemFiles"]),
  ],
  swiftLanguageModes: [.v6]
)

/// The test targets that are not built; `scripts/test` names those which have no place in a build with instruments.
let omittedTests = Set(
  Context.environment["SEALIFT_OMITTED_TESTS", default: ""].split(separator: " ").map(String.init)
)
package.targets.removeAll { omittedTests.contains($0.name) }

if isFuzzing {
  package.targets += [
    .systemLibrary(name: "CLibFuzzer", path: "Tests/Fuzz/CLibFuzzer"),
    .target(
      name: "FuzzDriver",
      dependencies: ["CLibFuzzer"],
      path: "Tests/Fuzz/Driver",
      swiftSettings: settings
    ),
    // What holds of any file, whatever its bytes.
    .target(
      name: "FormatInvariants",
      dependencies: ["ModelFormats", "Manifests"],
      path: "Tests/Fuzz/FormatInvariants",
      swiftSettings: settings
    ),
    fuzzer("FuzzJSON", ["StrictJSON"]),
    fuzzer("FuzzKeys", ["Signatures"]),
    fuzzer("FuzzSigners", ["Signatures"]),
    fuzzer("FuzzManifests", ["Manifests"]),
    fuzzer("FuzzMetadata", ["Trust", "Manifests"]),
    fuzzer("FuzzFormats", ["ModelFormats", "Manifests", "FormatInvariants"]),
    fuzzer("FuzzGGUF", ["ModelFormats", "FormatInvariants"]),
    fuzzer("FuzzSafetensors", ["ModelFormats", "FormatInvariants"]),
    fuzzer("FuzzProtobuf", ["ModelFormats", "FormatInvariants"]),
    fuzzer("FuzzFlatBuffers", ["ModelFormats", "FormatInvariants"]),
    fuzzer("FuzzArchives", ["ModelFormats", "FormatInvariants"]),
    fuzzer("FuzzSideFiles", ["ModelFormats", "Manifests"]),
  ]
}
