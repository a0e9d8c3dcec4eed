/// How much of a history is kept, as people write it: an age such as `24h` or `30d`, a size such as `1GiB`.
package enum KeptAmount {
  /// Milliseconds; 0 for `0`, nil if the text is no age, or one of more than ten years.
  package static func age(_ text: String) -> Int64? {
    if text == "0" { return 0 }
    let units: [Character: Int64] = ["m": 60_000, "h": 3_600_000, "d": 86_400_000]
    guard let unit = text.last.flatMap({ units[$0] }), let number = Int64(text.dropLast()),
      number > 0, number <= 3650 * 86_400_000 / unit
    else { return nil }
    return number * unit
  }

  /// Bytes; nil if the text is no size, or one below 16 MiB. Units are powers of 1024.
  package static func size(_ text: String) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let shifts = ["m": 20, "mb": 20, "mib": 20, "g": 30, "gb": 30, "gib": 30, "t": 40, "tib": 40]
    let unit = text.dropFirst(digits.count).trimmingPrefix(" ").lowercased()
    guard let number = Int(digits), digits.count < 7, let shift = shifts[unit],
      number << shift >= 16 << 20
    else { return nil }
    return number << shift
  }
}
