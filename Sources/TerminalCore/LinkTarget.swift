/// The address of a link that a terminal may open (OSC 8). A stranger may have written it; making one is the only way
/// to a terminal, and it lets nothing through but printable ASCII.
package struct LinkTarget: Hashable, Sendable {
  /// Printable ASCII without blanks, at most `limit` bytes.
  package let url: String
  /// The same for each part of a link that is broken over lines: a terminal marks them together.
  package let id: String

  /// Bytes of an address that terminals take: VTE's limit, that of old browsers.
  package static let limit = 2_083

  /// Nil for anything but `http`, `https` and `mailto`, for addresses with control characters, and for longer ones.
  package init?(_ text: String) {
    let lower = text.prefix(8).lowercased()
    guard ["http://", "https://", "mailto:"].contains(where: lower.hasPrefix) else { return nil }
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      guard scalar.value >= 0x20, !(0x7F...0x9F).contains(scalar.value) else { return nil }
      if (0x21...0x7E).contains(scalar.value) {
        bytes.append(UInt8(scalar.value))
      } else {
        for byte in Array(String(scalar).utf8) { bytes += Self.escaped(byte) }
      }
      guard bytes.count <= Self.limit else { return nil }
    }
    url = String(decoding: bytes, as: UTF8.self)
    // FNV-1a: the same address is the same link.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    id = String(hash, radix: 36)
  }

  private static func escaped(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }

  /// Text from here on belongs to the link, until `close`.
  package var open: String { "\u{1B}]8;id=\(id);\(url)\u{1B}\\" }
  package static let close = "\u{1B}]8;;\u{1B}\\"
}

/// A link on a canvas. Of the cells that it names, those that something was drawn over belong to it no longer.
package struct LinkSpan: Hashable, Sendable {
  package var y: Int
  package var columns: Range<Int>
  package var target: LinkTarget

  package init(y: Int, columns: Range<Int>, target: LinkTarget) {
    (self.y, self.columns, self.target) = (y, columns, target)
  }
}

extension Canvas {
  /// Makes text that was written a link; clipped as text is.
  package mutating func link(_ target: LinkTarget, x: Int, y: Int, count: Int) {
    guard let (row, columns, _) = visible(x: x, y: y, count: count) else { return }
    for column in columns { rows[row][column].attributes.insert(.link) }
    links.append(LinkSpan(y: row, columns: columns, target: target))
  }

  /// The links of each row, from the left, as they are after everything was drawn. Of two that cover a cell the one
  /// that was drawn last has it.
  package var linkRuns: [Int: [LinkSpan]] {
    guard !links.isEmpty else { return [:] }
    var runs: [Int: [LinkSpan]] = [:]
    for (y, spans) in Dictionary(grouping: links, by: \.y) where rows.indices.contains(y) {
      var run: LinkSpan?
      let from = spans.map(\.columns.lowerBound).min() ?? 0
      let to = min(size.width, spans.map(\.columns.upperBound).max() ?? 0)
      for x in from..<max(from, to) {
        let isLink = rows[y][x].attributes.contains(.link)
        let target = isLink ? spans.last { $0.columns.contains(x) }?.target : nil
        if let open = run, open.target == target {
          run?.columns = open.columns.lowerBound..<x + 1
          continue
        }
        if let open = run { runs[y, default: []].append(open) }
        run = target.map { LinkSpan(y: y, columns: x..<x + 1, target: $0) }
      }
      if let run { runs[y, default: []].append(run) }
    }
    return runs
  }

  /// Takes the links of an area of another canvas over, `rows` further down.
  mutating func takeLinks(_ spans: [LinkSpan], in area: Rect, movedBy rows: Int) {
    for var span in spans where span.y >= area.y && span.y < area.maxY {
      let columns = span.columns.clamped(to: area.x..<area.maxX)
      guard !columns.isEmpty else { continue }
      (span.y, span.columns) = (span.y + rows, columns)
      // Several parts of a frame may be copied from the same place.
      if !links.contains(span) { links.append(span) }
    }
  }
}
