import Manifests
import SystemFiles
import Transfers

/// How a library fetches and what it may load, besides where models are kept and who is trusted.
///
/// The defaults suit an application that asks the mirrors of the manifest and loads models with a runtime of its own.
public struct LibrarySettings: Hashable, Sendable {
  /// Mirrors that are asked before those of the manifest: templates with `{sha256}`, `{name}`, `{model}` or `{version}`.
  public var mirrors: [String] = []
  /// The runtimes that will load models, as `name=version`, such as `llama.cpp=b6000`; a release may ask for one.
  public var runtimes: [String] = []
  /// Whether files are accepted that can run code when they are loaded, such as pickles.
  public var allowsCode = false
  /// A PEM file with the certificate authorities to trust for `https`, instead of the system's.
  public var certificateAuthorities: String?
  /// The proxies to use.
  public var proxies = Proxies.environment
  /// Bearer tokens (RFC 6750), each for one origin such as `https://models.example.com`; they never appear in any text.
  public var tokens: [String: String] = [:]
  /// The most connections at once, at least 1.
  public var connections = 6
  /// The most bytes to receive in a second; nil for as many as come.
  public var bytesPerSecond: Int?
  /// How long no mirror may serve a byte before a download is given up.
  public var patience = Duration.seconds(120)
  /// What mirrors are told of who asks: a product and its version, such as `myapp/1.2`.
  public var userAgent = "sealift-library"

  /// Makes the defaults.
  public init() {}

  /// The proxies of a library.
  public enum Proxies: Hashable, Sendable {
    /// Those that `http_proxy`, `https_proxy` and `no_proxy` name in the environment.
    case environment
    /// None, whatever the environment says.
    case none
    /// The URLs of the proxies for `http` and `https` mirrors, and the hosts to reach without one, separated by commas.
    case urls(http: String?, https: String?, exceptions: String?)
  }
}

/// The settings after they were read, which cannot be wrong any more.
struct CheckedSettings: Sendable {
  let mirrors: [MirrorTemplate]
  let runtimes: [RuntimeStatement]
  let allowsCode: Bool
  let transfer: FetchOptions

  /// Throws ``ModelFailure/Reason/invalidConfiguration``; its details name the setting and none of the secrets.
  init(_ settings: LibrarySettings) throws(ModelFailure) {
    do {
      mirrors = try settings.mirrors.map { try MirrorTemplate($0) }
      runtimes = try settings.runtimes.map { try RuntimeStatement($0) }
    } catch {
      throw ModelFailure(
        configuration: "The mirrors or runtimes of this application are not valid.",
        details: [escaped(redact("\(error)"))]
      )
    }
    allowsCode = settings.allowsCode
    transfer = try Self.options(settings)
  }

  private static func options(_ settings: LibrarySettings) throws(ModelFailure) -> FetchOptions {
    var options = FetchOptions()
    guard settings.connections > 0, settings.bytesPerSecond ?? 1 > 0, settings.patience > .zero
    else {
      throw ModelFailure(
        configuration: "The limits of this application's downloads are out of range."
      )
    }
    options.jobs = settings.connections
    options.limitRate = settings.bytesPerSecond
    options.userAgent = settings.userAgent
    options.clocks.giveUp(after: settings.patience)
    options.proxies = proxies(settings.proxies)
    options.authorities = settings.certificateAuthorities
    do throws(SystemError) { try options.checkAuthorities() } catch {
      throw ModelFailure(
        configuration: "The certificate authorities of this application cannot be read.",
        details: ["\(error.call): \(error.reason)"]
      )
    }
    for (origin, token) in settings.tokens {
      do throws(MirrorFault) { try options.credentials.add(bearer: token, for: origin) } catch {
        throw ModelFailure(
          configuration: "A token of this application cannot be sent to its mirror.",
          details: [escaped(redact(origin))]
        )
      }
    }
    return options
  }

  private static func proxies(_ proxies: LibrarySettings.Proxies) -> FetchOptions.Proxies {
    switch proxies {
    case .none: return FetchOptions.Proxies()
    case .urls(let http, let https, let exceptions):
      var options = FetchOptions.Proxies()
      (options.http, options.https, options.exceptions) = (http, https, exceptions)
      return options
    case .environment:
      let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY"]
      let values = names.compactMap { name in environmentVariable(name).map { (name, $0) } }
      return FetchOptions.Proxies(environment: Dictionary(values) { first, _ in first })
    }
  }
}
