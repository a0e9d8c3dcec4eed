#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Finds a secret of which some characters are escaped as in a JSON string (RFC 8259 section 7).
///
/// Only around an escape that stands for a character of the secret anything is decoded, so data without
/// such ones costs a look for backslashes.
struct EscapedSearch {
  private let data: UnsafeRawBufferPointer
  private let secret: Secret
  /// Matches in the data, in ascending order.
  private(set) var hits: [Range<Int>] = []

  /// `\u` and four digits.
  private static let longest = 6

  init(data: UnsafeRawBufferPointer, secret: Secret) {
    self.data = data
    self.secret = secret
    let reach = Self.longest * (secret.bytes.count - 1)
    var at = 0
    // Up to here all hits are known.
    var searchedEnd = 0
    while let escape = nextEscape(from: at) {
      at = escape.end
      guard escape.start >= searchedEnd, escape.bytes.contains(where: secret.contains) else {
        continue
      }
      searchedEnd = search(from: aligned(max(0, escape.start - reach)), around: escape)
    }
  }

  /// One character of a string.
  private struct Character {
    var start: Int
    var end: Int
    /// The decoded UTF-8 bytes; a NUL, which no token contains, if the escape is invalid.
    var bytes: [UInt8]
  }

  private func nextEscape(from start: Int) -> Character? {
    guard start < data.count, let base = data.baseAddress,
      let found = memchr(base + start, 0x5C, data.count - start)
    else { return nil }
    return character(at: UnsafeRawPointer(found) - base)
  }

  private func character(at start: Int) -> Character {
    guard data[start] == 0x5C, start + 1 < data.count else {
      return Character(start: start, end: start + 1, bytes: [data[start]])
    }
    let kind = data[start + 1]
    guard kind == UInt8(ascii: "u") else {
      // Control characters, which the others stand for, no token has.
      let isPlain = [UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/")].contains(kind)
      return Character(start: start, end: start + 2, bytes: [isPlain ? kind : 0])
    }
    let end = min(start + Self.longest, data.count)
    guard let unit = unit(at: start) else {
      return Character(start: start, end: end, bytes: Self.nothing)
    }
    if let scalar = Unicode.Scalar(unit) {
      return Character(start: start, end: end, bytes: Self.bytes(scalar))
    }
    // A character above U+FFFF is a pair.
    guard (0xD800..<0xDC00).contains(unit), let low = self.unit(at: end),
      (0xDC00..<0xE000).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    else { return Character(start: start, end: end, bytes: Self.nothing) }
    return Character(
      start: start, end: end + Self.longest, bytes: Self.bytes(scalar))
  }

  private static let nothing: [UInt8] = [0]

  private static func bytes(_ scalar: Unicode.Scalar) -> [UInt8] {
    UTF8.encode(scalar).map(Array.init) ?? nothing
  }

  /// The number of a `\u` escape that begins here.
  private func unit(at start: Int) -> UInt32? {
    guard start + Self.longest <= data.count, data[start] == 0x5C,
      data[start + 1] == UInt8(ascii: "u")
    else { return nil }
    return UInt32(String(decoding: data[(start + 2)..<(start + 6)], as: UTF8.self), radix: 16)
  }

  /// The beginning of a character at or after a place that may lie inside an escape.
  private func aligned(_ place: Int) -> Int {
    for distance in 1..<Self.longest where place >= distance {
      let start = place - distance
      guard data[start] == 0x5C else { continue }
      // In a run of backslashes every other one starts an escape.
      var before = start
      while before > 0, data[before - 1] == 0x5C { before -= 1 }
      guard (start - before).isMultiple(of: 2) else { continue }
      return max(place, character(at: start).end)
    }
    return place
  }

  /// Decodes from a place to as far behind an escape as the secret may reach.
  ///
  /// - Returns: where it stopped.
  private mutating func search(from start: Int, around escape: Character) -> Int {
    var (bytes, places): ([UInt8], [Int]) = ([], [])
    var (at, left) = (start, secret.bytes.count)
    while at < data.count, left > 0 {
      let next = character(at: at)
      for byte in next.bytes {
        places.append(next.start)
        bytes.append(byte)
      }
      if at >= escape.start { left -= 1 }
      at = next.end
    }
    places.append(at)
    bytes.withUnsafeBytes { bytes in
      var from = 0
      while let hit = secret.position(in: bytes, from: from) {
        from = hit + secret.bytes.count
        let range = places[hit]..<places[from]
        // The plain search finds occurrences without an escape.
        if range.lowerBound >= hits.last?.upperBound ?? 0, range.count > secret.bytes.count {
          hits.append(range)
        }
      }
    }
    return at
  }
}
