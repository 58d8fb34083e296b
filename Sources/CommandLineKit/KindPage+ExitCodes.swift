extension KindPage {
  /// The pages of the exit codes, which both tools share; the kinds of the same words need none of their own.
  static let exitCodes = successes + refusals + failures

  private static let successes = [
    KindPage(
      .done,
      .done,
      means: "all that was asked for is done",
      causes: ["nothing failed; there may have been warnings"],
      helps: ["read the warnings on standard error, or the warning events of --json"]
    ),
    KindPage(
      .findings,
      .findings,
      means: "the command ran to its end, and found something that a person should see",
      causes: ["that is what commands that look for trouble are for, such as doctor"],
      helps: ["read the results on standard output; each line is one finding"]
    ),
    KindPage(
      .interrupted,
      .interrupted,
      means: "the command was stopped by a signal",
      causes: ["Ctrl-C, a time limit of a script, or the end of a session"],
      helps: [
        "run the same command again: what was done and verified is kept",
        "a second Ctrl-C ends the tool at once; that too leaves no half-done state behind",
      ]
    ),
  ]

  private static let refusals = [
    KindPage(
      .usage,
      .usage,
      means: "the command line or a setting is wrong; nothing was done",
      causes: [
        "an option or operand is missing, misspelled, or has a value that it cannot have",
        "a SEALIFT_ variable or a file of the configuration holds what it must not",
      ],
      helps: [
        "the last line of the message is the usage of the command; help COMMAND says more",
        "the message names the option, variable or file with the value",
      ]
    ),
    KindPage(
      .notFound,
      .notFound,
      means: "there is no model, version or file of that name",
      causes: [
        "a misspelled name", "another store, or another folder, than the one that was meant",
      ],
      helps: ["compare the name with what list or ls shows", "state the place: --store, --config"]
    ),
    KindPage(
      .wrongBytes,
      .wrongBytes,
      means: "the bytes of a file differ from those that the manifest names",
      causes: [
        "a mirror serves other bytes: an old release, a page of an error, or a changed file",
        "a file on disk was changed or damaged after it was verified",
      ],
      helps: [
        "of a mirror: name a better one with --mirror",
        "on disk: install the version again, and find out who writes to the store",
      ]
    ),
    KindPage(
      .notAccepted,
      .notAccepted,
      means: "the manifest is not accepted, so nothing of it is used",
      causes: [
        "no key that may sign this model has signed it, or too few have",
        "it has expired, is withdrawn, or is older than what was active before",
      ],
      helps: ["read the kind in the message: each has its own page", "never work around it unread"]
    ),
    KindPage(
      .unusable,
      .unusable,
      means: "what was signed cannot be used",
      causes: [
        "a file is no model of its format, or the manifest is malformed",
        "no runtime that loads it is stated or installed here",
      ],
      helps: [
        "state the runtime, or get a later one",
        "tell the publisher: another mirror would serve the same bytes",
      ]
    ),
  ]

  private static let failures = [
    KindPage(
      .internalError,
      .internalError,
      means: "the program met what it was not made for",
      causes: ["a mistake in the program"],
      helps: ["report it, with the message and the version that --version shows"]
    ),
    KindPage(
      .network,
      .network,
      means: "no mirror served what was needed",
      causes: [
        "no network, a name that does not resolve, a proxy that is not set",
        "every mirror was down, slow or overloaded",
      ],
      helps: [
        "run the same command again; what is verified is not fetched twice",
        "name another mirror with --mirror; mirrors need no trust",
      ]
    ),
    KindPage(
      .busy,
      .busy,
      means: "another process holds what this one needs",
      causes: ["another install, removal or collection of the same model is at work"],
      helps: ["wait for it and try again; scripts may retry on this exit code"]
    ),
    KindPage(
      .localFailure,
      .localFailure,
      means: "a local file could not be read or written, or must not be",
      causes: [
        "missing permission, a full or failing disk, a folder where a file should be",
        "a file or folder that others can change",
      ],
      helps: [
        "the notes name the file and the system call", "correct the place, then run it again",
      ]
    ),
  ]
}
