import CommandLineKit

extension KindPage {
  /// The pages of signers that are no key files, and of signatures that are carried from one place to another.
  static let signing = agents + programs + carried

  private static let agents = [
    KindPage(
      .noAgent,
      .usage,
      .localFailure,
      means: "no ssh-agent can be reached",
      causes: [
        "no agent runs, or SSH_AUTH_SOCK says where another one was",
        "the shell is one of sudo, which hides the variable",
      ],
      helps: ["eval \"$(ssh-agent)\" starts an agent", "ssh-add -l shows whether it answers"]
    ),
    KindPage(
      .silentAgent,
      .localFailure,
      means: "the ssh-agent took the connection and did not list its keys",
      causes: ["it waits for a person, or hangs"],
      helps: ["look whether it asks something", "start another agent"]
    ),
    KindPage(
      .badAgent,
      .localFailure,
      means: "what listens at SSH_AUTH_SOCK does not speak the protocol of an agent",
      causes: [
        "another program listens there",
        "an agent that crashed, or one that does not know raw Ed25519",
      ],
      helps: ["start an agent of OpenSSH"]
    ),
    KindPage(
      .agentRefused,
      .localFailure,
      means: "the ssh-agent said no",
      causes: ["somebody did not confirm", "it is locked, or the key was for a limited time"],
      helps: ["ssh-add -X unlocks it", "ssh-add adds the key again"]
    ),
    KindPage(
      .notInAgent,
      .notFound,
      means: "the ssh-agent does not have the key",
      causes: ["another agent, or the key was not added", "the fingerprint of another key"],
      helps: ["ssh-add -l lists what it has", "ssh-add FILE adds a key"]
    ),
    KindPage(
      .unfitKey,
      .usage,
      means: "the key of the ssh-agent is not a plain Ed25519 key",
      causes: ["an RSA or ECDSA key", "a FIDO key, which signs a structure of its own"],
      helps: ["ssh-keygen -t ed25519 makes a fit one"]
    ),
    KindPage(
      .tooLongForAgent,
      .unusable,
      means: "the manifest is longer than an ssh-agent takes in one message",
      causes: ["a table of very many chunks"],
      helps: [
        "sign with a key file or with --signer", "sign elsewhere with --emit-payload and --attach",
        "build fewer files into one release",
      ]
    ),
  ]

  private static let programs = [
    KindPage(
      .badSignerCommand,
      .usage,
      means: "what stands after --signer cannot be split into words, or wants a shell",
      causes: [
        "a quote that is not closed",
        "a pipe, a variable or another thing that only a shell can do",
      ],
      helps: ["put it into a script, and name the script"]
    ),
    KindPage(
      .noSuchProgram,
      .notFound,
      means: "there is no program of this name",
      causes: ["a misspelled name, or a folder that is not in PATH"],
      helps: ["name the program with its path"]
    ),
    KindPage(
      .signerFailed,
      .localFailure,
      means: "the program that was to sign could not be started, or failed",
      causes: ["a token that is not there, a wrong PIN, or a service that said no"],
      helps: [
        "read what the program printed", "run it by itself with the output of sign --emit-payload",
      ]
    ),
    KindPage(
      .badSignerOutput,
      .localFailure,
      means: "the program that was to sign printed something else than a signature",
      causes: [
        "it printed messages to its standard output",
        "it signs with another method, or prints another form",
      ],
      helps: ["it must print 64 bytes, base64 or hexadecimal digits, and nothing else"]
    ),
    KindPage(
      .unexpectedKey,
      .notAccepted,
      means: "the signer is none of those that were expected",
      causes: ["another key file, or another agent, than the one that was meant"],
      helps: ["compare the fingerprints", "name the right key with --pub"]
    ),
  ]

  private static let carried = [
    KindPage(
      .otherPayload,
      .notAccepted,
      means: "the manifests whose signatures are to be put together are not the same",
      causes: ["somebody built the release again, or signed another version"],
      helps: ["sign the same file, byte for byte", "show prints what each of them says"]
    ),
    KindPage(
      .unverified,
      means: "signatures were put together by the names that they carry, and none was verified",
      causes: ["no public key was named"],
      helps: ["name the keys with --key, once for each signer"]
    ),
    KindPage(
      .noSignature,
      .notAccepted,
      means: "the file holds no Ed25519 signature in a known form",
      causes: [
        "minisign without -l, which signs a hash",
        "an SSH signature, or one of another kind of key",
      ],
      helps: ["bring 64 bytes, their base64 or hexadecimal text, or a file of minisign -S -l"]
    ),
    KindPage(
      .outputIsInput,
      .usage,
      means: "the result would take the place of the manifest that it is made from",
      causes: ["the same file was named twice"],
      helps: ["choose another file with --output"]
    ),
  ]
}
