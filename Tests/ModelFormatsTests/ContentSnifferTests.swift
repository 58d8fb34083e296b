import Digests
import Manifests
import ModelFormats
import Testing

struct ContentSnifferTests {
  private func fault(_ path: String, _ content: String) throws -> FormatFault? {
    ContentSniffer.fault(of: try RelativePath(path), BytesInMemory(Array(content.utf8)))
  }

  @Test(
    arguments: [
      ("m.gguf", "<!DOCTYPE html><html>", .htmlPage), ("m.gguf", "<html lang=en>", .htmlPage),
      ("m.gguf", "\u{FEFF} \r\n\t<HTML>", .htmlPage), ("README.md", "<!doctype html>", .htmlPage),
      ("m.bin", "<head>\n", .htmlPage), ("config.json", "<html", .htmlPage),
      ("m", "<html/>", .htmlPage),
      ("m.gguf", String(repeating: " ", count: 512) + "<html>", .htmlPage),
      ("m.gguf", "<?xml version=\"1.0\"?><Error><Code>NoSuchKey</Code></Error>", .xmlError),
      ("m.gguf", "<?xml version=\"1.0\"?>", .xmlError),
      ("m.gguf", "<Error>\n <Code>AccessDenied</Code>", .xmlError),
      ("m.xml", "<?xml?>\n<Error><Code>NoSuchKey</Code></Error>", .xmlError),
      ("m.gguf", "{\"error\":\"not found\"}", .jsonError),
      ("m.gguf", "{ \"errors\": []}", .jsonError),
      ("m.gguf", "{\"errorCode\":1}", .jsonError),
      ("config.json", "{\n \"error\" : 1}", .jsonError),
      ("m.gguf", "Invalid rev id: x", .hubError), ("m.gguf", "Entry not found", .hubError),
      ("m.txt", "Access to model x is restricted", .hubError),
      ("m.json", "Entry not found", .hubError),
      ("m.gguf", "", .empty), ("m.txt", "", .empty), ("index.html", "", .empty),
    ] as [(String, String, FormatFault)]
  )
  func `what stands in the place of a file is named`(
    path: String,
    content: String,
    fault: FormatFault
  ) throws {
    #expect(try self.fault(path, content) == fault)
  }

  @Test(arguments: [
    ("index.html", "<!doctype html>"), ("page.HTM", "<html>"),
    ("m.xml", "<?xml version=\"1.0\"?><net >"),
    ("logo.svg", "<?xml version=\"1.0\"?><svg>"), ("config.json", "{\"error_threshold\": 1}"),
    ("README.md", "<header>"), ("README.md", "<h1>"), ("a.txt", "<htmlish>"),
    ("card.md", "Access to model weights " + String(repeating: "is free. ", count: 200)),
    ("config.json", "{\"model_type\": \"llama\"}"), ("m.txt", "version 1"),
    ("m.gguf", String(repeating: " ", count: 513) + "<html>"),
  ])
  func `what a name may promise is no fault`(path: String, content: String) throws {
    #expect(try fault(path, content) == nil)
  }

  @Test func `a Git LFS pointer tells which file is missing`() throws {
    let digest = SHA256Digest.ofNothing
    let text = """
      version https://git-lfs.github.com/spec/v1
      oid sha256:\(digest.hex)
      size 1563668704

      """
    let problem = try inspect("weights/m.safetensors", Array(text.utf8)).problem
    guard case .lfsPointer(let pointer) = problem?.fault else {
      Issue.record("no pointer was found")
      return
    }
    #expect(pointer.oid == digest)
    #expect(pointer.size == 1_563_668_704)
    #expect(
      problem?.text == "weights/m.safetensors is a Git LFS pointer, not the file itself "
        + "(of SHA-256 \(digest.hex), 1563668704 bytes)"
    )
  }

  @Test(arguments: [
    "", "\noid sha256:xyz\nsize -1\n", "\nsize 99999999999999999999\n", "\nsize +5",
  ])
  func `a damaged pointer is still a pointer`(rest: String) throws {
    let text = "version https://git-lfs.github.com/spec/v1" + rest
    guard case .lfsPointer(let pointer)? = try fault("LICENSE", text) else {
      Issue.record("no pointer was found")
      return
    }
    #expect(pointer.oid == nil)
    #expect(pointer.size == nil)
  }

  @Test(arguments: [
    ("m.gguf", true), ("pytorch_model.bin", true), ("model", true), ("m.safetensors", true),
    ("model.onnx_data", false), ("openvino_model.bin", false), ("w.data", false),
  ])
  func `zeros are a fault except in raw data`(path: String, isFault: Bool) throws {
    for count in [1, 4_096, 10_000] {
      let zeros = BytesInMemory([UInt8](repeating: 0, count: count))
      let fault = ContentSniffer.fault(of: try RelativePath(path), zeros)
      #expect(fault == (isFault ? .zeroFilled : nil))
    }
  }

  @Test func `zeros in raw data are a warning`() throws {
    let found = try inspect("m.onnx_data", [UInt8](repeating: 0, count: 5_000))
    #expect(found.problem == nil)
    #expect(found.warningCodes == [.zeroFilled])
    #expect(try inspect("m.onnx_data", [0, 0, 1]).warningCodes == [])
  }

  @Test func `a page is reported with its first bytes`() throws {
    let problem = try inspect("m.gguf", Array("<!DOCTYPE html>\u{1B}[31m".utf8)).problem
    #expect(problem?.fault.code == "htmlPage")
    #expect(
      problem?.text == "m.gguf is an HTML page, not a model file "
        + "(first bytes 3c 21 44 4f 43 54 59 50 45 20 68 74 6d 6c 3e 1b)"
    )
  }
}
