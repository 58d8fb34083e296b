import CommandLineKit

extension KindPage {
  /// The pages of mirrors and the network.
  static let mirrors = [
    KindPage(
      .offline,
      .network,
      means: "no name resolves, or there is no way to any host",
      causes: ["no network, no DNS, or a proxy that is not set"],
      helps: ["look at the network; https_proxy names a proxy", "run the same command again"]
    ),
    KindPage(
      .transient,
      means: "a mirror refused, broke off, or answered that it fails now",
      causes: ["an overloaded or restarting server, or a bad connection"],
      helps: ["nothing: it is asked again after a pause, and others meanwhile"]
    ),
    KindPage(
      .throttled,
      means: "a mirror asks to be left alone for a while",
      causes: ["a limit on requests or bytes"],
      helps: ["nothing, or fewer requests at once: --jobs", "give access with a token for more"]
    ),
    KindPage(
      .auth,
      .network,
      means: "the mirrors ask for credentials, or refuse those that were given",
      causes: ["a private or gated model, or an expired token"],
      helps: [
        "give a token: --token-env, --tokens or --netrc", "name a mirror that gives access",
      ]
    ),
    KindPage(
      .certificate,
      means: "the certificate of a mirror is not one that this machine trusts",
      causes: ["an expired certificate, a proxy that opens connections, or a wrong clock"],
      helps: ["--ca-bundle FILE adds an authority", "look at the clock"]
    ),
    KindPage(
      .integrity,
      .wrongBytes,
      means: "a mirror serves bytes that are not those that the manifest names",
      causes: ["another version of the file, a damaged copy, or an attack"],
      helps: ["name a better mirror with --mirror", "tell the publisher which mirror it is"]
    ),
    KindPage(
      .protocolViolation,
      .network,
      means: "a mirror answers what is no answer to the request",
      causes: ["a login page, a compressed body, a redirect in a circle, a wrong range"],
      helps: ["open the URL with curl -I to see", "name a better mirror with --mirror"]
    ),
    KindPage(
      .noRanges,
      means: "a mirror serves whole files only, so a wrong chunk costs a whole transfer",
      causes: ["a plain server or proxy without range requests"],
      helps: ["turn ranges on at the mirror, or name another one"]
    ),
    KindPage(
      .noMirror,
      .usage,
      means: "nothing says where the files can be fetched",
      causes: ["the manifest names no mirror"],
      helps: ["--mirror TEMPLATE names one, such as 'https://HOST/PATH/{name}'"]
    ),
    KindPage(
      .noRepository,
      .notFound,
      means: "a model was named that belongs to no repository here",
      causes: [
        "its repository was not added, or the pattern of one does not match: * never crosses a /"
      ],
      helps: [
        "sealift repo list shows which models belong to which repository; sealift repo add adds one",
        "sealift install ./manifest.json, or the URL of a manifest, needs no repository",
      ]
    ),
    KindPage(
      .plainHTTP,
      means:
        "a transfer is not encrypted: others can see and stop it, not change what is installed",
      causes: ["a mirror or manifest whose URL begins with http:"],
      helps: ["use https where the host offers it"]
    ),
    KindPage(
      .exposedToken,
      means: "a token is sent over a connection that others can read",
      causes: ["a token for an origin that begins with http:"],
      helps: ["use https for that mirror, and replace the token"]
    ),
  ]
}
