/// Samples at another rate, by linear interpolation: enough for speech on its way to a recogniser.
package enum Resampling {
  /// - Parameter bytes: s16le mono; an odd last byte is left out.
  package static func samples(_ bytes: [UInt8], from rate: Int, to wanted: Int) -> [UInt8] {
    guard rate != wanted, rate > 0, wanted > 0, bytes.count >= 2 else { return bytes }
    let count = bytes.count / 2
    func sample(_ index: Int) -> Int {
      let at = min(index, count - 1) * 2
      return Int(Int16(bitPattern: UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8))
    }
    let length = count * wanted / rate
    var output: [UInt8] = []
    output.reserveCapacity(length * 2)
    for index in 0..<length {
      let place = index * rate
      let (whole, rest) = (place / wanted, place % wanted)
      let value = (sample(whole) * (wanted - rest) + sample(whole + 1) * rest) / wanted
      let bits = UInt16(bitPattern: Int16(clamping: value))
      output += [UInt8(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits >> 8)]
    }
    return output
  }
}
