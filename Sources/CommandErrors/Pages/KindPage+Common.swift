package import CommandLineKit

extension KindPage {
  /// The pages of the kinds that the errors of ``CommandErrors`` have, in both tools.
  package static let common =
    machine + keys + trust + repositories + content + structure + reports + signing
}
