import Signatures
import StrictJSON

extension Envelope {
  /// What is said of more bytes than an envelope may have, whoever counted them.
  package static var tooLarge: ManifestError {
    .envelope(
      .syntax(JSONSyntaxError(offset: maximumSize, problem: .tooLarge(limit: maximumSize)))
    )
  }

  /// Reads an envelope; unknown members are ignored, everything else is strict.
  ///
  /// Throws `envelope` for more than 16 MiB, for JSON that is ambiguous, for a missing member, for
  /// base64 of another form, a signature's included, and for more than 64 signatures. No signature
  /// at all is a form of an envelope too: what `build` writes and `sign` adds to.
  package init(parsing bytes: [UInt8]) throws(ManifestError) {
    do {
      try self.init(strictly: bytes)
    } catch {
      throw .envelope(error)
    }
  }

  private init(strictly bytes: [UInt8]) throws(DocumentProblem) {
    let value: JSONValue
    do {
      value = try JSONReader.parse(bytes, limits: JSONLimits(bytes: Self.maximumSize))
    } catch {
      throw .syntax(error)
    }
    let members = try JSONMembers<DocumentProblem>(document: value)
    let entries = try members.objects("signatures")
    guard entries.count <= Self.maximumSignatureCount else {
      throw .tooManySignatures(limit: Self.maximumSignatureCount, found: entries.count)
    }
    self.init(
      payloadType: try members.string("payloadType"),
      payload: try members.node("payload").base64(),
      signatures: try entries.map { entry throws(DocumentProblem) in
        EnvelopeSignature(
          keyID: try entry.optionalString("keyid") ?? "",
          bytes: try entry.node("sig").base64()
        )
      }
    )
  }

  /// Returns the envelope as a JSON file: the same bytes for the same envelope, two spaces of
  /// indentation, a newline at the end.
  package func encode() -> [UInt8] {
    JSONWriter.pretty([
      "payload": .string(Base64.encode(payload)),
      "payloadType": .string(payloadType),
      "signatures": .array(
        signatures.map { signature in
          ["keyid": .string(signature.keyID), "sig": .string(Base64.encode(signature.bytes))]
        }
      ),
    ])
  }
}

extension JSONNode where Failure == DocumentProblem {
  fileprivate func base64() throws(DocumentProblem) -> [UInt8] {
    guard let bytes = Base64.decode(try string()) else { throw .notBase64(path: path) }
    return bytes
  }
}
