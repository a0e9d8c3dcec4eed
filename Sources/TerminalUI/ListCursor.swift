/// A list from a cursor's point of view: its length, its visible height, and the item of each line.
package struct CursorList<ID: Hashable> {
  /// Where an unmoved cursor is, and what is visible then.
  package enum Rest {
    /// Stays on the first line when the items change.
    case top
    /// On the line that this gives, such as the first one that may be read.
    case line(() -> Int)
    /// No item: the view follows the end at which new items arrive.
    case following(End)
  }

  /// An end of a list.
  package enum End: Hashable, Sendable { case top, bottom }

  package let count: Int
  /// Lines in sight.
  package let height: Int
  package let rest: Rest
  /// The item of a line; nil for a line without one.
  package let id: (Int) -> ID?

  package init(count: Int, height: Int, rest: Rest = .top, id: @escaping (Int) -> ID?) {
    self.count = count
    self.height = height
    self.rest = rest
    self.id = id
  }

  /// The first line in sight where the last one is.
  fileprivate var lastTop: Int { max(0, count - height) }

  fileprivate func line(of id: ID) -> Int? { (0..<count).first { self.id($0) == id } }
}

extension CursorList where ID == Never {
  /// The lines of a text.
  package init(count: Int, height: Int) {
    self.init(count: count, height: height) { _ in nil }
  }
}

/// The position in a list: on an item, which keeps its screen line while others come and go, or at
/// rest as the list defines.
package struct ListCursor<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The item under the cursor; nil at rest, and on a line without an item.
  package private(set) var id: ID?
  /// The cursor's line when the list was last seen: its position if the item is gone.
  package private(set) var line = 0
  /// The first line in sight.
  package private(set) var scroll = 0
  package var isResting = true
  /// Whether only the wheel moved it: then it returns to rest at the end that the list follows.
  private var isScrolledOnly = false

  /// A cursor at rest.
  package init() {}

  /// A cursor on a line of a text.
  package init(line: Int, scroll: Int) {
    self.line = line
    self.scroll = scroll
    isResting = false
  }

  // MARK: Settling

  /// Finds the item again, and brings the cursor into the list and into sight. An item that has gone leaves
  /// the cursor on its neighbour. Nothing changes while the list is empty.
  package mutating func clamp(to list: CursorList<ID>) {
    guard list.count > 0 else { return }
    guard !isResting else {
      rest(in: list)
      return
    }
    if let id, !(line < list.count && list.id(line) == id), let found = list.line(of: id) {
      scroll += found - line
      line = found
    }
    line = min(max(0, line), list.count - 1)
    show(in: list)
    if id != nil { id = list.id(line) }
    restAtTop(of: list)
  }

  /// The cursor as it is in a list, which is not changed by that.
  package func settled(in list: CursorList<ID>) -> ListCursor {
    var copy = self
    copy.clamp(to: list)
    return copy
  }

  private mutating func rest(in list: CursorList<ID>) {
    id = nil
    scroll = 0
    switch list.rest {
    case .top, .following(.top): line = 0
    case .line(let place):
      line = min(max(0, place()), list.count - 1)
      show(in: list)
    case .following(.bottom):
      line = list.count - 1
      scroll = list.lastTop
    }
  }

  /// Scrolls just far enough to show the cursor.
  private mutating func show(in list: CursorList<ID>) {
    if line < scroll { scroll = line }
    if list.height > 0, line >= scroll + list.height { scroll = line - list.height + 1 }
    scroll = max(0, min(scroll, list.lastTop))
  }

  private mutating func restAtTop(of list: CursorList<ID>) {
    guard case .top = list.rest, line == 0 else { return }
    isResting = true
    id = nil
  }

  // MARK: Moving

  /// Goes to an item, which `settle` finds.
  package mutating func select(id: ID) {
    self.id = id
    isResting = false
  }

  /// Goes to a line and scrolls just far enough to show it.
  package mutating func select(line wanted: Int, in list: CursorList<ID>) {
    guard list.count > 0 else { return }
    clamp(to: list)
    line = min(max(0, wanted), list.count - 1)
    id = list.id(line)
    isResting = false
    show(in: list)
    restAtTop(of: list)
  }

  /// Stays on the item under it from now on.
  package mutating func hold(in list: CursorList<ID>) {
    select(line: settled(in: list).line, in: list)
  }

  /// Moves by lines; the first step away from an end that is followed goes to the line there.
  package mutating func move(by step: Int, in list: CursorList<ID>) {
    guard list.count > 0 else { return }
    clamp(to: list)
    var start = line
    if isResting, case .following(let end) = list.rest {
      start = end == .top ? (step > 0 ? -1 : 0) : list.count - (step < 0 ? 0 : 1)
    }
    let (wanted, isOver) = start.addingReportingOverflow(step)
    select(line: isOver ? (step < 0 ? 0 : list.count - 1) : wanted, in: list)
  }

  /// Moves as a key says; at the end that the list follows it rests.
  package mutating func perform(_ move: ListMove, in list: CursorList<ID>) {
    if case .following(let end) = list.rest, move == (end == .top ? .top : .bottom) {
      self = ListCursor()
      return
    }
    self.move(by: move.lines(page: list.height), in: list)
  }

  /// Scrolls as the wheel does; the cursor comes along at the edge.
  package mutating func scroll(by lines: Int, in list: CursorList<ID>) {
    guard list.count > list.height, list.height > 0 else { return }
    clamp(to: list)
    let top = min(max(0, scroll + lines), list.lastTop)
    var wanted = line
    if case .following(let end) = list.rest {
      let isFree = isResting || isScrolledOnly
      if isFree, top == (end == .top ? 0 : list.lastTop) {
        self = ListCursor()
        return
      }
      if isResting { wanted = top }
      isScrolledOnly = isFree
    }
    scroll = top
    line = min(max(wanted, top), top + list.height - 1)
    id = list.id(line)
    isResting = false
    restAtTop(of: list)
  }
}

/// The cursor of a text, whose lines may change after the key press: `clamp` corrects it.
extension ListCursor where ID == Never {
  package mutating func clamp(count: Int, height: Int) {
    clamp(to: CursorList(count: count, height: height))
  }

  package mutating func put(line: Int) {
    self.line = line
    isResting = false
  }

  package mutating func step(_ move: ListMove, page: Int) {
    switch move {
    case .top: put(line: 0)
    case .bottom: put(line: .max / 2)
    default: put(line: line + move.lines(page: page))
    }
  }

  /// Moves text and cursor, as the wheel does.
  package mutating func shift(by lines: Int) {
    scroll = max(0, scroll + lines)
    put(line: max(0, line + lines))
  }
}
