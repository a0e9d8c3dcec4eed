import CockpitStores
import CockpitText
import TerminalCore

/// A canvas in cells: a pure function of what was drawn, of the part in sight, and of the pictures that are decoded.
///
/// Later elements cover earlier ones, and nothing is drawn outside of the area.
package struct CanvasRaster: Sendable {
  package var board: CanvasBoard
  package var viewport: CanvasViewport
  /// By `CanvasElement.pictureKey`.
  package var pictures: [Int: ImagePreview]
  /// The element that keys act on, by its id.
  package var selected: String?

  package init(
    _ board: CanvasBoard, viewport: CanvasViewport = CanvasViewport(),
    pictures: [Int: ImagePreview] = [:], selected: String? = nil
  ) {
    self.board = board
    self.viewport = viewport
    self.pictures = pictures
    self.selected = selected
  }

  /// How many elements lie wholly outside of the part in sight.
  package var outside: Int {
    board.elements.count { element in
      let bounds = element.bounds
      return bounds.x >= viewport.x + viewport.side || bounds.y >= viewport.y + viewport.side
        || bounds.x + bounds.width < viewport.x || bounds.y + bounds.height < viewport.y
    }
  }

  /// The average number of layers per cell beyond which the lowest elements are not drawn, to bound the time of a frame.
  private static let maximumLayers = 64

  /// How many of the lowest elements are not drawn because too many lie over each other.
  package func hidden(on size: Size) -> Int {
    let area = Rect(width: size.width, height: size.height)
    var room = max(1, size.width * size.height) * Self.maximumLayers
    for (index, element) in board.elements.enumerated().reversed() {
      let place = viewport.place(element.bounds, on: size).intersection(area)
      room -= place.isEmpty ? 0 : place.width * place.height
      if room < 0 { return index + 1 }
    }
    return 0
  }

  /// Where the elements that act are on an area, in reading order.
  package func places(on size: Size) -> [Rect] {
    board.interactive.map { viewport.place($0.bounds, on: size) }
  }

  /// Draws it over all of the region.
  package func draw(into canvas: inout Canvas) {
    let bounds = canvas.bounds
    let size = Size(width: bounds.width, height: bounds.height)
    guard size.width > 0, size.height > 0 else { return }
    let numbers = Dictionary(
      uniqueKeysWithValues: board.interactive.prefix(9).enumerated().map { ($1.id, $0 + 1) })
    canvas.inside(Rect(width: size.width, height: size.height)) { canvas in
      var sheet = CanvasSheet(size: size)
      for element in board.elements.dropFirst(hidden(on: size)) {
        let place = viewport.place(element.bounds, on: size)
        guard place.x < size.width, place.y < size.height, place.maxX > 0, place.maxY > 0 else {
          continue
        }
        draw(element, numbers[element.id], in: place, sheet: &sheet, into: &canvas)
      }
      // Numbers and the selection are drawn last, so that no element hides them.
      for element in board.elements where element.isInteractive {
        let place = viewport.place(element.bounds, on: size)
        if element.id == selected {
          canvas.paint(place.intersection(canvas.bounds), background: .selection)
        }
        guard let number = numbers[element.id] else { continue }
        canvas.write(
          PlainText("\(number)"), x: place.x, y: place.y,
          role: element.id == selected ? .focus : .key, attributes: [.reverse, .bold])
      }
    }
  }

  private func draw(
    _ element: CanvasElement, _ number: Int?, in place: Rect, sheet: inout CanvasSheet,
    into canvas: inout Canvas
  ) {
    let color =
      CanvasColor.role(element.style["color"]) ?? CanvasColor.role(element.style["stroke"])
    let fill =
      CanvasColor.role(element.style["fill"]) ?? CanvasColor.role(element.style["background"])
    switch element.kind {
    case .text:
      if let fill { sheet.fill(place, fill, into: &canvas) }
      if element.style["border"] != nil, element.style["border"] != "false", place.height >= 3,
        place.width >= 4
      {
        sheet.box(place, color ?? .border, into: &canvas)
        text(element, number, in: place.inset(by: 1), color, sheet: &sheet, into: &canvas)
      } else {
        text(element, number, in: place, color, sheet: &sheet, into: &canvas)
      }
    case .highlight:
      sheet.highlight(place, into: &canvas)
      text(element, number, in: place, nil, sheet: &sheet, into: &canvas, isHighlight: true)
    case .shape: shape(element, in: place, color, fill, sheet: &sheet, into: &canvas)
    case .image:
      picture(element, in: place, sheet: &sheet, into: &canvas)
    case .video: video(element, number, in: place, sheet: &sheet, into: &canvas)
    case .unknown(let name):
      sheet.box(place, .faint, into: &canvas)
      sheet.write(
        PlainText(name, limit: 80).cut(to: max(1, place.width - 2)), x: place.x + 1, y: place.y,
        role: .muted, into: &canvas)
    }
  }

  // MARK: Text

  private func text(
    _ element: CanvasElement, _ number: Int?, in place: Rect, _ color: Role?,
    sheet: inout CanvasSheet, into canvas: inout Canvas, isHighlight: Bool = false
  ) {
    guard place.width > 0, place.height > 0, !element.content.isEmpty else { return }
    // What can be drawn is all that is laid out, however long the text is.
    let height = min(place.height, canvas.bounds.height + 400)
    let room = min(place.width, 1_000)
    let indent = number == nil || room <= 4 ? 0 : 2
    let text = PlainText(element.content, limit: min(20_000, (room + 1) * (height + 1)))
    let lines = text.wrapped(to: max(1, room - indent), limit: height)
    let isBold = ["bold", "600", "700", "800", "900"].contains(
      element.style["weight"] ?? element.style["font_weight"] ?? "")
    let align = element.style["align"] ?? element.style["text_align"] ?? "left"
    for (row, line) in lines.enumerated() {
      let free = max(0, room - indent - line.columns)
      let shift = align == "center" ? free / 2 : align == "right" ? free : 0
      sheet.write(
        line, x: place.x + indent + shift, y: place.y + row,
        role: color ?? (element.isInteractive ? .focus : .text),
        attributes: isBold || isHighlight ? .bold : [], background: isHighlight ? .match : nil,
        into: &canvas)
    }
  }

  // MARK: Shapes

  private func shape(
    _ element: CanvasElement, in place: Rect, _ color: Role?, _ fill: Role?,
    sheet: inout CanvasSheet, into canvas: inout Canvas
  ) {
    let size = sheet.size
    switch CanvasShape(element) {
    case .rectangle:
      if let fill { sheet.fill(place, fill, into: &canvas) }
      if fill == nil || color != nil { sheet.box(place, color ?? .text, into: &canvas) }
    case .ellipse:
      let area = HalfCellArea(place)
      if let fill {
        area.ellipse(isFilled: true, clip: size) { sheet.mark($0, $1, fill, into: &canvas) }
      }
      if fill == nil || color != nil {
        area.ellipse(isFilled: false, clip: size) {
          sheet.mark($0, $1, color ?? .text, into: &canvas)
        }
      }
    case .line: line(element, color ?? fill ?? .text, hasHead: false, &sheet, &canvas)
    case .arrow: line(element, color ?? fill ?? .text, hasHead: true, &sheet, &canvas)
    case .unknown(let name):
      if let fill { sheet.fill(place, fill, into: &canvas) }
      sheet.box(place, color ?? .text, into: &canvas)
      sheet.write(
        PlainText(name, limit: 200).cut(to: max(1, place.width - 4)), x: place.x + 2,
        y: place.y + place.height / 2, role: color ?? .text, into: &canvas)
    }
  }

  /// From the upper left corner of its bounds to the lower right one. With the style `direction` of `up` from the lower
  /// left to the upper right one, and with `left` or `reverse` the other way round.
  private func line(
    _ element: CanvasElement, _ role: Role, hasHead: Bool, _ sheet: inout CanvasSheet,
    _ canvas: inout Canvas
  ) {
    let bounds = element.bounds
    let direction = element.style["direction"] ?? ""
    func point(_ x: Double, _ y: Double) -> (x: Int, y: Int) {
      (
        viewport.column(x, of: sheet.size.width), viewport.halfRow(y, of: sheet.size.height)
      )
    }
    let isUp = direction.contains("up")
    var start = point(bounds.x, isUp ? bounds.y + bounds.height : bounds.y)
    var end = point(bounds.x + bounds.width, isUp ? bounds.y : bounds.y + bounds.height)
    // The right and the lower edge of the bounds are the last cell, not the one behind it.
    if end.x > start.x { end.x -= 1 }
    if end.y > start.y { end.y -= 1 }
    if start.y > end.y { start.y -= 1 }
    if direction.contains("left") || direction == "reverse" { swap(&start, &end) }
    let (across, down) = (end.x - start.x, end.y / 2 - start.y / 2)
    if down == 0 || across == 0 {
      let symbol: Symbol = down == 0 ? .horizontal : .vertical
      let columns = min(start.x, end.x)...max(start.x, end.x)
      let rows = min(start.y, end.y) / 2...max(start.y, end.y) / 2
      for y in rows.clamped(to: 0...sheet.size.height) {
        for x in columns.clamped(to: 0...sheet.size.width) {
          if columns.contains(x), rows.contains(y) {
            sheet.symbol(symbol, x: x, y: y, role: role, into: &canvas)
          }
        }
      }
    } else {
      HalfCellArea.line(from: start, to: end, clip: sheet.size) {
        sheet.mark($0, $1, role, into: &canvas)
      }
    }
    guard hasHead else { return }
    let isFlat = abs(across) >= abs(down) * 2
    let head: Symbol =
      isFlat ? (across < 0 ? .arrowLeft : .arrowRight) : (down < 0 ? .up : .down)
    sheet.symbol(head, x: end.x, y: end.y >> 1, role: role, attributes: .bold, into: &canvas)
  }

  // MARK: Pictures

  private func picture(
    _ element: CanvasElement, in place: Rect, sheet: inout CanvasSheet, into canvas: inout Canvas
  ) {
    let preview = element.pictureKey.flatMap { pictures[$0] }
    let room = Size(width: min(place.width, 2_000), height: min(place.height, 1_000))
    if let grid = preview?.grid, room.width > 0, room.height > 0 {
      let cells = grid.cells(in: room)
      if let scaled = grid.scaled(width: cells.width, height: cells.height * 2) {
        let area = Rect(
          x: place.x + (place.width - cells.width) / 2,
          y: place.y + (place.height - cells.height) / 2, width: cells.width,
          height: cells.height)
        canvas.draw(scaled, x: area.x, y: area.y)
        sheet.noteImage(area)
        return
      }
    }
    sheet.box(place, .muted, into: &canvas)
    let words = Self.words(element, preview)
    for (row, line) in words.wrapped(
      to: max(1, place.width - 2), limit: max(1, place.height - 2)
    ).enumerated() {
      sheet.write(
        line, x: place.x + 1, y: place.y + (place.height > 2 ? 1 : 0) + row, role: .muted,
        into: &canvas)
    }
  }

  /// What stands in the place of a picture.
  static func words(_ element: CanvasElement, _ preview: ImagePreview?) -> PlainText {
    if let preview, preview.grid == nil { return preview.words }
    let content = element.picture ?? element.content
    if let uri = CanvasDataURI(content) {
      let size = Figures.bytes(uri.byteCount)
      let type = PlainText(uri.type, limit: 40)
      return uri.omittedBytes == nil
        ? "image, " + type + ", " + size + ": being decoded"
        : "image, " + type + ", " + size + ": not recorded"
    }
    return CanvasDataURI.isOne(content)
      ? "image: not an image in base64" : "image: only data: URIs are shown, nothing is fetched"
  }

  private func video(
    _ element: CanvasElement, _ number: Int?, in place: Rect, sheet: inout CanvasSheet,
    into canvas: inout Canvas
  ) {
    if element.pictureKey != nil {
      picture(element, in: place, sheet: &sheet, into: &canvas)
    } else {
      sheet.box(place, .border, into: &canvas)
    }
    let address = element.style["url"] ?? element.style["href"] ?? element.content
    let link = CanvasDataURI.isOne(address) ? nil : LinkTarget(address)
    let title = element.style["title"] ?? (CanvasDataURI.isOne(address) ? "video" : address)
    let inner = place.height > 2 && place.width > 4 ? place.inset(by: 1) : place
    let indent = number != nil && inner == place ? 2 : 0
    let x = inner.x + indent
    sheet.symbol(.folded, x: x, y: inner.y, role: .key, into: &canvas)
    let words = PlainText(title, limit: 400).cut(to: max(1, inner.width - indent - 2))
    sheet.write(
      words, x: x + 2, y: inner.y, role: link == nil ? .text : .info,
      attributes: link == nil ? [] : .underline, into: &canvas)
    if let link { canvas.link(link, x: x + 2, y: inner.y, count: words.columns) }
  }
}
