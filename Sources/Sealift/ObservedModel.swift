public import Observation

/// A model as a user interface shows it: change what is shown when ``state`` changes.
///
/// Lives on the main actor, as views do; the work does not.
///
///     let model = ObservedModel("acme/tiny", source: .url(address), in: library)
///     model.install()
///
@MainActor @Observable public final class ObservedModel {
  /// The name of the model.
  public let name: String
  /// The state to show.
  public private(set) var state: InstallState
  /// The version that programs load now, also while another one is on its way; nil if there is none.
  public private(set) var activeVersion: String?

  private let source: ModelSource
  private let library: ModelLibrary
  @ObservationIgnored private var following: Task<Void, Never>?

  /// Shows a model, and looks at what is on disk.
  ///
  /// - Parameters:
  ///   - name: The name of the model.
  ///   - source: From where ``install(options:)`` has it.
  ///   - library: The library that keeps it.
  public init(_ name: String, source: ModelSource, in library: ModelLibrary) {
    (self.name, self.source, self.library) = (name, source, library)
    state = .notDownloaded
    refresh()
  }

  /// Looks again at what is on disk, as after the application came back to the front.
  ///
  /// While an install of this model goes on, its state stays.
  public func refresh() {
    do throws(ModelFailure) {
      activeVersion = try library.activeVersion(of: name)
      if following == nil { state = try library.state(of: name) }
    } catch {
      if following == nil { state = .failed(error) }
    }
  }

  /// Installs the model and shows its states; goes on with what an interrupted install has left, and so retries too.
  ///
  /// While it is being installed, nothing happens.
  public func install(options: InstallOptions = InstallOptions()) {
    guard following == nil else { return }
    let states = library.install(source, options: options)
    following = Task { [weak self] in
      for await state in states { self?.state = state }
      self?.following = nil
      self?.noteEnd()
    }
  }

  /// Cancels the install; the active version stays.
  public func cancel() { library.cancel(source) }

  /// Waits until no install of this model goes on.
  public func finish() async { await following?.value }

  private func noteEnd() {
    if let version = try? library.activeVersion(of: name) { activeVersion = version }
  }
}
