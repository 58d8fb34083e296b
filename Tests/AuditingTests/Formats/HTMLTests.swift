import Auditing
import Digests
import Foundation
import Manifests
import TestSupport
import Testing

struct HTMLTests {
  private func text(of scene: ReportScene) throws -> String {
    String(decoding: HTMLReport(try scene.report()).bytes, as: UTF8.self)
  }

  @Test(
    .temporaryFolder,
    .enabled(if: PythonEnvironment.isThere, PythonEnvironment.notice)
  )
  func
    `a page has only our elements, well nested, links within itself, and the style that its policy names`()
    async throws
  {
    let script = """
      import base64, hashlib
      from html.parser import HTMLParser
      void = {"meta"}
      known = set("html head meta title style body a header div p h1 h2 h3 h4 span main section dl dt dd small ul li code "
                  "table caption thead tbody tr th td strong article details summary footer "
                  "svg defs pattern rect circle path text g".split())
      class Page(HTMLParser):
          def __init__(self, name):
              super().__init__()
              self.name, self.open, self.ids, self.links, self.style, self.policy = name, [], [], [], "", ""
          def say(self, *words): print(self.name, *words)
          def handle_starttag(self, tag, attributes):
              if tag not in known: self.say("element", tag)
              for name, value in attributes:
                  if name.startswith("on") or name in ("style", "src"): self.say("attribute", name)
                  if name == "id": self.ids.append(value)
                  if name == "href": self.links.append(value)
              if dict(attributes).get("http-equiv") == "Content-Security-Policy": self.policy = dict(attributes)["content"]
              if tag not in void: self.open.append(tag)
          def handle_startendtag(self, tag, attributes):
              self.handle_starttag(tag, attributes); self.open.pop()
          def handle_endtag(self, tag):
              if not self.open or self.open.pop() != tag: self.say("nesting", tag)
          def handle_data(self, data):
              if self.open and self.open[-1] == "style": self.style += data
      for name in files("html"):
          page = Page(name); page.feed(open(name, encoding="utf-8").read()); page.close()
          if page.open: page.say("open", page.open)
          if len(set(page.ids)) != len(page.ids): page.say("ids")
          for link in page.links:
              if not link.startswith("#") or link[1:] not in page.ids: page.say("link", link)
          digest = base64.b64encode(hashlib.sha256(page.style.encode()).digest()).decode()
          if page.policy != "default-src 'none'; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'" % digest:
              page.say("policy", page.policy)
      """
    let found = try await FormatJudge.judge(script, ending: "html") { HTMLReport($0).bytes }
    #expect(found == "")
    let folder = TemporaryFolder.current
    let page = try text(of: .clean)
    try Data(
      page.replacing("</h1>", with: "</h1><script></script><a href=\"https://example.com\">").utf8
    )
    .write(to: URL(filePath: "\(folder)/bad.html"))
    let refused = try await FormatJudge.run(script)
    #expect(refused.contains("bad.html element script"))
    #expect(refused.contains("bad.html link https://example.com"))
  }

  @Test func `a hostile text is shown as what it is`() throws {
    let page = try text(of: .hostile)
    #expect(!page.contains("<script"))
    #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    #expect(page.contains("\\u{202e}gnp.exe"))
    #expect(page.contains("\\u{1b}[31mred"))
    // A text that looks like one that was spelled out differs from it.
    #expect(page.contains("\\\\u{1b}"))
    #expect(hiddenScalars(in: Array(page.utf8), except: "\n") == [])
  }

  @Test(arguments: [
    (ReportScene.clean, "The installed version is what was signed."),
    (.cleanMany, "All 3 versions are what was signed."),
    (.quick, "Nothing has changed, as far as can be seen without reading."),
    (.sampled, "No damage in the sample that was read."),
    (.damaged, "2 of 3 versions are not as they should be."),
    (.allWrong, "The version is not as it should be."),
    (.unfinished, "The audit did not come to its end."),
    (.hostile, "The audit did not come to its end, and found 18 problems so far."),
    (.empty, "There was nothing to audit."),
  ])
  func `the headline says what came out, and no more than was looked at`(
    scene: ReportScene,
    headline: String
  ) throws {
    #expect(try text(of: scene).contains("<span>\(headline)</span></h1>"))
  }

  @Test func `each wrong chunk leads to a row that tells its bytes`() throws {
    let page = try text(of: .manyChunks)
    let (first, last) = (1_142 << 20, (1_143 << 20) + (1 << 20) - 1)
    #expect(
      page.contains(
        "aria-label=\"chunks 1,142 to 1,143: bytes \(grouped(first)) to \(grouped(last))\""
      )
    )
    #expect(page.contains("href=\"#v3f2c1142\""))
    #expect(page.contains("<tr id=\"v3f2c1142\"><th scope=\"row\" class=\"number\">1,142</th>"))
    #expect(page.contains(ReportScene.digest("wrong 6403").hex))
  }

  @Test func `a page stays small with very many chunks`() throws {
    #expect(try text(of: .moreChunks).contains("Each square stands for 16 chunks."))
    for scene in [ReportScene.moreChunks, .allWrong, .cleanMore] {
      #expect(try text(of: scene).utf8.count < 200_000, "\(scene)")
    }
    // Beyond the rows that are shown the bytes are told all the same.
    #expect(
      try text(of: .allWrong).contains("1,800 chunks more, at the bytes 209,715,200–2,097,151,999.")
    )
  }

  private func grouped(_ number: Int) -> String {
    var digits = Array(String(number))
    for place in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: place) }
    return String(digits)
  }
}
