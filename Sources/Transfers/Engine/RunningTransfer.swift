/// One request of a run: where it goes, what brings the bytes, and who takes them.
final class RunningTransfer {
  enum Carrier {
    case remote(EasyHandle, Exchange)
    case local(LocalTransfer)
    /// It failed before there was anything to send.
    case none
  }

  let order: Scheduler.Order
  let ask: ResponseAsk
  let intake: any TransferIntake
  var route: Route?
  /// The mirror's own URL.
  let url: TransferURL?
  var carrier = Carrier.none
  var isConnected = false
  var isAnswered = false
  /// The body bytes that the scheduler was told of.
  var told = 0

  init(
    _ order: Scheduler.Order,
    _ ask: ResponseAsk,
    into intake: any TransferIntake,
    url: TransferURL?
  ) {
    self.order = order
    self.ask = ask
    self.intake = intake
    self.url = url
  }

  /// The body bytes that came.
  var received: Int {
    switch carrier {
    case .remote(_, let exchange): exchange.received
    case .local(let local): local.received
    case .none: 0
    }
  }

  /// The bytes of the file that the answer brings; nil before it is known.
  var answer: Range<Int>? {
    switch carrier {
    case .remote(_, let exchange): exchange.answer
    case .local(let local): local.range
    case .none: nil
    }
  }

  /// What the scheduler is to know since the last call.
  func news() -> [Scheduler.Event] {
    var events: [Scheduler.Event] = []
    if !isConnected, case .remote(let handle, _) = carrier, handle.isConnected {
      isConnected = true
      events.append(.connected(transfer: order.transfer))
    }
    guard let answer else { return events }
    if !isAnswered {
      isAnswered = true
      events.append(.answered(transfer: order.transfer, answer))
    }
    let received = received
    if received > told {
      events.append(.received(transfer: order.transfer, count: received - told))
      told = received
    }
    return events
  }
}
