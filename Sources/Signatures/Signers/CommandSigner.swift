import SystemFiles

/// A program that signs with a key that stays where it is: in a token, a service, another process.
///
/// It gets the message on its standard input and prints the signature: 64 bytes, or their base64 or hexadecimal text.
/// The key is told by whoever names the command; what the program prints is worth nothing until it verifies.
package struct CommandSigner: Signer {
  /// The most bytes that a program may print: room for any form of a signature.
  package static let outputLimit = 4_096

  package let publicKey: PublicKey
  private let command: SignerCommand
  private let report: @Sendable (String) -> Void

  /// Names the command, and the key that it signs with.
  ///
  /// `report` gets each line that the program prints to its standard error, as it came.
  package init(
    _ command: SignerCommand,
    publicKey: PublicKey,
    report: @escaping @Sendable (String) -> Void
  ) {
    (self.command, self.publicKey, self.report) = (command, publicKey, report)
  }

  /// Runs the command to its end, however long that takes; blocks the calling thread.
  ///
  /// - Throws: ``SignerError``, and `CancellationError` once the task is cancelled.
  package func sign(_ message: [UInt8]) throws -> Signature {
    let exchange: ProgramExchange
    do throws(ProgramExchange.Failure) {
      exchange = try ProgramExchange(
        with: command.words,
        input: message,
        limit: Self.outputLimit,
        report: report
      )
    } catch {
      throw Self.error(error, command.program)
    }
    guard exchange.ending == .exited(0) else {
      throw SignerError.commandFailed(program: command.program, exchange.ending)
    }
    do throws(SignatureFault) {
      return try Signature(printed: exchange.output)
    } catch {
      throw SignerError.commandPrintedNoSignature(program: command.program, error)
    }
  }

  private static func error(_ failure: ProgramExchange.Failure, _ program: String) -> any Error {
    switch failure {
    case .notStarted(let error): SignerError.commandNotStarted(error)
    case .tooMuchOutput(let limit):
      SignerError.commandPrintedTooMuch(program: program, limit: limit)
    case .tooManyErrors(let limit):
      SignerError.commandComplainedTooMuch(program: program, limit: limit)
    case .cancelled: CancellationError()
    }
  }
}
