extension Fault {
  /// The answer of faults that need no file; nil for others.
  func refusal(_ request: RequestHead, turn: Int) -> Answer? {
    guard request.method == "GET" || request.method == "HEAD" else { return .page(405) }
    switch self {
    case .html:
      return Self.signInPage
    case .status(let status, let retryAfter):
      return .page(status, retryAfter: retryAfter)
    case .statusTimes(let times, let status, let retryAfter):
      return turn <= times ? .page(status, retryAfter: retryAfter) : nil
    case .statusAfter(let times, let status, let retryAfter):
      return turn > times ? .page(status, retryAfter: retryAfter) : nil
    case .always416:
      return Answer(
        416,
        [HTTPField("Content-Type", "text/plain")],
        .bytes(Array("the range cannot be served\n".utf8))
      )
    case .unauthorized(let credentials):
      let given = request.fields.value("Authorization")
      if let given, given.utf8.elementsEqual(credentials.utf8) { return nil }
      var answer = Answer.page(401)
      answer.fields.append(HTTPField("WWW-Authenticate", "Basic realm=\"models\""))
      return answer
    case .redirect(let place, let status):
      return Self.redirect(to: place + request.target, status: status)
    case .redirectLoop:
      return Self.redirect(to: "/again/\(turn)\(Self.withoutHop(request.target))", status: 302)
    case .silence:
      var answer = Answer(0, [], .bytes([]))
      answer.statusLine = ""
      answer.ending = .silence
      return answer
    default:
      return nil
    }
  }

  private static func redirect(to location: String, status: Int) -> Answer {
    var answer = Answer.page(status)
    answer.fields.append(HTTPField("Location", location))
    return answer
  }

  /// The target without the `/again/N` that an earlier hop has put before it.
  private static func withoutHop(_ target: String) -> String {
    guard target.utf8.starts(with: "/again/".utf8) else { return target }
    let rest = target.utf8.dropFirst("/again/".utf8.count).drop { $0 != UInt8(ascii: "/") }
    return String(Substring(rest))
  }

  /// A page of 2,520 bytes such as a captive network shows.
  private static var signInPage: Answer {
    let start =
      "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><p>Please sign in.</p>"
    let end = "</body></html>\n"
    let filler = String(repeating: " ", count: 2520 - start.utf8.count - end.utf8.count)
    return Answer(
      200,
      [HTTPField("Content-Type", "text/html; charset=utf-8")],
      .bytes(Array((start + filler + end).utf8))
    )
  }
}
