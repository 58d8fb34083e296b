import StrictJSON

/// Reads a document that stands in a test as text.
func parse(
  _ text: String,
  limits: JSONLimits = JSONLimits()
) throws(JSONSyntaxError) -> JSONValue {
  try JSONReader.parse(Array(text.utf8), limits: limits)
}

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

/// A document with every kind of value, escape and nesting that the reader knows.
let sample = #"""
  { "model" : "acme/\u00e9\ud83d\ude00", "size":-12, "zero": 0, "é":[true,false,null, {}, []],
    "files": {"a b.gguf": {"sha256":"\"\\\/\b\f\n\r\t", "max": 9223372036854775807}}}
  """#
