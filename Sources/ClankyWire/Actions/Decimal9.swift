import LenientJSON

/// Amounts of money in billionths, read from decimal text without the detour through a double.
package enum Decimal9 {
  /// The value in billionths, rounded to the nearest; negative amounts count as 0, larger ones
  /// than 9.2e9 saturate. nil if the field is no finite number (promise P11).
  static func nanos(_ field: ActionField, in action: UnsafeRawBufferPointer) -> Int64? {
    switch field.form {
    case .number, .text: return nanos(field.bytes(in: action))
    case .escapedText: return slow(JSONText.decode(field.bytes(in: action)))
    default: return nil
    }
  }

  /// The same on decimal text.
  package static func nanos(_ digits: UnsafeRawBufferPointer) -> Int64? {
    var value: Int64 = 0
    var fraction = -1  // digits behind the point, -1 before it
    guard digits.count > 0, digits.count <= 40 else {
      return slow(String(decoding: digits, as: UTF8.self))
    }
    for (index, byte) in digits.enumerated() {
      if byte == UInt8(ascii: "."), fraction < 0, index > 0, index + 1 < digits.count {
        fraction = 0
        continue
      }
      guard byte &- 0x30 < 10 else { return slow(String(decoding: digits, as: UTF8.self)) }
      if fraction >= 9 {
        if fraction == 9, byte >= 0x35 { value += 1 }
        fraction = 10  // the rest is below half a billionth of the last place
        continue
      }
      guard value < 900_000_000_000_000_000 else {
        return slow(String(decoding: digits, as: UTF8.self))
      }
      value = value * 10 + Int64(byte &- 0x30)
      if fraction >= 0 { fraction += 1 }
    }
    var places = max(0, fraction)
    while places < 9 {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      guard !overflow else { return .max }
      value = product
      places += 1
    }
    return value
  }

  private static func slow(_ text: String) -> Int64? {
    guard let value = Double(text), value.isFinite else { return nil }
    let nanos = (value * 1e9).rounded()
    return nanos <= 0 ? 0 : nanos >= 0x1p63 ? .max : Int64(nanos)
  }
}
