/// Checks what `torch.save` and TorchScript write: a zip archive with pickles, and with code.
enum PyTorchInspector: FormatInspector {
  static func inspect(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    report.runsCode = "it holds a pickle, and loading one can call any function"
    let archive = try PyTorchArchive(&reader, into: &report)
    if archive.hasCode { report.runsCode = "it is TorchScript, which is code" }
    // What TorchScript pickles name are the classes of its own code.
    guard !archive.hasCode else { return }
    report.note("globals", list: archive.globals)
  }
}
