import CommandErrors
import CommandLineKit
import Installing
import Manifests
import ModelStore
import Repositories
import StrictJSON
import Transfers
import Trust

/// What a repository offers for a model that is installed.
struct ModelOffer {
  let model: ModelName
  let active: ActiveRecord.Entry
  let wish: ChannelFile.Wish
  let chosen: ChosenRelease
  /// What the repository says of the active version if it has withdrawn that.
  let withdrawal: WithdrawnRelease?

  private var newest: Version { chosen.accepted.release.version }

  /// Whether the offer takes the place of the active version.
  var isNews: Bool {
    guard chosen.accepted.digest != active.manifest else { return false }
    return active.version < newest || withdrawal != nil
  }

  /// How the active version stands to what is offered, to follow it.
  var words: String {
    let place = wish.demand.words
    if let withdrawal {
      let reason = "withdrawn: \(escaped(withdrawal.reason))"
      return isNews ? "\(reason); \(newest) is offered\(place)" : reason
    }
    if isNews { return "\(newest) is newer\(place)" }
    if newest < active.version { return "newer than \(newest), the newest\(place)" }
    return "the newest\(place)"
  }

  var members: JSONObject {
    [
      "model": .string(model.text), "version": .string(active.version.text),
      "newest": .string(newest.text), "channel": .string(wish.channel.text),
      "versions": .string("\(wish.range)"), "outdated": .boolean(isNews),
      "withdrawn": withdrawal.map { .string($0.reason) } ?? .null,
      "passed": .array(
        chosen.passed.map { ["version": .string($0.version.text), "reason": .string($0.words)] }
      ),
    ]
  }
}

extension Client {
  /// Asks the repositories about models that are installed, each repository once, and does `work` with each offer.
  ///
  /// - Parameters:
  ///   - names: The models; all that are installed and belong to a repository where there are none.
  ///   - options: How to fetch.
  ///   - statements: The stated runtimes.
  ///   - now: The time of the decisions.
  ///   - work: What to do with an offer. What it throws is told, and stops no other model.
  /// - Returns: How many models there were, and the exit code of the first failure that was told.
  /// - Throws: What is wrong with the configuration or the store, and `CancellationError`.
  func forEachOffer(
    of names: [ModelName],
    _ options: FetchOptions,
    given statements: [RuntimeStatement],
    now: Timestamp,
    _ work: (ModelOffer) async throws -> Void
  ) async throws -> (count: Int, code: ExitCode?) {
    let wishes = try channels.load()
    var failures = ToldFailures(console)
    let models = try installedModels(names)
    for repository in try repositoryList().repositories {
      let own = models.filter { repository.covers($0.name) }
      guard !own.isEmpty else { continue }
      var offers: [ModelOffer] = []
      do {
        let followed = try await follow(repository, options, now: now)
        let policy = try policy()
        for model in own {
          let wish = wishes[model.name] ?? ChannelFile.Wish()
          do {
            let chosen = try await followed.choose(
              wish.demand,
              of: model.name,
              by: policy,
              given: statements,
              badMark: { try store(having: model.name).model(model.name).badMark(of: $0)?.reason },
              now: now
            )
            offers.append(
              ModelOffer(
                model: model.name,
                active: model.active,
                wish: wish,
                chosen: chosen,
                withdrawal: followed.withdrawn.release(of: model.active.manifest)
              )
            )
          } catch {
            try failures.add(error)
          }
        }
      } catch {
        try failures.add(error)
      }
      // The repository is free again while models are fetched.
      for offer in offers {
        do { try await work(offer) } catch { try failures.add(error) }
      }
    }
    return (models.count, failures.code)
  }

  /// The models that have an active version: those that are named, or all that belong to a repository.
  private func installedModels(
    _ names: [ModelName]
  ) throws -> [(name: ModelName, active: ActiveRecord.Entry)] {
    guard !names.isEmpty else {
      guard let store = try Store.open(reading: folders.store) else { return [] }
      let list = try repositoryList()
      return try store.modelNames().filter { list.repository(for: $0) != nil }
        .compactMap { name in
          try store.model(name).recordState().record.map { (name, $0.active) }
        }
    }
    return try names.map { name in
      _ = try repository(of: name)
      return (name, try store(having: name).model(name).activeVersion())
    }
  }
}
