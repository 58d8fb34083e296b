import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RefusalTests {
  private func ask(_ fault: Fault, _ fields: [String] = []) throws -> WireAnswer {
    let mirror = try FaultyMirror(files: ["a": [1, 2, 3]], fault)
    return try WireClient(port: mirror.port).request("/a?q=1", fields)
  }

  @Test(arguments: [404, 403, 500]) func `status is the status of each answer`(status: Int) throws {
    let answer = try ask(.status(status))
    #expect(answer.status == status)
    #expect(answer.value("Retry-After") == nil)
    #expect(!answer.body.isEmpty)
    #expect(answer.end == .counted)
  }

  @Test func `503 may say when to come again`() throws {
    #expect(try ask(.status(503, retryAfter: 1)).value("Retry-After") == "1")
  }

  @Test func `statusTimes is honest after the first answers`() throws {
    let mirror = try FaultyMirror(files: ["a": [1]], .statusTimes(3, status: 429))
    let client = try WireClient(port: mirror.port)
    let answers = try (0..<5).map { _ in try client.request("/a") }
    #expect(answers.map(\.status) == [429, 429, 429, 200, 200])
    #expect(answers.map { $0.value("Retry-After") } == ["1", "1", "1", nil, nil])
  }

  @Test func `unauthorized lets in who has the credentials`() throws {
    let fault = Fault.unauthorized(unless: "Bearer right")
    let refused = try ask(fault, ["Authorization: Bearer wrong"])
    #expect(refused.status == 401)
    #expect(refused.value("WWW-Authenticate") != nil)
    #expect(try ask(fault, ["Authorization: Bearer right"]).body == [1, 2, 3])
  }

  @Test func `redirect keeps path and query`() throws {
    let answer = try ask(.redirect(to: "http://127.0.0.1:9"))
    #expect(answer.status == 302)
    #expect(answer.value("Location") == "http://127.0.0.1:9/a?q=1")
    #expect(try ask(.redirect(to: "ftp://127.0.0.1", status: 307)).status == 307)
  }

  @Test func `redirectLoop leads to a new path each time`() throws {
    let mirror = try FaultyMirror(files: ["a": [1]], .redirectLoop, for: "*/a")
    let client = try WireClient(port: mirror.port)
    var places = ["/a"]
    for _ in 0..<20 {
      let answer = try client.request(try #require(places.last))
      #expect(answer.status == 302)
      places.append(try #require(answer.value("Location")))
    }
    #expect(Set(places).count == 21)
    #expect(places.last == "/again/20/a")
  }

  @Test func `a missing file is 404 in every fault that needs a file`() throws {
    let mirror = try FaultyMirror(files: [:], .gzip)
    #expect(try WireClient(port: mirror.port).request("/a").status == 404)
  }
}
