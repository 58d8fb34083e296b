import CLibFuzzer

/// Runs `test` with inputs that libFuzzer makes, as the arguments of the command line ask for.
package func runFuzzer(
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) {
  var count = CommandLine.argc
  var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? =
    unsafe CommandLine.unsafeArgv
  _ = unsafe LLVMFuzzerRunDriver(&count, &arguments, test)
}
