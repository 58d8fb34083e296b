import Glibc

/// The value of a variable in the environment of this process; nil if it is not set, or no UTF-8.
///
/// An application gives its library no environment, and so this one target asks for it: for the folders of the user and
/// for proxies, where the application has asked for these. The tools read theirs once, at their start.
func environmentVariable(_ name: String) -> String? {
  guard let value = unsafe getenv(name) else { return nil }
  return unsafe String(validatingCString: value)
}
