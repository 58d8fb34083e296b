import CommandErrors
package import CommandLineKit

/// The command line of `sealift`.
package enum ConsumerTool: CommandLineTool {
  package static let table = CommandTable(
    tool: "sealift",
    version: "0.1.0",
    summary: "installs signed AI model releases from mirrors that nobody has to trust",
    globals: [
      .store, .shared, .lock, .symlinks, .config, .json, .quiet, .verbose, .color,
    ],
    sections: [
      CommandTable.Section(
        "Trust",
        [
          TrustAddCommand.self, TrustListCommand.self, TrustShowCommand.self,
          TrustCheckCommand.self, TrustRemoveCommand.self, TrustWithdrawCommand.self,
        ]
      ),
      CommandTable.Section(
        "Repositories",
        [
          RepoAddCommand.self, RepoUpdateCommand.self, RepoListCommand.self, RepoRemoveCommand.self,
        ]
      ),
      CommandTable.Section(
        "Runtimes",
        [RuntimeSetCommand.self, RuntimeListCommand.self, RuntimeProbeCommand.self]
      ),
      CommandTable.Section(
        "Models",
        [
          InstallCommand.self, UpdateCommand.self, OutdatedCommand.self, StatusCommand.self,
          ListCommand.self, PathCommand.self,
          ExecCommand.self, ActivateCommand.self, MarkGoodCommand.self, MarkBadCommand.self,
          RollbackCommand.self, VerifyCommand.self, RepairCommand.self,
        ]
      ),
      CommandTable.Section(
        "Store",
        [
          PinCommand.self, UnpinCommand.self, RemoveCommand.self, CollectCommand.self,
          DoctorCommand.self, AuditCommand.self,
        ]
      ),
      CommandTable.Section("Reports", [ReportVerifyCommand<ConsumerTool>.self]),
      .tool(ConsumerTool.self),
    ],
    pages: KindPage.common + KindPage.mirrors + KindPage.versions + KindPage.store + KindPage.audit
  )
}
