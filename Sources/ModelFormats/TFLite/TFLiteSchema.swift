/// The tables of a TensorFlow Lite model, as `schema.fbs` of LiteRT 2.3.0 has them.
enum TFLiteSchema: FlatSchema {
  case model, operatorCode, subgraph, tensor, quantization, sparsity, dimension, variant, operation
  case buffer, metadata, signature, tensorMap, externalGroup, externalBuffer

  var fields: [FlatField<TFLiteSchema>] {
    switch self {
    case .model: Self.modelFields
    case .operatorCode: Self.operatorCodeFields
    case .subgraph: Self.subgraphFields
    case .tensor: Self.tensorFields
    case .quantization: Self.quantizationFields
    case .sparsity: Self.sparsityFields
    case .dimension: Self.dimensionFields
    case .variant: Self.variantFields
    case .operation: Self.operationFields
    case .buffer: Self.bufferFields
    case .metadata: Self.metadataFields
    case .signature: Self.signatureFields
    case .tensorMap: Self.tensorMapFields
    case .externalGroup: Self.externalGroupFields
    case .externalBuffer: Self.externalBufferFields
    }
  }

  private typealias Field = FlatField<TFLiteSchema>

  private static let modelFields = [
    Field(4, .number(4)), Field(6, .tables(.operatorCode)), Field(8, .tables(.subgraph)),
    Field(10, .text), Field(12, .tables(.buffer)), Field(14, .numbers(4)),
    Field(16, .tables(.metadata)), Field(18, .tables(.signature)),
    Field(20, .tables(.externalGroup)), Field(22, .tables(.externalBuffer)),
  ]
  private static let operatorCodeFields = [
    Field(4, .number(1)), Field(6, .text), Field(8, .number(4)), Field(10, .number(4)),
  ]
  private static let subgraphFields = [
    Field(4, .tables(.tensor)), Field(6, .numbers(4)), Field(8, .numbers(4)),
    Field(10, .tables(.operation)), Field(12, .text), Field(14, .number(4)),
  ]
  private static let tensorFields = [
    Field(4, .numbers(4)), Field(6, .number(1)), Field(8, .number(4)), Field(10, .text),
    Field(12, .table(.quantization)), Field(14, .number(1)), Field(16, .table(.sparsity)),
    Field(18, .numbers(4)), Field(20, .number(1)), Field(22, .tables(.variant)),
    Field(24, .number(4)),
  ]
  private static let quantizationFields = [
    Field(4, .numbers(4)), Field(6, .numbers(4)), Field(8, .numbers(4)), Field(10, .numbers(8)),
    Field(12, .number(1)), Field(14, .anyTable), Field(16, .number(4)),
  ]
  private static let sparsityFields = [
    Field(4, .numbers(4)), Field(6, .numbers(4)), Field(8, .tables(.dimension)),
  ]
  private static let dimensionFields = [
    Field(4, .number(1)), Field(6, .number(4)), Field(8, .number(1)), Field(10, .anyTable),
    Field(12, .number(1)), Field(14, .anyTable),
  ]
  private static let variantFields = [
    Field(4, .numbers(4)), Field(6, .number(1)), Field(8, .number(1)),
  ]
  private static let operationFields = [
    Field(4, .number(4)), Field(6, .numbers(4)), Field(8, .numbers(4)), Field(10, .number(1)),
    Field(12, .anyTable), Field(14, .numbers(1)), Field(16, .number(1)), Field(18, .numbers(1)),
    Field(20, .numbers(4)), Field(22, .number(8)), Field(24, .number(8)), Field(26, .number(1)),
    Field(28, .anyTable), Field(30, .number(4)),
  ]
  private static let bufferFields = [
    Field(4, .numbers(1)), Field(6, .number(8)), Field(8, .number(8)),
  ]
  private static let metadataFields = [Field(4, .text), Field(6, .number(4))]
  private static let signatureFields = [
    Field(4, .tables(.tensorMap)), Field(6, .tables(.tensorMap)), Field(8, .text),
    Field(12, .number(4)),
  ]
  private static let tensorMapFields = [Field(4, .text), Field(6, .number(4))]
  private static let externalGroupFields = [Field(4, .text)]
  private static let externalBufferFields = [
    Field(4, .number(4)), Field(6, .number(4)), Field(8, .number(8)), Field(10, .number(8)),
    Field(12, .text),
  ]
}
