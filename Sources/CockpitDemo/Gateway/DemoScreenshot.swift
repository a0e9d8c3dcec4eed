/// A picture of the browser of the demo: a page with the curve of a tide, as a PNG file.
enum DemoScreenshot {
  static let width = 320
  static let height = 200

  /// Red, green and blue of each colour: window, bar, paper, ink, water, foam, sun, sky.
  private static let palette: [UInt8] = [
    0x2B, 0x2F, 0x3A, 0x4A, 0x52, 0x66, 0xF6, 0xF3, 0xEA, 0x33, 0x36, 0x3C, 0x1F, 0x5F, 0x8B, 0x7F,
    0xC8, 0xE0, 0xF2, 0xB1, 0x34, 0xBF, 0xDD, 0xF0,
  ]

  /// The height of the tide in a column: half a cosine up, half down, in pixels.
  private static func tide(_ x: Int) -> Int {
    let place = (x - 20) % 140
    let half = place < 70 ? place : 140 - place
    // A parabola at both ends is near enough to a cosine.
    return half < 35 ? half * half * 40 / 2_450 : 40 - (70 - half) * (70 - half) * 40 / 2_450
  }

  private static func color(_ x: Int, _ y: Int) -> UInt8 {
    if y < 14 { return x > 6 && x < 90 && y > 3 ? 2 : 0 }
    if y < 26 { return x > 30 && x < 300 && y > 15 && y < 24 ? 2 : 1 }
    if y < 50 { return (33...44).contains(y) && x > 20 && x < 170 && x % 24 < 19 ? 3 : 2 }
    if x > 20, x < 300, y > 54, y < 150 {
      let (dx, dy) = (x - 250, y - 78)
      let surface = 130 - tide(x)
      if y > surface { return y < surface + 3 ? 5 : 4 }
      return dx * dx + dy * dy < 196 ? 6 : 7
    }
    let isText = y > 156 && y < 190 && y % 9 < 4 && x > 20 && x < 280 - y % 4 * 11 && x % 31 < 27
    return isText ? 3 : 2
  }

  /// PNG (W3C): a palette, and rows that are stored as they are.
  static func png() -> [UInt8] {
    var rows: [UInt8] = []
    for y in 0..<height {
      rows.append(0)
      for x in 0..<width { rows.append(color(x, y)) }
    }
    let header = big(UInt32(width)) + big(UInt32(height)) + [8, 3, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
      + chunk("PLTE", palette) + chunk("IDAT", stored(rows)) + chunk("IEND", [])
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in body {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? 0xEDB8_8320 ^ crc >> 1 : crc >> 1 }
    }
    return big(UInt32(data.count)) + body + big(~crc)
  }

  /// RFC 1950 with blocks that are not compressed (RFC 1951, 3.2.4).
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var out: [UInt8] = [0x78, 0x01]
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + 65_535)
      let count = UInt16(end - start)
      out.append(end == bytes.count ? 1 : 0)
      for word in [count, ~count] { out += [UInt8(word & 0xFF), UInt8(word >> 8)] }
      out += bytes[start..<end]
      start = end
    }
    var (a, b) = (UInt32(1), UInt32(0))
    for byte in bytes {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return out + big(b << 16 | a)
  }

  private static func big(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
