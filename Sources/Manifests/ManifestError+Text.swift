extension ManifestError: CustomStringConvertible {
  /// The error as one sentence without a full stop, safe to print.
  package var text: String {
    switch self {
    case .text(let problem): problem.text
    case .release(let problem): problem.text
    case .envelope(let problem): "not a signed manifest: \(problem.text)"
    case .payload(let problem): "the manifest is unusable: \(problem.text)"
    case .report(let problem): "the report is unusable: \(problem.text)"
    case .signing(let problem): problem.text
    }
  }

  package var description: String { text }
}

extension TextProblem {
  package var text: String {
    let shown = kind == .mirror || kind == .repositoryURL ? MirrorTemplate.redacted(found) : found
    return "\(kind.rawValue) \"\(escaped(shown))\": \(fault.text)"
  }
}

extension SigningProblem {
  package var text: String {
    switch self {
    case .alreadySigned(let key): "\(key) has already signed this manifest"
    case .doesNotVerify(let key): "the signature is not one of this manifest by \(key)"
    case .tooManySignatures(let limit): "the manifest has \(limit) signatures, which is the limit"
    case .otherPayload: "the signatures are for another manifest"
    case .notByAnyKey(let number, let claimed):
      "signature \(number), which names \(claimed.isEmpty ? "no key" : escaped(claimed)), is not one of this "
        + "manifest by any key that was given"
    case .unnamed(let number):
      "signature \(number) is not one of Ed25519 under the fingerprint of a key"
    case .contradiction(let key): "there are two different signatures under the name of \(key)"
    }
  }
}

extension DocumentProblem {
  package var text: String {
    switch self {
    case .syntax(let error): "\(error)"
    case .shape(let error): "\(error)"
    case .text(let path, let problem): "\(path): \(problem.text)"
    case .notBase64(let path): "\(path) is not base64 with padding"
    case .unexpected(let path, let expected, let found):
      "\(path) must be \"\(expected)\", not \"\(escaped(found))\""
    case .release(let problem): problem.text
    case .subjectMissing(let file): "no subject is named \"\(escaped(file))\", as a file is"
    case .subjectUnknown(let name): "no file is named \"\(escaped(name))\", as a subject is"
    case .subjectTwice(let name): "two subjects are named \"\(escaped(name))\""
    case .subjectDiffers(let file):
      "the subject and the file named \"\(escaped(file))\" have different SHA-256 digests"
    case .unknownCritical(let name):
      "\"\(escaped(name))\" is critical and unknown to this version of the program"
    case .tooManySignatures(let limit, let found): "\(found) signatures, more than \(limit)"
    }
  }
}

extension ReleaseProblem {
  package var text: String {
    switch self {
    case .noFiles: "a release has at least one file"
    case .tooManyFiles(let limit, let found): "\(found) files, more than \(limit)"
    case .pathsCollide(let one, let other):
      "\"\(escaped(one))\" and \"\(escaped(other))\" can't lie in one folder on every system"
    case .badSize(let file, let size): "\(file) has the size \(size), not one from 0 to 2^53 - 1"
    case .tooLarge: "the files are larger than 2^53 - 1 bytes together"
    case .badChunkLength(let file, let chunk, let length):
      "chunk \(chunk) of \(file) has \(length) bytes, not 1 to \(ChunkLength.maximum)"
    case .chunksDiffer(let file, let size, let covered):
      "the chunks of \(file) cover \(covered) bytes of \(size)"
    case .tooManyChunks(let limit): "more than \(limit) chunks"
    case .manifestTooLarge(let limit): "the manifest would be larger than \(limit) bytes"
    }
  }
}
