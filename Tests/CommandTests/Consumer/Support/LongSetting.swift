import Foundation

/// A number that scripts/test-transfer or scripts/test-kill sets for a long run, else that of every day.
func longSetting(_ name: String, else value: Int) -> Int {
  ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? value
}
