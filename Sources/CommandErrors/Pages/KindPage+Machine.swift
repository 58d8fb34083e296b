import CommandLineKit

extension KindPage {
  /// The pages of what any command can meet: files, output, this machine.
  static let machine =
    [
      KindPage(
        .outputFailed,
        .localFailure,
        means: "the work is done, but its results could not be written to standard output",
        causes: ["standard output is a file on a full disk, or was closed"],
        helps: ["make room or choose another file, and run the command again"]
      ),
      KindPage(
        .brokenHashing,
        means: "the processor computes wrong digests in one of its modes; another mode was used",
        causes: ["a faulty processor, or a virtual machine that claims what it cannot do"],
        helps: ["have the machine checked; the digests that were used are right"]
      ),
      KindPage(
        .badClock,
        .localFailure,
        means: "the clock of this machine shows a year that no date has, or a time that cannot be",
        causes: [
          "an empty battery, or a clock that was never set", "a release whose own time is to come",
        ],
        helps: ["set the clock"]
      ),
      KindPage(
        .configuration,
        .usage,
        means: "a file of the configuration cannot be read as what it should be",
        causes: ["it was edited by hand, or cut off by a full disk"],
        helps: ["correct it, or move it away and state anew what it said"]
      ),
    ] + files

  private static let files = [
    KindPage(
      .noSuchFile,
      .notFound,
      means: "there is no file of that name",
      causes: ["a misspelled path, or another working folder", "a path that a script left empty"],
      helps: ["compare the path in the message with what ls shows"]
    ),
    KindPage(
      .noFolder,
      .localFailure,
      means: "a path cannot be followed to its end",
      causes: ["a file, or a link, stands where a folder should be"],
      helps: ["move away what stands there"]
    ),
    KindPage(
      .noFile,
      .localFailure,
      means: "what stands there is no plain file",
      causes: ["a folder, a device, a pipe or a socket has the name"],
      helps: ["name another file, or move away what stands there"]
    ),
    KindPage(
      .noSpace,
      .localFailure,
      means: "the disk has no room left for what is to be written",
      causes: ["a full disk, a quota, or no inodes left"],
      helps: [
        "free some space; sealift gc shows and takes what no rule keeps",
        "keep the store on another disk with --store",
        "run the same command again: what is verified is kept",
      ]
    ),
    KindPage(
      .link,
      .usage,
      .localFailure,
      means: "a symbolic link stands where only a plain file is taken",
      causes: ["the file, or a folder above it, is a link, as in caches of other tools"],
      helps: ["name the file itself", "for a release, put a copy in its place: cp -L makes one"]
    ),
    KindPage(
      .otherFileSystem,
      .localFailure,
      means: "a file would have to move from one file system to another, which is not one step",
      causes: ["a folder within the store is a mount of its own"],
      helps: ["keep the folders of a store on one file system"]
    ),
    KindPage(
      .fileChanged,
      .localFailure,
      means: "a file changed while it was read",
      causes: ["a download or a conversion still writes to it"],
      helps: ["wait until nothing writes to it, then run the command again"]
    ),
    KindPage(
      .unreadable,
      .localFailure,
      means: "a file that was to be compared cannot be read",
      causes: ["missing permission, or a failing disk"],
      helps: ["give read permission, or run the command as the owner", "check the disk"]
    ),
  ]
}
