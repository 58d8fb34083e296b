extension AuditReport {
  /// What the audit proves, in one sentence without a full stop: by its mode, what it looked at, and how far it came.
  package var proof: String {
    let start = resumedFrom.map { "; what stands before \($0.text) was not looked at" } ?? ""
    return method + start + (unfinished == nil ? "" : "; the audit did not come to its end")
  }

  private var method: String {
    switch (mode, subject) {
    case (.full, _): "every byte was read and compared with the signed digests"
    case (.quick, .store):
      "no byte was read: names, sizes, modes and inodes were compared with those that were verified, which is as good "
        + "as the clock of the machine"
    case (.quick, .folder):
      "no byte was read: names and sizes were compared with the manifest, and nothing was verified before"
    case (.sample, _):
      "some bytes were read: good against rot of the medium, and little against a change that somebody made on purpose"
    }
  }
}
