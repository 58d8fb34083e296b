import CommandErrors
import CommandLineKit
import Publishing

extension ExportCommand {
  static let help = CommandHelp(
    operands: [OperandHelp("MANIFEST", "the manifest")],
    options: [
      OptionHelp(
        "--format",
        value: "FORMAT",
        occurrence: .repeatedAtLeastOnce,
        ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")
      )
    ] + SignerOptions.help + [
      OptionHelp(
        "--identity",
        value: "NAME",
        "the signer's name for ssh-keygen, as release@example.com; release unless given"
      ),
      OptionHelp(
        "--mirror",
        value: "TEMPLATE",
        occurrence: .repeatable,
        "names this mirror in the Metalink too, before those of the manifest"
      ),
      OptionHelp(
        "--files",
        value: "DIR",
        "hashes pieces for the Metalink from the files in this folder, where the chunks have different lengths"
      ),
      OptionHelp(
        "--output",
        value: "PATH",
        "the folder, the current one unless given; a file where only one is written"
      ),
      OptionHelp(
        "--force",
        "replaces files that have other contents, but never a manifest, a key or a trust policy"
      ),
    ],
    details: [
      "sha256sums writes SHA256SUMS for sha256sum -c. minisign, signify, ssh and openssl write it with a signature and "
        + "the public key as that tool reads it: minisign -V -p minisign.pub -m SHA256SUMS; signify-openbsd -V -p "
        + "signify.pub -m SHA256SUMS -x SHA256SUMS.sig; ssh-keygen -Y verify -f allowed_signers -I release -n sealift -s "
        + "SHA256SUMS.sshsig < SHA256SUMS; openssl pkeyutl -verify -pubin -inkey pub.pem -rawin -in SHA256SUMS -sigfile "
        + "SHA256SUMS.ed25519.",
      "What stands in the place of a file is told by its content: a public key that an earlier export wrote beside a "
        + "signature is replaced with --force, as any text is; manifests and other signed documents, private and public "
        + "keys, files of 32 or 64 bytes, which may be keys, and the documents of sealift are not.",
      "metalink writes Metalink 4 with mirrors and pieces, for aria2c -M; cyclonedx writes a bill of materials, "
        + "CycloneDX 1.6. The same manifest, key and options give the same bytes.",
      "SHA256SUMS is always made from the manifest, and nothing else is signed: the list itself, its hash of 64 bytes "
        + "(minisign, and its signature with the comment), or the hash in the frame of SSHSIG. Use a key for exports alone: signify and "
        + "openssl sign bare bytes. Whether the manifest is signed by whom it should be is not asked: verify does that "
        + "first.",
    ],
    examples: [
      ExampleHelp(
        "sealift-publish export m.json --format minisign --format ssh --key keys/export.key --output dist/",
        "writes the list of digests with two signatures"
      ),
      ExampleHelp(
        "sealift-publish export m.json --format cyclonedx --output tiny.cdx.json",
        "writes a bill of materials"
      ),
    ]
  )
}
