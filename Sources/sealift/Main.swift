import CommandLineKit
import ConsumerCommands
import Glibc

@main
struct Main {
  static func main() async {
    exit(await runTool(ConsumerTool.table, explain: ConsumerTool.explain).rawValue)
  }
}
