import CockpitText
import TerminalCore

/// The images attached to the next message: as pictures where there is room, and each in words.
package struct AttachedImages: Hashable, Sendable {
  private let strip: ImageStrip
  private let lines: [PlainText]

  /// Rows that it takes.
  package var height: Int {
    if lines.isEmpty { return 0 }
    return isBeside ? max(strip.height, lines.count) : strip.height + 1
  }

  /// Whether the words stand at the right of the picture, a line each; else all of them are below.
  private let isBeside: Bool

  /// Columns that words need beside a picture.
  private static let wordColumns = 22

  /// - Parameter area: of the whole drawer, with its border. Pictures take less than half of it.
  package init(_ attachments: [ChatBoard.Attachment], in area: Rect) {
    let width = max(0, area.width - 4)
    let rows = max(0, (area.height - 2) / 2 - 1)
    let room = Size(width: width, height: rows >= 3 ? min(ImageStrip.largest.height, rows) : 0)
    let strip = ImageStrip(attachments.compactMap(\.preview), room: room)
    let columns = (strip.pictures.last.map { $0.x + $0.grid.width } ?? 0) + 2
    isBeside =
      attachments.count == 1 && strip.height >= 3 && columns + Self.wordColumns <= width
    self.strip = strip
    guard let first = attachments.first else {
      lines = []
      return
    }
    if isBeside {
      let words = [
        "attached: " + PlainText(first.name, limit: 60), Figures.bytes(first.bytes),
        first.preview?.words ?? "",
      ]
      lines = words.map { $0.cut(to: width - columns) }
    } else {
      let names = attachments.map { attachment in
        let more = attachment.preview.map(\.words).flatMap { $0.isEmpty ? nil : ", " + $0 } ?? ""
        return PlainText(attachment.name, limit: 40) + " (" + Figures.bytes(attachment.bytes) + more
          + ")"
      }
      lines = [("attached: " + names.joined(separator: ", ")).cut(to: width)]
    }
  }

  package func draw(y: Int, into canvas: inout Canvas) {
    strip.draw(y: y, into: &canvas)
    let x = isBeside ? (strip.pictures.last.map { $0.x + $0.grid.width } ?? 0) + 2 : 0
    for (number, line) in lines.enumerated() {
      canvas.write(line, x: x, y: y + (isBeside ? number : strip.height), role: .media)
    }
  }
}
