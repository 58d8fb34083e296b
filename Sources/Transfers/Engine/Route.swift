/// The way from a mirror's URL to where the bytes are, by the redirect policy.
///
/// It begins where the URL led before. When an answer from there says that this no longer holds, the mirror's
/// own URL is asked again, once.
struct Route: Sendable {
  /// Where to ask now.
  private(set) var target: TransferURL
  /// The mirror's own URL.
  let start: TransferURL
  private let allowsDowngrade: Bool
  private var isRemembered: Bool
  private var trail: RedirectTrail

  init(to start: TransferURL, remembered: TransferURL?, allowsDowngrade: Bool) {
    self.start = start
    self.allowsDowngrade = allowsDowngrade
    target = remembered ?? start
    isRemembered = remembered != nil
    trail = RedirectTrail(from: start, allowsDowngrade: allowsDowngrade)
  }

  /// The places to which redirects led from the mirror's own URL.
  var hops: [MirrorReading.Hop] { trail.hops }

  /// Whether `target` is to be asked after this end; if not, the end is the end.
  mutating func goesOn(after end: ExchangeEnd) throws(MirrorFault) -> Bool {
    if isRemembered {
      guard end.deniesTarget else { return false }
      isRemembered = false
      target = start
      return true
    }
    guard case .redirect(let location) = end else { return false }
    target = try trail.follow(location)
    return true
  }

  /// What to remember of the way after this end; nil for nothing.
  func memory(after end: ExchangeEnd) -> TransferURL? {
    switch end {
    case .complete, .stopped, .cancelled: target == start ? nil : target
    case .redirect, .fault: nil
    }
  }
}

extension ExchangeEnd {
  /// Whether it may mean that the place to which a mirror led before holds no more.
  fileprivate var deniesTarget: Bool {
    switch self {
    case .redirect: true
    case .fault(let fault): [.auth, .missing].contains(fault.kind)
    case .complete, .stopped, .cancelled: false
    }
  }
}
