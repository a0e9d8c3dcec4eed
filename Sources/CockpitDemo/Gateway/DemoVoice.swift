import Foundation

/// What the demo says aloud: a tone of 20 ms for each letter.
enum DemoVoice {
  private static let rate = 8_000

  /// A WAV file in base64.
  static func wave(_ text: String) -> String {
    let count = min(text.count, 300) * rate / 50
    var samples = Data(capacity: count * 2)
    for place in 0..<count {
      let value = Int16(8_000 * sin(2 * Double.pi * 330 * Double(place) / Double(rate)))
      samples.append(contentsOf: little(value))
    }
    var file = Data("RIFF".utf8)
    file.append(contentsOf: little(UInt32(36 + samples.count)))
    file.append(Data("WAVEfmt ".utf8))
    file.append(contentsOf: little(UInt32(16)) + little(UInt16(1)) + little(UInt16(1)))
    file.append(contentsOf: little(UInt32(rate)) + little(UInt32(rate * 2)))
    file.append(contentsOf: little(UInt16(2)) + little(UInt16(16)))
    file.append(Data("data".utf8))
    file.append(contentsOf: little(UInt32(samples.count)))
    return (file + samples).base64EncodedString()
  }

  private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
    (0..<(value.bitWidth / 8)).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
