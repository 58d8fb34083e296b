import CommandLineKit
import Glibc
import PublisherCommands

@main
struct Main {
  static func main() async {
    exit(await runTool(PublisherTool.table, explain: PublisherTool.explain).rawValue)
  }
}
