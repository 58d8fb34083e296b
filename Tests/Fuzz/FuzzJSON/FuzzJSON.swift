import FuzzDriver
import StrictJSON

/// Reads the input; whatever the reader accepts must survive being written in each form.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  do throws(JSONSyntaxError) {
    check(try JSONReader.parse(bytes))
  } catch {
    precondition((0...count).contains(error.offset), "the offset is outside the document")
    precondition(error.description.utf8.allSatisfy { (0x20...0x7E).contains($0) })
  }
  return 0
}

private func check(_ value: JSONValue) {
  let canonical = JSONWriter.canonical(value)
  for written in [canonical, JSONWriter.compact(value), JSONWriter.pretty(value)] {
    do throws(JSONSyntaxError) {
      let again = try JSONReader.parse(written)
      precondition(again == value, "the value changed")
      precondition(JSONWriter.canonical(again) == canonical, "the canonical form isn't stable")
    } catch {
      preconditionFailure("what was written is refused: \(error)")
    }
  }
}

@main
struct FuzzJSON {
  static func main() { unsafe runFuzzer(fuzz) }
}
