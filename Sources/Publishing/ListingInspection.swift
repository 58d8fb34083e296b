package import ModelFormats
import SystemFiles
import Verification

/// What the headers of listed files say, each by itself and all together.
package struct ListingInspection: Sendable {
  /// In the order of the listing.
  package let files: [FileInspection]
  package let together: ReleaseInspection

  /// Reads the headers; a file that is at fault is no error.
  ///
  /// What can run code and what cannot be checked is no fault here, since nothing is published; what is for another
  /// kind of host is one, as for a release.
  /// With `isStrict`, a warning is a fault.
  /// - Throws: `SystemError`.
  package init(_ listing: SourceListing, isStrict: Bool = false) throws {
    var consent = InspectionConsent()
    (consent.code, consent.unverified, consent.isStrict) = (true, nil, isStrict)
    files = try listing.files.map { file in
      try FileInspection(file.path, try FileSource(try file.open()), consent: consent)
    }
    let places = Dictionary(uniqueKeysWithValues: listing.files.map { ($0.path, $0) })
    let together = try ReleaseInspection(of: files) { path throws(SystemError) -> FileSource in
      guard let file = places[path] else { preconditionFailure("only listed files are asked for") }
      return try FileSource(try file.open())
    }
    self.together = isStrict ? together.strict() : together
  }
}
