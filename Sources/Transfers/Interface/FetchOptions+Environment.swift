extension FetchOptions.Proxies {
  /// Takes the proxies that an environment names, in the variables that curl knows.
  ///
  /// `HTTP_PROXY` in capitals is not among them: a web server would set it from a request's field.
  package init(environment: [String: String]) {
    func value(_ variable: String) -> String? {
      environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }
    http = value("http_proxy")
    https = value("https_proxy") ?? value("HTTPS_PROXY")
    exceptions = value("no_proxy") ?? value("NO_PROXY")
  }
}
