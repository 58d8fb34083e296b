/// Where the body of a transfer goes, and what can be said about its end.
protocol TransferIntake: BodySink {
  /// Where the transfer is to end; bytes from there on stop it.
  var end: Int { get set }
  /// Whether it has come there.
  var isAtEnd: Bool { get }
  /// Gives away the unfinished piece, if there is one.
  func takeUnfinished() -> Assembly?
}
