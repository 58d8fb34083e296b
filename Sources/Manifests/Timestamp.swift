/// A second in UTC, written `YYYY-MM-DDTHH:MM:SSZ` (RFC 3339 with nothing optional), from year 0000
/// to 9999.
///
/// Only days of the Gregorian calendar are accepted, and no leap seconds.
package struct Timestamp: Hashable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z, without leap seconds.
  package let seconds: Int64

  /// Takes seconds since 1970; nil outside of the years 0000 to 9999.
  package init?(seconds: Int64) {
    guard (-62_167_219_200...253_402_300_799).contains(seconds) else { return nil }
    self.seconds = seconds
  }

  /// Reads exactly `YYYY-MM-DDTHH:MM:SSZ`.
  package init(_ text: String) throws(ManifestError) {
    let bytes = Array(text.utf8)
    let pattern = Array("0000-00-00T00:00:00Z".utf8)
    guard bytes.count == pattern.count,
      zip(bytes, pattern).allSatisfy({ $1 == UInt8(ascii: "0") ? $0.isDigit : $0 == $1 })
    else { throw .text(.timestamp, text, .badForm(expected: "YYYY-MM-DDTHH:MM:SSZ")) }
    func number(_ range: Range<Int>) -> Int64 {
      bytes[range].reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }
    let date = CivilDate(year: number(0..<4), month: number(5..<7), day: number(8..<10))
    let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
    guard date.exists, hour < 24, minute < 60, second < 60 else {
      throw .text(.timestamp, text, .noSuchTime)
    }
    seconds = date.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second
  }

  /// The time as `YYYY-MM-DDTHH:MM:SSZ`.
  package var text: String {
    var (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
    if rest < 0 { (days, rest) = (days - 1, rest + 86_400) }
    let date = CivilDate(daysSince1970: days)
    let time = [rest / 3_600, rest / 60 % 60, rest % 60].map { padded($0, to: 2) }
    let day = [padded(date.year, to: 4), padded(date.month, to: 2), padded(date.day, to: 2)]
    return "\(day.joined(separator: "-"))T\(time.joined(separator: ":"))Z"
  }
}

extension Timestamp: Comparable, CustomStringConvertible {
  package static func < (left: Timestamp, right: Timestamp) -> Bool { left.seconds < right.seconds }
  package var description: String { text }
}

private func padded(_ value: Int64, to width: Int) -> String {
  let digits = String(value)
  return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

/// A day of the proleptic Gregorian calendar.
///
/// The arithmetic counts days in eras of 400 years that begin on 1 March, so that the leap day is
/// the last of its year.
private struct CivilDate {
  var year, month, day: Int64

  init(year: Int64, month: Int64, day: Int64) {
    (self.year, self.month, self.day) = (year, month, day)
  }

  init(daysSince1970: Int64) {
    let shifted = daysSince1970 + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  var exists: Bool {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (1...12).contains(month) && day >= 1 && day <= lengths[Int(month) - 1]
  }

  var daysSince1970: Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
