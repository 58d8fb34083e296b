import CommandLineKit

extension KindPage {
  /// The pages of what `mirror check` finds.
  static let mirrorCheck = answers + bytes

  private static let answers = [
    KindPage(
      .unreachable,
      .findings,
      .network,
      means: "a mirror gave no answer: no name, no way to it, no connection, or no word on it",
      causes: ["a wrong URL, a server that is down, or a network that lets nobody through"],
      helps: ["open the URL with curl -I to see", "https_proxy names a proxy"]
    ),
    KindPage(
      .tls,
      .findings,
      .network,
      means: "a mirror does not come to speak TLS",
      causes: ["a port that speaks plain http, or versions of TLS that nobody accepts any more"],
      helps: ["openssl s_client -connect HOST:443 shows what it speaks"]
    ),
    KindPage(
      .certificate,
      .findings,
      .network,
      means: "the certificate of a mirror is not one that this machine trusts",
      causes: ["an expired certificate, one for another name, or of an unknown authority"],
      helps: ["renew it at the mirror", "--ca-bundle FILE adds an authority of your own"]
    ),
    KindPage(
      .auth,
      .findings,
      means: "a mirror serves a file to those only who say who they are",
      causes: ["a private or gated model, or a bucket that is not public"],
      helps: ["make the file public there, or tell clients to bring a token"]
    ),
    KindPage(
      .throttled,
      .findings,
      means: "a mirror asks to be left alone for a while",
      causes: ["a limit on requests or bytes"],
      helps: ["run the check later, with fewer --sample chunks or a --limit-rate"]
    ),
    KindPage(
      .wrongStatus,
      .findings,
      means: "a mirror answers with a status that is none of success, absence or refusal",
      causes: ["a fault of the server"],
      helps: ["look into its log"]
    ),
    KindPage(
      .redirect,
      .findings,
      means: "redirects lead in a circle, too far, to what cannot be asked, or from https to http",
      causes: ["a wrong rule of the server or the CDN before it"],
      helps: ["curl -IL shows each step", "name the place where the files are as the mirror"]
    ),
    KindPage(
      .contentCoding,
      .findings,
      means: "a mirror sends files compressed although nobody asked for that",
      causes: ["a server or CDN that compresses all it serves, or files stored as .gz"],
      helps: ["turn compression off for model files"]
    ),
    KindPage(
      .protocolViolation,
      .findings,
      means: "a mirror answers what is no answer to the request",
      causes: ["a range other than the one that was asked for, or a malformed header"],
      helps: ["curl -v -r 0-99 shows the answer"]
    ),
    KindPage(
      .noRanges,
      .findings,
      means: "a mirror serves whole files only, so an interrupted transfer begins anew",
      causes: ["a plain server or proxy without range requests, or one that compresses"],
      helps: ["turn ranges on; nginx has them unless max_ranges is 0 or gzip is on"]
    ),
  ]

  private static let bytes = [
    KindPage(
      .cut,
      .findings,
      means: "the bytes of a file came to an end before their time",
      causes: ["a server or proxy that cuts long answers, or a disk that fails"],
      helps: ["run the check again to see whether it stays", "look into the log of the server"]
    ),
    KindPage(
      .stale,
      .findings,
      means:
        "a mirror has another file under the URL: another size or digest, or nearly all that was read is wrong",
      causes: ["a mirror that is behind, or a URL that is used for several releases"],
      helps: ["synchronise it", "put {sha256} or {version} into the template"]
    ),
    KindPage(
      .wrongChunk,
      .findings,
      means:
        "some chunks of a file are wrong at a mirror, and others are right, or only one was read",
      causes: ["a damaged copy, or an attack"],
      helps: ["upload the file again", "--full reads every chunk"]
    ),
    KindPage(
      .integrity,
      .findings,
      means: "a file that is verified as a whole has another digest at a mirror",
      causes: ["a damaged copy, or the file of another release"],
      helps: ["upload the file again"]
    ),
  ]
}
