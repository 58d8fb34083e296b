import Glibc
import SystemFiles
import TestSupport
import Testing
import Transfers

@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct NetworkOptionTests {
  @Test(arguments: [(1, 1), (3, 6)])
  func `a rate limit holds for all connections together`(mirrors: Int, jobs: Int) async throws {
    var shipment = Shipment()
    shipment.options.limitRate = 1_500_000
    shipment.options.jobs = jobs
    let mirrors = try (0..<mirrors).map { _ in try shipment.mirror() }
    let start = ContinuousClock.now
    #expect(try await shipment.fetch(from: mirrors.map(\.url)).error == nil)
    // 3.1 MB take 2.1 s, less what one read of each connection may overdraw.
    #expect(ContinuousClock.now - start > .milliseconds(1700))
    withExtendedLifetime(mirrors) {}
  }

  @Test func `a proxy is asked for the mirror's URL, except where it is not to be used`()
    async throws
  {
    var shipment = Shipment.hasty
    let proxy = try shipment.mirror(.status(404))
    shipment.options.proxies.http = proxy.url
    _ = try await shipment.fetch(from: ["http://mirror.invalid"])
    #expect(proxy.requests.map(\.target) == ["http://mirror.invalid\(Shipment.path)"])
    shipment.options.proxies.exceptions = "127.0.0.1"
    let mirror = try shipment.mirror()
    #expect(try await shipment.fetch(from: [mirror.url]).error == nil)
    #expect(proxy.requests.count == 1)
  }

  @Test(arguments: ["missing.pem", "text.pem"])
  func `a file of authorities that is none is a fault here, and no mirror is asked`(
    name: String
  ) async throws {
    var shipment = Shipment()
    try replaceFile(at: TemporaryFolder.path("text.pem"), with: [0x41], mode: 0o644)
    let path = TemporaryFolder.path(name)
    shipment.options.authorities = path
    let mirror = try shipment.mirror()
    let expected =
      name == "text.pem"
      ? SystemError("read certificates", code: EINVAL, path: path)
      : SystemError("open", code: ENOENT, path: path)
    #expect(try await shipment.fetch(from: [mirror.url]).error == .local(expected))
    let options = shipment.options
    do {
      _ = try await Fetcher(options: options).fetchDocument(mirror.url, limit: 9)
      #expect(Bool(false), "a document came")
    } catch {
      #expect(error.kind == .local(expected))
    }
    #expect(mirror.requests.count == 0)
  }
}
