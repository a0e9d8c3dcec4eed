import TerminalCore

/// A drawn screen and what can be clicked on it.
///
/// Drawing a pane gives both at once, so what the mouse hits is what the eye sees.
package struct Frame: Sendable {
  /// Something on the screen that answers to the mouse.
  package enum Target: Hashable, Sendable {
    case tab(Tab)
    case hint(CockpitCommand)
    case help
    case pulse(PulsePane.Target)
    case voice(VoicePane.Target)
    case brain(BrainPane.Target)
    case memory(MemoryPane.Target)
    case command(CommandPane.Target)
    /// An item of the overlay, by its number.
    case overlay(Int)
  }

  package var canvas: Canvas
  /// Where the terminal's cursor stands: where one types, else on what is selected.
  package var cursor: CursorPlace { canvas.cursor ?? .home }
  package private(set) var targets: [(area: Rect, target: Target)] = []
  /// The minute in which all but the header stays as it is while nothing but the time changes; nil
  /// where it depends on the second.
  var stillMinuteMs: Int64?
  /// What stands above the hints.
  var alert: PlainText?
  /// Whether there is such a minute.
  package var isStill: Bool { stillMinuteMs != nil }
  /// The targets of the header.
  private var header = 0..<0
  /// The targets of the feed and of the line above it.
  private var feed = 0..<0
  /// Where the clock stands in the header.
  var clock = Rect(width: 0, height: 0)
  /// The rows of the feed that are on the screen; nil when there are none.
  var feedView: FeedPanel.View?
  /// What the next frame may take over.
  private var parts: [Part] = []
  /// How many parts were taken from the frame before.
  private(set) var reusedParts = 0
  private var isComplete = false
  /// The frame before, while this one is drawn.
  private var before: (canvas: Canvas, parts: [Part])?

  /// - Parameter last: the frame before, if there is one: what has not changed is taken from it.
  package init(size: Size, symbols: SymbolSet = .unicode, after last: Frame? = nil) {
    canvas = Canvas(size: size, symbols: symbols)
    if let last, last.canvas.size == canvas.size, last.canvas.symbols == symbols {
      before = (last.canvas, last.parts)
      clock = last.clock
    }
  }

  /// Draws a part into an area of the whole screen, or takes it from the frame before. In a frame that
  /// is complete it stays where it has not changed.
  mutating func draw<P: FramePart>(_ part: P, in area: Rect) {
    let drawn = isComplete ? parts : before?.parts ?? []
    if let index = Self.index(of: part, in: area, among: drawn) {
      let known = drawn[index]
      if let before { canvas.copy(area, from: before.canvas) }
      if let cursor = known.cursor { canvas.place(cursor) }
      targets += known.targets
      reusedParts += 1
      if !isComplete { parts.append(known) }
      return
    }
    let first = targets.count
    if isComplete { canvas.clear(area) }
    let others = canvas.cursor
    canvas.cursor = nil
    part.render(in: area, into: &self)
    let cursor = canvas.cursor
    canvas.cursor = others
    if let cursor { canvas.place(cursor) }
    if isComplete { parts.removeAll { $0.area == area } }
    parts.append(
      Part(part: part, area: area, targets: Array(targets[first...]), cursor: cursor))
  }

  private static func index<P: FramePart>(
    of part: P, in area: Rect, among parts: [Part]
  ) -> Int? {
    parts.indices.first { parts[$0].area == area && (parts[$0].part as? P) == part }
  }

  /// Draws a part of a complete frame anew, where it has changed. What can be clicked there stays.
  mutating func redraw<P: FramePart>(_ part: P, in area: Rect) {
    guard Self.index(of: part, in: area, among: parts) == nil else { return }
    let known = targets
    draw(part, in: area)
    targets = known
  }

  /// Something is drawn over parts: the next frame takes none of them.
  mutating func forgetParts() { parts = [] }

  /// The frame is complete.
  mutating func finish() {
    before = nil
    isComplete = true
  }

  /// Whether nothing but the clock differs from an earlier frame.
  package func isSame(butForTheClockAs other: Frame) -> Bool {
    clock == other.clock && !clock.isEmpty && cursor == other.cursor
      && canvas.isSame(as: other.canvas, besides: clock)
  }

  /// Shows the time that an earlier frame shows.
  package mutating func keepClock(of other: Frame) {
    canvas.copy(clock, from: other.canvas)
  }

  private struct Part: Sendable {
    let part: any FramePart
    let area: Rect
    let targets: [(area: Rect, target: Target)]
    let cursor: CursorPlace?
  }

  /// Says that a click into `area`, in cells of the whole screen, means `target`.
  package mutating func mark(_ area: Rect, _ target: Target) {
    guard !area.isEmpty else { return }
    targets.append((area, target))
  }

  /// What is under a position, topmost first.
  package func targets(x: Int, y: Int) -> [Target] {
    targets.reversed().filter { $0.area.contains(x: x, y: y) }.map(\.target)
  }

  /// A stretch of the screen that is drawn anew by itself.
  enum Stretch {
    case header, feed
  }

  /// Draws a stretch, and notes what can be clicked there; all else stays.
  mutating func draw(_ stretch: Stretch, _ body: (inout Frame) -> Void) {
    let old = isComplete ? stretch == .header ? header : feed : targets.count..<targets.count
    let rest = targets[old.upperBound...]
    targets.removeSubrange(old.lowerBound...)
    body(&self)
    let new = old.lowerBound..<targets.count
    targets += rest
    switch stretch {
    case .header:
      header = new
      // The feed's come after it.
      let moved = new.count - old.count
      feed = feed.lowerBound + moved..<feed.upperBound + moved
    case .feed: feed = new
    }
  }

  /// Forgets what can be clicked, and where the cursor was to stand: an overlay covers it.
  package mutating func cover() {
    targets = []
    canvas.cursor = nil
  }
}

/// A part of a frame that is made of nothing but itself: where two are equal they look the same, and
/// the cells of one do for the other. It draws all of its area that it draws in, and nothing beside it.
protocol FramePart: Equatable, Sendable {
  /// Draws into `area`, in cells of the whole screen, of a frame that is blank there.
  func render(in area: Rect, into frame: inout Frame)
}
