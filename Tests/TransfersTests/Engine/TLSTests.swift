import SystemFiles
import TestSupport
import Testing
import Transfers

@Suite(.temporaryFolder, .timeLimit(.minutes(5)), .enabled(if: NginxMirror.isAvailable))
struct TLSTests {
  private var shipment = Shipment()

  private func served() throws -> String {
    let path = TemporaryFolder.path("served")
    let folder = try Folder(creating: "\(path)/blobs", mode: 0o755)
    let file = try folder.createFile("weights.gguf", mode: 0o644)
    try file.write(shipment.bytes.span, at: 0)
    return path
  }

  @Test func `nginx over TLS serves with its authority's certificate`() async throws {
    let certificates = try await TestCertificates()
    let nginx = try await NginxMirror(folder: served(), NginxOptions(certificates: certificates))
    var shipment = shipment
    shipment.options.authorities = certificates.authority
    try shipment.leavePart(shipment.chunks(2))
    let outcome = try await shipment.fetch(from: [nginx.url])
    #expect(outcome.error == nil, "\(outcome.faults(of: 0))")
    #expect(try shipment.part() == shipment.bytes)
    await nginx.stop()
    #expect(try nginx.requests().map(\.authorization) == [""])
  }

  @Test func `a certificate of an unknown authority, another name or another time is refused`()
    async throws
  {
    let folder = try served()
    for (names, isExpired, isTrusted) in [
      (TestCertificates.loopbackNames, false, false), ("DNS:other.example", false, true),
      (TestCertificates.loopbackNames, true, true),
    ] {
      let certificates = try await TestCertificates(names: names, isExpired: isExpired)
      let nginx = try await NginxMirror(folder: folder, NginxOptions(certificates: certificates))
      var shipment = shipment
      if isTrusted { shipment.options.authorities = certificates.authority }
      let outcome = try await shipment.fetch(from: [nginx.url])
      #expect(outcome.error == .protocolViolation)
      #expect(outcome.faults(of: 0).map(\.kind) == [.certificate])
      await nginx.stop()
    }
  }

  @Test(.rows("G3")) func `an https mirror that leads to http is refused unless allowed`()
    async throws
  {
    let certificates = try await TestCertificates()
    let (target, good) = (try shipment.mirror(), try shipment.mirror())
    let options = NginxOptions(redirects: ["/blobs": target.url], certificates: certificates)
    let nginx = try await NginxMirror(folder: served(), options)
    var shipment = shipment
    shipment.options.authorities = certificates.authority
    let outcome = try await shipment.fetch(from: [nginx.url, good.url])
    #expect(outcome.error == nil)
    #expect(
      outcome.faults(of: 0) == [
        .redirectToHTTP(chain: [nginx.url(Shipment.path), target.url(Shipment.path)])
      ]
    )
    #expect(target.requests == [])
    try Folder(path: TemporaryFolder.current).removeFile("0.part")
    shipment.options.allowsDowngrade = true
    #expect(try await shipment.fetch(from: [nginx.url]).error == nil)
  }
}
