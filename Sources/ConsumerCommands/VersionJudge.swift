import CommandErrors
import CommandLineKit
import Installing
import Manifests
import ModelStore
import Trust

/// Asks the trust policy of this moment about versions that are installed.
struct VersionJudge {
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

  /// Why the policy does not accept a version; nil if it does, or where no manifest of it can be read.
  func refusal(of name: VersionName, in model: borrowing StoredModel) throws -> Diagnostic? {
    guard let policy else { return nil }
    do {
      _ = try model.accept(name, by: policy, now: now)
      return nil
    } catch let error as TrustError {
      return ConsumerTool.explain(error)
    } catch InstallError.otherManifest {
      return nil
    } catch is StoreError {
      return nil
    }
  }

  /// The same for the active version of a model, if its bytes are there.
  func refusal(
    ofActive status: ModelStatus,
    in model: borrowing StoredModel
  ) throws -> Diagnostic? {
    guard let active = status.record.record?.active.name,
      status.versions.contains(where: { $0.name == active })
    else { return nil }
    return try refusal(of: active, in: model)
  }

  /// Warns of a version that the policy accepts no more.
  func warn(
    of name: VersionName,
    in model: borrowing StoredModel,
    _ console: Console
  ) throws {
    guard let reason = try refusal(of: name, in: model) else { return }
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
