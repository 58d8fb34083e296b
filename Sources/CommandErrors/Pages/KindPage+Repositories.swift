import CommandLineKit

extension KindPage {
  /// The pages of repositories and of what they list.
  static let repositories = [
    KindPage(
      .reserved,
      .notAccepted,
      means: "the model belongs to a repository, and only what that vouches for is accepted",
      causes: [
        "a manifest that was signed with another key, which the trust policy here may name all the same",
        "the repository was added and not asked yet: a pattern is reserved at once",
      ],
      helps: [
        "sealift repo update asks the repositories; sealift install MODEL installs what they offer",
        "sealift repo remove NAME gives the models back to the trust policy here",
      ]
    ),
    KindPage(
      .badRepository,
      .notAccepted,
      means:
        "a document of a repository is malformed, older than one before, or not signed as it must be",
      causes: [
        "a mistake of the publisher", "somebody has one key of the repository and lacks others",
      ],
      helps: ["tell the publisher; what was accepted before stays in force"]
    ),
    KindPage(
      .badEntry,
      .notAccepted,
      means: "a repository lists one release, and the signed manifest under it is another",
      causes: ["a mistake of the publisher"],
      helps: ["tell the publisher"]
    ),
    KindPage(
      .badMetadata,
      .notAccepted,
      .wrongBytes,
      means:
        "metadata of a repository is not signed as it must be, not what the newer one names, or malformed",
      causes: [
        "a mirror that is broken or lies", "a file that is no root, where one was expected",
      ],
      helps: [
        "ask again later, or add another mirror; what was accepted before stays in force",
        "the message names the section of the TUF specification, by which the publisher finds the mistake",
      ]
    ),
    KindPage(
      .metadataRollback,
      .notAccepted,
      means: "a mirror serves metadata that is older than what was accepted before",
      causes: ["a mirror that has not caught up, or that hides newer releases"],
      helps: ["ask again later, or add another mirror: sealift repo add URL --mirror URL"]
    ),
    KindPage(
      .metadataExpired,
      .notAccepted,
      means:
        "the metadata of a repository is no longer valid, so nobody knows whether it is current",
      causes: [
        "the publisher has not renewed it", "a mirror that serves an old state for ever",
        "a clock that is wrong: the notes say what it shows",
      ],
      helps: [
        "installed models keep working; nothing new is installed until the metadata is current",
        "look at the clock of this machine, then tell the publisher",
      ]
    ),
    KindPage(
      .otherRoot,
      .notAccepted,
      means: "a repository is to be pinned by a root that does not follow from the pinned one",
      causes: [
        "the root of another repository, or one that somebody has made up",
        "a root that is newer than those that were fetched so far",
        "the publisher lost its root keys and began anew",
      ],
      helps: [
        "sealift repo update fetches the roots up to now",
        "compare the SHA-256 with what the publisher says; repo add --replace-root pins the new root",
      ]
    ),
    KindPage(
      .repositoryNameTaken,
      .usage,
      means: "another repository has this name, or one that differs in case alone",
      causes: ["a name is that of the host unless --name says another"],
      helps: ["give another name, or remove the repository first"]
    ),
    KindPage(
      .overlappingRepositories,
      .usage,
      means: "a model could belong to two repositories, and then either could speak for the other",
      causes: ["patterns such as * or acme/* beside acme/tiny"],
      helps: ["reserve only what the repository publishes"]
    ),
    KindPage(
      .noSuchRepository,
      .notFound,
      means: "no repository has this name",
      causes: ["a typing mistake, or it was removed"],
      helps: ["sealift repo list shows them"]
    ),
    KindPage(
      .noFittingRelease,
      .notFound,
      means: "the repository offers no release of the model in this channel and range",
      causes: ["the releases are in other channels, or were withdrawn", "a typing mistake"],
      helps: ["the notes say what it has; --channel NAME takes another channel"]
    ),
  ]
}
