import CommandErrors
package import CommandLineKit

/// The command line of `sealift-publish`.
package enum PublisherTool: CommandLineTool {
  package static let table = CommandTable(
    tool: "sealift-publish",
    version: "0.1.0",
    summary: "seals model files into signed manifests",
    sections: [
      CommandTable.Section(
        "Keys",
        [
          KeyNewCommand.self, KeyShowCommand.self, KeyListCommand.self, KeyImportCommand.self,
          KeyExportCommand.self, KeyPassphraseCommand.self,
        ]
      ),
      CommandTable.Section("Files", [InspectCommand.self]),
      CommandTable.Section(
        "Manifests",
        [
          BuildCommand.self, SignCommand.self, SignaturesMergeCommand.self, VerifyCommand.self,
          ShowCommand.self, DiffCommand.self,
        ]
      ),
      CommandTable.Section(
        "Mirrors and other tools",
        [MirrorCheckCommand.self, ExportCommand.self]
      ),
      CommandTable.Section(
        "Repositories",
        [
          RepoInitCommand.self, RepoAddCommand.self, RepoWithdrawCommand.self,
          RepoChannelCommand.self, RepoPolicyCommand.self, RepoRefreshCommand.self,
          RepoRotateCommand.self, RepoSignCommand.self, RepoStatusCommand.self,
          RepoVerifyCommand.self, RepoServeCommand.self,
        ]
      ),
      CommandTable.Section("Reports", [ReportVerifyCommand<PublisherTool>.self]),
      .tool(PublisherTool.self),
    ],
    pages: KindPage.common + KindPage.publishing
  )
}
