/// The small texts of `[slo]` and `[watch]`: shares, ranges, times, names.
package enum PromisedShare {
  /// `2%`, `0.5%`, `0.02`: 0 to 1.
  package static func share(_ text: String) -> Double? {
    var text = text.filter { $0 != " " }
    var scale = 1.0
    if text.last == "%" {
      text.removeLast()
      scale = 100
    }
    guard !text.isEmpty, text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
      let value = Double(text), value.isFinite
    else { return nil }
    let share = value / scale
    return (0...1).contains(share) ? share : nil
  }

  /// `20%..60%`.
  package static func range(_ text: String) -> ClosedRange<Double>? {
    guard let dots = text.firstRange(of: "..") else { return nil }
    guard let low = share(String(text[..<dots.lowerBound])),
      let high = share(String(text[dots.upperBound...])), low <= high
    else { return nil }
    return low...high
  }

  /// `800ms`, `8s`, `1.5s`, `5m`, `24h`, `7d`.
  package static func milliseconds(_ text: String) -> Int64? {
    let text = text.filter { $0 != " " }
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let value = Double(digits), value.isFinite, value >= 0, value < 1e9 else { return nil }
    let scale: Double
    switch text.dropFirst(digits.count) {
    case "ms": scale = 1
    case "s": scale = 1000
    case "m": scale = 60_000
    case "h": scale = 3_600_000
    case "d": scale = 86_400_000
    default: return nil
    }
    return Int64((value * scale).rounded())
  }

  /// Whether a watch may be called so.
  package static func isName(_ text: String) -> Bool {
    (1...40).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
