import TerminalCore

/// A drawn screen and its mouse targets.
///
/// Drawing produces both at once, so targets always match what is visible.
package struct Frame: Sendable {
  /// The meaning of a click on an area: a value whose type belongs to the code that drew the area,
  /// which casts it back with `as`.
  package struct Target: Hashable, Sendable {
    private let value: any Hashable & Sendable

    package init(_ value: some Hashable & Sendable) { self.value = value }

    /// The value, where it is of this type.
    package func `as`<Value>(_ type: Value.Type) -> Value? { value as? Value }

    package static func == (left: Target, right: Target) -> Bool {
      AnyHashable(left.value) == AnyHashable(right.value)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(value)) }
  }

  package var canvas: Canvas
  /// The size that selects the layout: the screen without docked layers.
  package var layoutSize: Size
  /// The terminal's cursor: at the text input, else on the selection.
  package var cursor: CursorPlace { canvas.cursor ?? .home }
  package private(set) var targets: [(area: Rect, target: Target)] = []
  /// Whether something below the header shows an age or a running time in seconds. If not, a frame
  /// in which only the time changed needs just a new header.
  package var needsSecond = false
  /// The minute of the frame, in ms since 1970: dates and rates change with it.
  package var minuteMs: Int64 = 0
  /// What dialogs are about, in their titles; nil where that is plain.
  package var owner: PlainText?
  /// The error row above the hints.
  package var alert: PlainText?
  /// The rows it takes.
  package var alertRows = 0
  /// The rows of the card above it.
  package var cardRows = 0
  /// Number of targets in the header; they come first.
  private var headerTargets = 0
  /// The parts that the next frame may copy.
  private var parts: [Part] = []
  /// The number of parts that were copied from the frame before.
  package private(set) var reusedParts = 0
  /// The previous frame, while this one is drawn.
  private var before: (canvas: Canvas, parts: [Part])?
  /// Where the search for the next part begins.
  private var nextPart = 0

  /// - Parameter last: the frame before: parts of it that are equal are copied.
  package init(size: Size, symbols: SymbolSet = .unicode, after last: Frame? = nil) {
    canvas = Canvas(size: size, symbols: symbols)
    layoutSize = canvas.size
    if let last, last.canvas.size == canvas.size, last.canvas.symbols == symbols {
      before = (last.canvas, last.parts)
    }
  }

  // MARK: Parts

  /// Draws a part into an area of the whole screen, or copies its cells from the frame before.
  package mutating func draw<P: FramePart>(_ part: P, in area: Rect) {
    draw(part, in: area) { part.render(in: area, into: &$0) }
  }

  /// Draws an area of the whole screen, or copies its cells from an area of the same columns of the frame
  /// before that had an equal key.
  ///
  /// - Parameters:
  ///   - key: everything that the cells are made of.
  ///   - body: draws all of the area that it draws in, and nothing beside it.
  package mutating func draw<Key: Equatable & Sendable>(
    _ key: Key, in area: Rect, _ body: (inout Frame) -> Void
  ) {
    func isEqual(_ known: AnyObject) -> Bool {
      guard let known = known as? SharedValue<Key> else { return false }
      return known.value == key
    }
    if !copy(area, where: isEqual) { draw(SharedValue(key), in: area, body) }
  }

  /// Copies the part of the frame before that has an equal key; false if there is none. Where the type of the key
  /// is known, comparing it takes a fraction of what it takes in `draw`: for parts of which there are many.
  ///
  /// - Parameters:
  ///   - highlight: drawn over the part and not kept: a row that is selected no more is copied as it was. It
  ///     neither marks anything nor places the cursor.
  ///   - isEqual: whether a key that was kept is equal.
  package mutating func copy(
    _ area: Rect, highlight: ((inout Canvas) -> Void)? = nil, where isEqual: (AnyObject) -> Bool
  ) -> Bool {
    guard let before, let index = part(like: area, in: before.parts, where: isEqual) else {
      return false
    }
    let known = before.parts[index]
    nextPart = index + 1
    let rows = area.y - known.area.y
    if let picture = known.picture {
      canvas.copy(known.area, from: picture, movedBy: rows)
    } else {
      canvas.copy(known.area, from: before.canvas, movedBy: rows)
    }
    if let cursor = known.cursor { canvas.place(cursor.moved(rows: rows)) }
    let moved =
      rows == 0
      ? known.targets
      : known.targets.map { (area: $0.area.moved(rows: rows), target: $0.target) }
    targets += moved
    reusedParts += 1
    parts.append(
      Part(
        key: known.key, area: area, targets: moved, cursor: known.cursor?.moved(rows: rows),
        picture: draw(highlight, over: area)))
    return true
  }

  /// Draws a part that the frame before has not, and keeps it for the next one.
  package mutating func draw<Key: Sendable>(
    _ key: SharedValue<Key>, in area: Rect, highlight: ((inout Canvas) -> Void)? = nil,
    _ body: (inout Frame) -> Void
  ) {
    let first = targets.count
    let others = canvas.cursor
    canvas.cursor = nil
    body(&self)
    let cursor = canvas.cursor
    canvas.cursor = others
    if let cursor { canvas.place(cursor) }
    parts.append(
      Part(
        key: key, area: area, targets: Array(targets[first...]), cursor: cursor,
        picture: draw(highlight, over: area)))
  }

  /// Gives the part as it is without the highlight; nil if it has none.
  private mutating func draw(
    _ highlight: ((inout Canvas) -> Void)?, over area: Rect
  ) -> Canvas.Picture? {
    guard let highlight else { return nil }
    let picture = canvas.picture(of: area)
    canvas.inside(area, highlight)
    return picture
  }

  /// The index of an equal part. Frames are drawn in the same order: it mostly follows the last one found.
  private func part(
    like area: Rect, in parts: [Part], where isEqual: (AnyObject) -> Bool
  ) -> Int? {
    let start = min(nextPart, parts.count)
    for offset in parts.indices {
      let index = start + offset < parts.count ? start + offset : start + offset - parts.count
      let known = parts[index].area
      if known.x == area.x, known.width == area.width, known.height == area.height,
        isEqual(parts[index].key)
      {
        return index
      }
    }
    return nil
  }

  /// Something is drawn over parts: the next frame copies none of them.
  package mutating func forgetParts() { parts = [] }

  private struct Part: Sendable {
    /// A `SharedValue`: keys have hundreds of bytes, and a frame compares a hundred of them.
    let key: any AnyObject & Sendable
    let area: Rect
    let targets: [(area: Rect, target: Target)]
    let cursor: CursorPlace?
    /// Its cells, where something was drawn over them.
    let picture: Canvas.Picture?
  }

  /// The frame is complete: it keeps nothing of the one before.
  package mutating func finish() { before = nil }

  // MARK: Header

  /// Replaces the header of a complete frame: the next one does not copy it.
  package mutating func redrawHeader(_ body: (inout Frame) -> Void) {
    if let part = parts.firstIndex(where: { $0.area.y == 0 }) { parts.remove(at: part) }
    drawHeader(body)
  }

  /// Draws the header and records its targets.
  package mutating func drawHeader(_ body: (inout Frame) -> Void) {
    let others = targets.dropFirst(headerTargets)
    let cursor = canvas.cursor
    targets = []
    body(&self)
    headerTargets = targets.count
    targets += others
    canvas.cursor = cursor
  }

  /// Says that a click into `area`, in cells of the whole screen, means `target`.
  package mutating func mark(_ area: Rect, _ target: Target) {
    guard !area.isEmpty else { return }
    targets.append((area, target))
  }

  /// All marked areas, in the order of drawing.
  package var marks: [(area: Rect, target: Target)] { targets }

  /// The targets at a position, topmost first.
  package func targets(x: Int, y: Int) -> [Target] {
    targets.reversed().filter { $0.area.contains(x: x, y: y) }.map(\.target)
  }

  /// Drops all targets and the cursor: an overlay covers them.
  package mutating func cover() {
    targets = []
    canvas.cursor = nil
  }
}

/// A part of a frame that depends only on its own value: equal values draw equal cells. It draws
/// every cell of its area, and none outside.
package protocol FramePart: Equatable, Sendable {
  /// Draws into `area`, in cells of the whole screen, of a frame that is blank there.
  func render(in area: Rect, into frame: inout Frame)
}

extension Frame {
  /// A title with the owner.
  package func owned(_ title: PlainText) -> PlainText {
    owner.map { title + " - " + $0 } ?? title
  }
}
