package import Manifests

/// What is asked of which mirror, before anything is asked.
package struct MirrorCheckPlan: Sendable {
  /// The places of a release's files at one mirror.
  struct Mirror: Sendable {
    let template: MirrorTemplate
    /// Each file by its place in the release, with its URL there.
    var files: [(index: Int, url: String)]
    /// The file whose answers show whether the mirror knows ranges, in any case.
    var rangeTestFile: Int
  }

  let release: Release
  let mirrors: [Mirror]

  /// Takes the mirrors of a release and of its files, and further ones, each template once.
  package init(_ release: Release, with others: [MirrorTemplate] = []) {
    self.release = release
    var mirrors: [Mirror] = []
    var places: [MirrorTemplate: Int] = [:]
    func add(_ template: MirrorTemplate, _ index: Int) {
      let file = release.files[index]
      let url = template.url(of: file, in: release)
      guard let place = places[template] else {
        places[template] = mirrors.count
        mirrors.append(Mirror(template: template, files: [(index, url)], rangeTestFile: index))
        return
      }
      // A file may name a mirror that the release has, too.
      guard mirrors[place].files.last?.index != index else { return }
      mirrors[place].files.append((index, url))
      if file.size > release.files[mirrors[place].rangeTestFile].size {
        mirrors[place].rangeTestFile = index
      }
    }
    for template in others + release.mirrors {
      for index in release.files.indices { add(template, index) }
    }
    for (index, file) in release.files.enumerated() {
      for template in file.mirrors { add(template, index) }
    }
    self.mirrors = mirrors
  }

  /// Whether there is no mirror to ask.
  package var isEmpty: Bool { mirrors.isEmpty }

  /// The bytes that are read at this depth if every mirror is right.
  package func size(_ depth: CheckDepth) -> Int {
    mirrors.reduce(0) { sum, mirror in
      mirror.files.reduce(sum) { sum, place in
        sum + FileProbe(release.files[place.index], index: place.index, depth: depth).plannedBytes
      }
    }
  }
}
