import CommandErrors
import CommandLineKit
import Installing
import Manifests
import ModelStore
import StrictJSON
import Trust

/// Asks the trust policy of this moment about versions that are installed.
struct VersionJudge {
  /// What the policy says of a version.
  enum Answer {
    case accepted
    case refused(Diagnostic)
    /// The policy cannot be read, or no manifest of the version.
    case unknown

    /// Why it is not accepted; nil also where nobody knows.
    var refusal: Diagnostic? {
      if case .refused(let reason) = self { return reason }
      return nil
    }

    /// `null` where nobody knows.
    var json: JSONValue {
      switch self {
      case .accepted: .boolean(true)
      case .refused: .boolean(false)
      case .unknown: .null
      }
    }
  }

  /// Nil where it cannot be read, which was warned about: then nothing is refused, since nothing is started here.
  private let policy: TrustPolicy?
  /// The repositories that decide with it; none where it cannot be read.
  let repositories: [PinnedRepository]
  private let now: Timestamp

  init(_ client: Client) throws {
    let read = client.policyIfReadable()
    (policy, repositories) = (read?.policy, read?.repositories ?? [])
    now = try Timestamp.current()
  }

  /// What the repository of a model has withdrawn; nil for a model of none, or of one that was not asked yet.
  func withdrawn(from model: ModelName) -> WithdrawnReleases? {
    policy?.reservation(for: model)?.terms?.withdrawn
  }

  /// Whether the policy accepts a version.
  func answer(of name: VersionName, in model: borrowing StoredModel) throws -> Answer {
    guard let policy else { return .unknown }
    do {
      _ = try model.accept(name, by: policy, now: now)
      return .accepted
    } catch let error as TrustError {
      return .refused(ConsumerTool.explain(error))
    } catch InstallError.otherManifest {
      return .unknown
    } catch is StoreError {
      return .unknown
    }
  }

  /// The same for the active version of a model, if its bytes are there.
  func answer(
    ofActive status: ModelStatus,
    in model: borrowing StoredModel
  ) throws -> Answer {
    guard let active = status.record.record?.active.name,
      status.versions.contains(where: { $0.name == active })
    else { return .unknown }
    return try answer(of: active, in: model)
  }

  /// Warns of a version that the policy accepts no more.
  func warn(
    of name: VersionName,
    in model: borrowing StoredModel,
    _ console: Console
  ) throws {
    guard let reason = try answer(of: name, in: model).refusal else { return }
    console.warn(
      Diagnostic(
        .notAccepted,
        kind: reason.kind,
        "\(model.name) \(name.version) is no longer accepted: \(reason.message)",
        notes: reason.notes,
        helps: ["sealift exec does not start it; install another version"]
      )
    )
  }
}
