import CockpitDomain
import CockpitPanes
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

/// What an agent has drawn: to look at, to act on, and to draw over.
package struct CanvasOverlay: Overlay, Hashable {
  enum Mode: Hashable {
    case look
    /// What can be done with the selected element, and the place of the choice.
    case actions(Int)
    /// The raw document, and its first line in sight.
    case json(Int)
    case pencil
  }

  private(set) var mode = Mode.look
  private(set) var viewport = CanvasViewport()
  /// The element that Enter acts on, by its id.
  private(set) var selected: String?
  /// The element that the last key tapped: Enter once more lists what else can be done.
  private var tapped: String?
  /// The drawing, which stays while the pencil is put away.
  private(set) var pencil: CanvasPencil?
  /// Whether the user was warned that closing discards a drawing.
  private var hasWarned = false
  /// Whether something was sent that has no outcome yet, and whether it was the drawing.
  private(set) var isSending = false
  private var isSendingDrawing = false
  private(set) var remark: PlainText?
  private(set) var isWrong = false
  /// Of the canvas in cells, as of the last frame.
  private(set) var room = Size(width: 1, height: 1)
  private var wantsPencil: Bool

  /// - Parameter draws: whether it opens with the pencil.
  package init(draws: Bool = false) { wantsPencil = draws }

  package var title: PlainText { "canvas" }
  package var isKeptOnSwitch: Bool { false }

  package var keyLine: PlainText {
    switch mode {
    case .look:
      "1-9 Tab choose  Enter taps  . more  arrows +-0  v image  d draw  J JSON  Esc"
    case .actions: "Enter does it  j k choose  Esc leaves"
    case .json: "j k PgDn PgUp scroll  J back  Esc back"
    case .pencil:
      "arrows Space paint  p pen  u undo  c colour  e erase  X clear  Enter sends  Esc"
    }
  }

  @MainActor package mutating func clampSelection(_ context: LayerContext) {
    let facts = context.facts
    if let area = context.area {
      let new = CanvasLayout(area, facts.canvas).canvas
      room = Size(width: max(1, new.width), height: max(1, new.height))
      if wantsPencil { beginPencil(facts) }
      wantsPencil = false
    }
    guard let board = facts.canvas else { return }
    viewport.clamp(to: board)
    if let id = selected, board[id]?.isInteractive != true {
      selected = nil
      tapped = nil
      if case .actions = mode { mode = .look }
    }
  }

  /// The outcome of what was sent.
  package mutating func take(_ outcome: ControlOutcome) {
    isSending = false
    say(PlainText(VisibleText().of(outcome.sentence), limit: 300), isWrong: !outcome.isDone)
    if isSendingDrawing, outcome.isDone {
      pencil = nil
      if mode == .pencil { mode = .look }
    }
    isSendingDrawing = false
  }

  mutating func startDrawing() { wantsPencil = true }

  // MARK: Keys

  @MainActor package mutating func press(_ press: KeyPress, on facts: ViewContext) -> LayerOutcome {
    let lastTapped = tapped
    tapped = nil
    if !(press.key == .escape || press.key == .char("q")) { hasWarned = false }
    remark = nil
    isWrong = false
    switch mode {
    case .look: return look(press, facts, lastTapped)
    case .actions(let place): return choose(press, place, facts)
    case .json(let first): return read(press, first, facts)
    case .pencil: return sketch(press, facts)
    }
  }

  /// Shows the selected image, else the last one that was drawn, as well as the terminal can.
  private mutating func view(_ board: CanvasBoard) -> LayerOutcome {
    let chosen = board.elements.filter { $0.id == selected } + board.elements.reversed()
    guard let image = chosen.lazy.compactMap({ $0.picture.flatMap(CanvasDataURI.init)?.file }).first
    else {
      say("no image is on the canvas")
      return .stay
    }
    return .effects([.viewImage(image)])
  }

  @MainActor private mutating func look(
    _ press: KeyPress, _ facts: ViewContext, _ lastTapped: String?
  ) -> LayerOutcome {
    let board = facts.canvas ?? CanvasBoard()
    switch (press.key, press.modifiers) {
    case (.escape, []), (.char("q"), []), (.char("c"), .ctrl): return close()
    case (.left, _), (.char("h"), []): viewport.pan(right: -1, down: 0, over: board)
    case (.right, _), (.char("l"), []): viewport.pan(right: 1, down: 0, over: board)
    case (.up, _), (.char("k"), []): viewport.pan(right: 0, down: -1, over: board)
    case (.down, _), (.char("j"), []): viewport.pan(right: 0, down: 1, over: board)
    case (.char("+"), _), (.char("="), []): viewport.zoom(by: 1, over: board)
    case (.char("-"), []): viewport.zoom(by: -1, over: board)
    case (.char("0"), []): viewport = CanvasViewport()
    case (.tab, []): step(1, board)
    case (.tab, .shift): step(-1, board)
    case (.char("J"), _): mode = .json(0)
    case (.char("d"), []): beginPencil(facts)
    case (.char("v"), []): return view(board)
    case (.char(":"), _): return .effects([.line("", isWhole: false)])
    case (.enter, []):
      if let id = selected, id == lastTapped {
        mode = .actions(0)
      } else {
        return act(isLong: false, facts)
      }
    case (.char("."), []):
      if selected == nil { sayNothingChosen(board) } else { mode = .actions(0) }
    case (.char(let digit), []) where digit.isNumber:
      guard let number = digit.wholeNumberValue, let element = board.interactive[safe: number - 1]
      else {
        say("no element has this number")
        break
      }
      selected = element.id
      reveal(element, board)
    default:
      if case .command(.canvas) = facts.keys.match([press]) { return close() }
    }
    return .stay
  }

  private mutating func close() -> LayerOutcome {
    guard pencil?.drawing.isEmpty == false, !hasWarned else { return .close }
    hasWarned = true
    say("the drawing was not sent: Esc once more discards it, d goes on with it", isWrong: true)
    return .stay
  }

  private mutating func step(_ step: Int, _ board: CanvasBoard) {
    let elements = board.interactive
    guard !elements.isEmpty else { return sayNothingChosen(board) }
    let place = elements.firstIndex { $0.id == selected }
    let next =
      place.map { ($0 + step + elements.count) % elements.count }
      ?? (step > 0 ? 0 : elements.count - 1)
    selected = elements[next].id
    reveal(elements[next], board)
  }

  /// Brings an element into sight.
  private mutating func reveal(_ element: CanvasElement, _ board: CanvasBoard) {
    func steps(_ value: Double, _ start: Double, _ length: Double) -> Int {
      guard value < start || value + length > start + viewport.side else { return 0 }
      let middle = value + length / 2 - start - viewport.side / 2
      return Int((middle / viewport.side * 10).rounded())
    }
    let bounds = element.bounds
    let right = steps(bounds.x, viewport.x, min(bounds.width, viewport.side))
    let down = steps(bounds.y, viewport.y, min(bounds.height, viewport.side))
    if right != 0 || down != 0 { viewport.pan(right: right, down: down, over: board) }
  }

  private mutating func sayNothingChosen(_ board: CanvasBoard) {
    say(
      board.interactive.isEmpty
        ? "nothing on this canvas takes a tap" : "choose an element: its number, or Tab")
  }

  // MARK: Acting

  /// Why nothing can be sent; nil if something can.
  @MainActor private func hindrance(_ facts: ViewContext) -> PlainText? {
    if facts.isReadOnly || facts.replay != nil { return facts.readOnlyWords }
    if !facts.hasCanvas { return "this source takes nothing back from its canvas" }
    if facts.status.overall != .live { return "not connected: nothing can be sent now" }
    return isSending ? "the last one is still on its way" : nil
  }

  @MainActor private mutating func act(isLong: Bool, _ facts: ViewContext) -> LayerOutcome {
    let board = facts.canvas ?? CanvasBoard()
    guard let element = selected.flatMap({ board[$0] }) else {
      sayNothingChosen(board)
      return .stay
    }
    if let why = hindrance(facts) {
      say(why, isWrong: true)
      return .stay
    }
    let bounds = element.bounds
    let (x, y) = (bounds.x + bounds.width / 2, bounds.y + bounds.height / 2)
    let seen = String(element.content.prefix(CanvasTouch.seenLength))
    isSending = true
    if !isLong { tapped = element.id }
    return .effects([
      .canvas(
        isLong
          ? .longPress(element: element.id, seen: seen, x: x, y: y)
          : .tap(element: element.id, seen: seen, x: x, y: y))
    ])
  }

  static let actions: [PlainText] = ["tap", "long press"]

  @MainActor private mutating func choose(
    _ press: KeyPress, _ place: Int, _ facts: ViewContext
  ) -> LayerOutcome {
    switch (press.key, press.modifiers) {
    case (.down, []), (.char("j"), []), (.tab, []):
      mode = .actions(min(place + 1, Self.actions.count - 1))
    case (.up, []), (.char("k"), []): mode = .actions(max(0, place - 1))
    case (.enter, []):
      mode = .look
      return act(isLong: place == 1, facts)
    case (.escape, []), (.char("q"), []), (.char("c"), .ctrl): mode = .look
    default: break
    }
    return .stay
  }

  @MainActor private mutating func read(
    _ press: KeyPress, _ first: Int, _ facts: ViewContext
  ) -> LayerOutcome {
    let count = CanvasJSON.lines(facts.canvas ?? CanvasBoard()).count
    var line = first
    switch (press.key, press.modifiers) {
    case (.escape, []), (.char("q"), []), (.char("J"), _), (.char("c"), .ctrl):
      mode = .look
      return .stay
    case (.down, []), (.char("j"), []): line += 1
    case (.up, []), (.char("k"), []): line -= 1
    case (.pageDown, _), (.char(" "), []), (.char("d"), .ctrl): line += max(1, room.height - 1)
    case (.pageUp, _), (.char("u"), .ctrl): line -= max(1, room.height - 1)
    case (.home, _), (.char("g"), []): line = 0
    case (.end, _), (.char("G"), _): line = count
    default: break
    }
    mode = .json(min(max(0, line), max(0, count - room.height)))
    return .stay
  }

  // MARK: Drawing on it

  @MainActor private mutating func beginPencil(_ facts: ViewContext) {
    if let why = hindrance(facts) { return say(why, isWrong: true) }
    if pencil == nil { pencil = CanvasPencil(size: room) }
    // A drawing is over the whole canvas, so that its places are those of the canvas.
    viewport = CanvasViewport()
    mode = .pencil
  }

  @MainActor private mutating func sketch(_ press: KeyPress, _ facts: ViewContext) -> LayerOutcome {
    if pencil?.press(press) == true { return .stay }
    switch (press.key, press.modifiers) {
    case (.escape, []), (.char("q"), []), (.char("c"), .ctrl):
      mode = .look
      if pencil?.drawing.isEmpty == false {
        say("the drawing is kept while the canvas is open: d goes on with it")
      } else {
        pencil = nil
      }
    case (.enter, []):
      guard let drawing = pencil?.drawing, !drawing.isEmpty else {
        say("nothing is drawn yet")
        break
      }
      if let why = hindrance(facts) {
        say(why, isWrong: true)
        break
      }
      isSending = true
      isSendingDrawing = true
      return .effects([.canvas(.draw(drawing, element: selected))])
    default: break
    }
    return .stay
  }

  private mutating func say(_ words: PlainText, isWrong: Bool = false) {
    remark = words
    self.isWrong = isWrong
  }

  // MARK: Mouse

  /// The numbers of cells of the drawing among those of mouse targets; smaller ones are elements.
  static let firstCell = 10_000

  @MainActor package mutating func click(_ item: Int, on facts: ViewContext) -> LayerOutcome {
    if item >= Self.firstCell {
      if mode == .pencil { pencil?.mouse(item - Self.firstCell, isDrag: false) }
      return .stay
    }
    guard mode == .look, let element = facts.canvas?.interactive[safe: item] else { return .stay }
    remark = nil
    guard selected == element.id else {
      selected = element.id
      return .stay
    }
    return act(isLong: false, facts)
  }

  @MainActor package mutating func drag(_ item: Int, on facts: ViewContext) {
    guard mode == .pencil, item >= Self.firstCell else { return }
    pencil?.mouse(item - Self.firstCell, isDrag: true)
  }

  @MainActor package mutating func wheel(_ lines: Int, on facts: ViewContext) {
    let board = facts.canvas ?? CanvasBoard()
    switch mode {
    case .look: viewport.pan(right: 0, down: lines.signum(), over: board)
    case .json(let first):
      let count = CanvasJSON.lines(board).count
      mode = .json(min(max(0, first + lines), max(0, count - room.height)))
    default: break
    }
  }
}
