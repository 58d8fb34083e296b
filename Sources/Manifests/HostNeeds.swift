/// What a release says that its host should have; informational.
package struct HostNeeds: Hashable, Sendable {
  /// Bytes of memory to run the model.
  package let memory: Int?
  /// Bytes of disk beyond the files themselves.
  package let disk: Int?
  /// Platforms such as `linux-x86_64`, any one of which is enough; none listed means any.
  package let platform: [String]

  /// Takes what is known.
  package init(memory: Int? = nil, disk: Int? = nil, platform: [String] = []) {
    self.memory = memory
    self.disk = disk
    self.platform = platform
  }
}
