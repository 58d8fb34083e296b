/// An ONNX model that a test writes, of one node and one initializer unless a test says otherwise.
struct ONNXFixture {
  var irVersion: UInt64 = 8
  var opsets: [(domain: String, version: UInt64)] = [("", 17)]
  var nodes: [[UInt8]] = [node()]
  var initializers: [[UInt8]] = [tensor()]
  var outputs = 1
  var graphs = 1
  /// Fields behind those of the graph, and of the model.
  var moreOfGraph: [UInt8] = []
  var more: [UInt8] = []

  var graph: [UInt8] {
    nodes.flatMap { Files.field(1, $0) } + Files.field(2, Array("g".utf8))
      + initializers.flatMap { Files.field(5, $0) }
      + (0..<outputs).flatMap { _ in Files.field(12, Files.field(1, Array("y".utf8))) }
      + moreOfGraph
  }

  /// A model that `change` has changed.
  static func with(_ change: (inout ONNXFixture) -> Void) -> ONNXFixture {
    var fixture = ONNXFixture()
    change(&fixture)
    return fixture
  }

  var bytes: [UInt8] {
    var bytes = Files.field(1, irVersion) + Files.field(2, Array("maker".utf8))
    for _ in 0..<graphs { bytes += Files.field(7, graph) }
    for opset in opsets { bytes += Files.field(8, Self.opset(opset.domain, opset.version)) }
    return bytes + more
  }

  static func opset(_ domain: String, _ version: UInt64) -> [UInt8] {
    (domain.isEmpty ? [] : Files.field(1, Array(domain.utf8))) + Files.field(2, version)
  }

  static func node(domain: String = "", attributes: [[UInt8]] = []) -> [UInt8] {
    Files.field(1, Array("x".utf8)) + Files.field(4, Array("Relu".utf8))
      + attributes.flatMap { Files.field(5, $0) }
      + (domain.isEmpty ? [] : Files.field(7, Array(domain.utf8)))
  }

  /// A tensor of floats, whose bytes stand in the model unless `external` says where they are.
  static func tensor(
    dimensions: [UInt64] = [2, 3],
    type: UInt64 = 1,
    raw: Int? = 24,
    external: [(String, String)]? = nil
  ) -> [UInt8] {
    var bytes = dimensions.flatMap { Files.field(1, $0) } + Files.field(2, type)
    bytes += Files.field(8, Array("w".utf8))
    guard let external else {
      return bytes + (raw.map { Files.field(9, [UInt8](repeating: 1, count: $0)) } ?? [])
    }
    for (key, value) in external {
      bytes += Files.field(13, Files.field(1, Array(key.utf8)) + Files.field(2, Array(value.utf8)))
    }
    return bytes + Files.field(14, 1)
  }
}
