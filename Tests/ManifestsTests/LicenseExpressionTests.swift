import Manifests
import Testing

@Suite struct LicenseExpressionTests {
  @Test(arguments: [
    "MIT", "Apache-2.0", "GPL-2.0+", "LicenseRef-LFM-1.0", "DocumentRef-spdx:LicenseRef-a",
    "MIT OR Apache-2.0", "(MIT OR Apache-2.0) AND CC-BY-4.0", "((MIT))",
    "GPL-2.0-only WITH Classpath-exception-2.0", "Apache-2.0 WITH LLVM-exception OR MIT",
    "MIT or Apache-2.0", "MIT and (Apache-2.0 with LLVM-exception OR ISC)",
  ])
  func `an SPDX expression is told`(text: String) throws {
    #expect(try License(text).isExpression)
  }

  @Test(arguments: [
    "Apache 2.0", "MIT License", "AND", "MIT AND", "OR MIT", "MIT OR OR MIT", "(MIT", "MIT)", "()",
    "MIT WITH", "MIT WITH AND", "LicenseRef-", "a:b", "MIT++", "+", "(MIT) WITH x", "MIT (MIT)",
    "DocumentRef-a:MIT", "MIT Or ISC", "and", "MIT or", "with MIT", "MIT with and",
  ])
  func `what is none is told too`(text: String) throws {
    #expect(try !License(text).isExpression)
  }

  @Test func `many brackets are no trouble`() throws {
    let text = String(repeating: "(", count: 120) + "MIT" + String(repeating: ")", count: 120)
    #expect(try License(text).isExpression)
  }
}
