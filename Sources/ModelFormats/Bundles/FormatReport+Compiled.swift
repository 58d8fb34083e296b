extension FormatReport {
  /// Notes what the folder of a compiled Core AI model says: nothing in its files is documented.
  ///
  /// Which of several compiled models a device loads is for the application to choose.
  mutating func note(_ bundle: ModelBundle?) {
    note("deviceArchitecture", text: bundle?.deviceArchitecture)
    runtimes = CoreAIReleases.requirements(because: "compiled Core AI model")
  }
}
