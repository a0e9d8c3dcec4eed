import Foundation
import Images

/// Images for tests: PNG files written here, byte by byte, and files of other encoders.
enum Samples {
  /// 16 x 8 pixels: the left half red, the right one blue.
  static let jpeg = bytes(
    """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYW\
    ICwgIyYnKSopGR8tMC0oMCUoKSj/2wBDAQcHBwoIChMKChMoGhYaKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgo\
    KCgoKCgoKCgoKCgoKCgoKCgoKCj/wgARCAAIABADAREAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAABQb/xAAVAQEB\
    AAAAAAAAAAAAAAAAAAAHBf/aAAwDAQACEAMQAAABnIyQAwlf/8QAFBABAAAAAAAAAAAAAAAAAAAAEP/aAAgBAQABBQI/\
    /8QAFBEBAAAAAAAAAAAAAAAAAAAAEP/aAAgBAwEBPwE//8QAFBEBAAAAAAAAAAAAAAAAAAAAEP/aAAgBAgEBPwE//8QA\
    FBABAAAAAAAAAAAAAAAAAAAAEP/aAAgBAQAGPwI//8QAFBABAAAAAAAAAAAAAAAAAAAAEP/aAAgBAQABPyE//9oADAMB\
    AAIAAwAAABDr/8QAFBEBAAAAAAAAAAAAAAAAAAAAEP/aAAgBAwEBPxA//8QAFBEBAAAAAAAAAAAAAAAAAAAAEP/aAAgB\
    AgEBPxA//8QAFBABAAAAAAAAAAAAAAAAAAAAEP/aAAgBAQABPxA//9k=
    """)

  /// The same in the inks of print.
  static let jpegCMYK = bytes(
    """
    /9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAQCwwODAoQDg0OEhEQExgoGhgWFhgxIyUdKDozPTw5Mzg3QEhcTkBEV0U3OFBt\
    UVdfYmdoZz5NcXlwZHhcZWdj/8AAFAgACAAQBEMRAE0RAFkRAEsRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYH\
    CAkKC//EALUQAAIBAwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBka\
    JSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeo\
    qaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAA4EQwBNAFkASwAAPwD0CvP6\
    8/r0Cvn+ivoCiv/Z
    """)

  /// The same picture, lossless.
  static let webp = bytes(
    "UklGRiYAAABXRUJQVlA4TBkAAAAvD8ABAA8Q87//8x8OxILJ/KU7U4jof+QAAA==")

  static let gif = bytes(
    "R0lGODdhEAAIAIEAAP8AAAAA/wAAAAAAACwAAAAAEAAIAAAIJAABCBwoMIDBgwYJEkSIUOFAhgcd"
      + "FoQYQCIAihUlYrS4USPFgAA7")

  private static func bytes(_ base64: String) -> [UInt8] {
    Array(Data(base64Encoded: base64) ?? Data())
  }

  /// A PNG file with stored, uncompressed rows.
  ///
  /// - Parameters:
  ///   - colorType: of the header: 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGBA.
  ///   - rows: the bytes of each row, without its filter.
  static func png(
    width: UInt32, height: UInt32, bits: UInt8 = 8, colorType: UInt8 = 6,
    isInterlaced: Bool = false,
    palette: [UInt8] = [], transparency: [UInt8] = [], rows: [[UInt8]]
  ) -> [UInt8] {
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    file += chunk(
      "IHDR", big(width) + big(height) + [bits, colorType, 0, 0, isInterlaced ? 1 : 0])
    if !palette.isEmpty { file += chunk("PLTE", palette) }
    if !transparency.isEmpty { file += chunk("tRNS", transparency) }
    file += chunk("IDAT", zlib(rows.flatMap { [0] + $0 }))
    return file + chunk("IEND", [])
  }

  /// A picture of RGBA.
  static func png(_ picture: Picture) -> [UInt8] {
    png(
      width: UInt32(picture.width), height: UInt32(picture.height),
      rows: (0..<picture.height).map { y in
        Array(picture.rgba[y * picture.width * 4..<(y + 1) * picture.width * 4])
      })
  }

  static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    return big(UInt32(data.count)) + body + big(crc(body))
  }

  /// RFC 1950 and 1951: blocks that are stored.
  static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var out: [UInt8] = [0x78, 0x01]
    var start = 0
    repeat {
      let end = min(bytes.count, start + 65_535)
      let count = UInt16(end - start)
      out.append(end == bytes.count ? 1 : 0)
      for word in [count, ~count] { out += [UInt8(word & 0xFF), UInt8(word >> 8)] }
      out += bytes[start..<end]
      start = end
    } while start < bytes.count
    var (a, b) = (UInt32(1), UInt32(0))
    for byte in bytes {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return out + big(b << 16 | a)
  }

  static func big(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// PNG (W3C), annex D.
  static func crc(_ bytes: [UInt8]) -> UInt32 {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? 0xEDB8_8320 ^ crc >> 1 : crc >> 1 }
    }
    return ~crc
  }
}
