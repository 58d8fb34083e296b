import Manifests
import ModelFormats
import Testing

struct OpenVINOTests {
  private func text(
    version: String = "11",
    offset: String = "0",
    size: String = "64",
    before: String = "",
    inside: String = ""
  ) -> String {
    """
    <?xml version="1.0"?>\(before)
    <net name="Model" version="\(version)"><layers>
    <layer id="0" name="x" type="Parameter" version="opset1"><data shape="1,4" element_type="f32" /></layer>
    <layer id="1" name="w" type="Const" version="opset1">
      <data element_type="f32" shape="4,4" offset="\(offset)" size="\(size)" />
    </layer>\(inside)</layers><edges/>
    <rt_info><info name="OpenVINO Runtime" value="2026.4.1-22982-abc" /></rt_info></net>
    """
  }

  private func inspect(_ text: String) throws -> FileInspection {
    try ModelFormatsTests.inspect("m.xml", Array(text.utf8))
  }

  @Test func `a whole description has no fault, and tells its facts`() throws {
    let found = try inspect(text())
    #expect(found.problemCode == nil)
    #expect(found.format.name.text == "openvino-ir")
    #expect(found.format.version == 11)
    #expect(found.format.types == ["f32"])
    #expect(found.format.more["constants"] == .integer(1))
    #expect(found.minimums == ["openvino 2026.4"])
    let old = text().replacing("info name=\"OpenVINO Runtime\"", with: "Runtime_version")
    #expect(try inspect(old).minimums == ["openvino 2026.4"])
    let custom = text().replacing("2026.4.1-22982-abc", with: "custom_build")
    #expect(try inspect(custom).minimums == [])
    #expect(
      try inspect(custom).report.unknownToRuntimes == ["OpenVINO IR written by custom_build"]
    )
  }

  @Test(
    arguments: [
      (64, [], []), (63, ["m.xml outOfBounds"], []), (nil, ["m.xml externalFileMissing"], []),
      (65, [], ["m.bin trailingBytes"]),
    ] as [(Int?, [String], [String])]
  )
  func `the weights lie beside it, and are long enough`(
    size: Int?,
    problems: [String],
    warnings: [String]
  ) throws {
    var files = ["m.xml": Array(text().utf8)]
    if let size { files["m.bin"] = ReleaseFixture.data(size) }
    let release = try ReleaseFixture(files)
    #expect(release.fileProblems == [])
    #expect(release.problems == problems)
    #expect(release.warnings == warnings)
  }

  @Test func `a description in a broken text is refused`() throws {
    #expect(try inspect(text(version: "9")).problemCode == "unsupportedVersion")
    #expect(try inspect(text(version: "x")).problemCode == "badType")
    #expect(try inspect(text(offset: "-1")).problemCode == "badType")
    #expect(try inspect(text(offset: "18446744073709551615")).problemCode == "overflow")
    #expect(
      try inspect(text(before: "<!DOCTYPE net [<!ENTITY a \"b\">]>")).problemCode == "badEncoding"
    )
    #expect(try inspect(text(inside: "&a;")).problemCode == "badEncoding")
    #expect(try inspect(text(inside: "<layer name=\"&bomb;\"/>")).problemCode == "badEncoding")
    #expect(try inspect(text(inside: "<layer></layers>")).problemCode == "badEncoding")
    #expect(try inspect(text(inside: "<layer a=\"1\" a=\"2\"/>")).problemCode == "badEncoding")
    #expect(try inspect(text() + "<net></net>").problemCode == "badEncoding")
    #expect(
      try inspect(text(inside: String(repeating: "<a>", count: 300))).problemCode == "badEncoding"
    )
    #expect(
      try inspect(text().replacing("net name=\"Model\" version=\"11\"", with: "net name=\"Model\""))
        .problemCode == "missingKey"
    )
  }

  @Test func `comments, characters and a newer version are read`() throws {
    #expect(try inspect(text(inside: "<!-- <a> --><![CDATA[<b>]]>&lt;&#10;")).problemCode == nil)
    #expect(try inspect(text(version: "12")).unverifiedCodes == [.newerVersion])
  }

  @Test func `every cut is refused`() throws {
    let bytes = Array(text().utf8)
    for count in 100..<bytes.count {
      #expect(
        try ModelFormatsTests.inspect("m.xml", Array(bytes.prefix(count))).problemCode != nil,
        "cut at \(count)"
      )
    }
  }
}
