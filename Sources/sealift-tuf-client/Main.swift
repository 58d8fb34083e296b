import CommandLineKit
import Glibc

/// Speaks the command line of the TUF project's conformance suite with the code that `sealift` uses.
///
///     sealift-tuf-client --metadata-dir DIR init ROOT_FILE
///     sealift-tuf-client --metadata-url URL --metadata-dir DIR refresh
///     sealift-tuf-client --metadata-url URL --metadata-dir DIR
///       --target-name PATH [--target-name PATH …] --target-dir DIR --target-base-url URL download
///
/// The exit code is 0 if all of it succeeded, else 1.
@main
struct Main {
  static func main() async {
    let code = await runPlainTool(explain: explain) { arguments in
      try await ClientRequest(arguments).run()
    }
    exit(code.rawValue)
  }
}
