import Foundation
import Testing

@Suite struct LayerTests {
  @Test func `every folder of Sources is in the layer table, and the other way round`() throws {
    let table = Set(LayerTable.swiftTargets.keys).union(LayerTable.cModules)
    #expect(try Set(SourceTree.folders(in: "Sources")) == table)
  }

  @Test(arguments: LayerTable.swiftTargets.keys.sorted())
  func `a target imports only what the layer table allows`(target: String) throws {
    let files = SourceTree.swiftFiles(beneath: "Sources/\(target)")
    #expect(!files.isEmpty)
    let allowed = (LayerTable.swiftTargets[target] ?? []) + LayerTable.toolchain
    for file in files {
      for module in try SourceTree.imports(of: file) {
        #expect(allowed.contains(module), "\(file.lastPathComponent) imports \(module)")
      }
    }
  }

  @Test func `the table itself points down only`() {
    let layers = [LayerTable.machine, LayerTable.meaning, LayerTable.work]
    var below = Set(LayerTable.cModules)
    for layer in layers {
      let reachable = below.union(layer.keys)
      for (target, imports) in layer {
        #expect(reachable.isSuperset(of: imports), "\(target)")
      }
      below = reachable
    }
  }

  private static let aboveMachine = [LayerTable.meaning, LayerTable.work, LayerTable.surface]
    .flatMap(\.keys).sorted()

  @Test(arguments: aboveMachine)
  func `unsafe code stands only in the machine layer and the named files`(target: String) throws {
    for file in SourceTree.swiftFiles(beneath: "Sources/\(target)") {
      let name = "\(target)/\(file.lastPathComponent)"
      let lines = try SourceTree.lines(of: file).filter { line in
        line.components(separatedBy: CharacterSet.alphanumerics.inverted).contains("unsafe")
          && !line.contains("//")
      }
      #expect(lines.isEmpty != LayerTable.filesWithUnsafe.contains(name), "\(name): \(lines)")
    }
  }

  @Test func `no source waives the concurrency checks or unwraps by force`() throws {
    for file in SourceTree.swiftFiles(beneath: "Sources") {
      let text = try String(contentsOf: file, encoding: .utf8)
      for waiver in ["@unchecked Sendable", "nonisolated(unsafe)", "try!", "as!", "fatalError"] {
        #expect(!text.contains(waiver), "\(file.lastPathComponent) has \(waiver)")
      }
    }
  }

  @Test func `tests see what other targets see, so that they compile with optimisation too`() throws
  {
    for file in SourceTree.swiftFiles(beneath: "Tests") {
      let imports = try SourceTree.lines(of: file).filter { $0.contains("import ") }
      #expect(!imports.contains { $0.hasPrefix("@testable") }, "\(file.lastPathComponent)")
    }
  }

  @Test func `no source file has more than 400 lines`() throws {
    for file in SourceTree.swiftFiles(beneath: "Sources") {
      #expect(try SourceTree.lines(of: file).count <= 401, "\(file.lastPathComponent)")
    }
  }
}
