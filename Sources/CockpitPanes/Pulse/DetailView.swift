import TerminalUI
import CockpitText
import CockpitStores
import LenientJSON
import TerminalCore

/// The view state of a row's detail: page, folds, scroll position.
package struct DetailView: Hashable, Sendable {
  /// The pages that `p` walks through.
  package enum Page: Int, CaseIterable, Hashable, Sendable {
    case fields, prompts, metadata, raw

    var title: PlainText {
      switch self {
      case .fields: "fields"
      case .prompts: "prompts"
      case .metadata: "metadata"
      case .raw: "raw JSON"
      }
    }
  }

  package internal(set) var page = Page.fields
  /// The line that Enter folds and unfolds, and how far the text is scrolled.
  package internal(set) var cursor = ListCursor<Never>()
  package var scroll: Int { cursor.scroll }
  package var line: Int { cursor.line }
  /// Parts that are unfolded, by their path.
  package internal(set) var unfolded: Set<String> = []
  package var isWrapping = true
  /// The member of the metadata that the line under the cursor shows.
  private(set) var member: DetailLine.Member?
  /// The beginning of the line under the cursor, and all of it.
  private(set) var label: String?
  private(set) var text = ""
  private var row: RowID?
  private var pageBeforeRaw = Page.fields

  package init() {}

  /// Another row is shown: its own top, but the same page and the same folds, so that walking
  /// along the feed compares like with like.
  mutating func show(_ row: RowID?) {
    guard row != self.row else { return }
    self.row = row
    cursor = ListCursor()
  }

  mutating func nextPage() {
    page = Page(rawValue: (page.rawValue + 1) % Page.allCases.count) ?? .fields
    cursor = ListCursor()
  }

  mutating func toggleRaw() {
    if page == .raw {
      page = pageBeforeRaw
    } else {
      pageBeforeRaw = page
      page = .raw
    }
    cursor = ListCursor()
  }

  /// A command while the detail has the focus; false if it does not apply.
  mutating func perform(_ command: KeyAction, page height: Int) -> Bool {
    if command == .open {
      wantsToggle = true
      return true
    }
    guard let move = command.listMove else { return false }
    cursor.step(move, page: height)
    return true
  }

  /// Set by Enter: which fold is under the cursor is known once the lines are built.
  var wantsToggle = false

  /// Clamps cursor and scroll position to the content, and performs a pending fold.
  mutating func clamp(_ lines: [DetailLine], height: Int) {
    cursor.clamp(count: lines.count, height: height)
    if wantsToggle {
      wantsToggle = false
      if lines.indices.contains(line), let path = lines[line].fold { toggle(path) }
    }
    let current = lines.indices.contains(line) ? lines[line] : nil
    member = current?.member
    label = current?.spans.first?.text.description
    text = current?.spans.map(\.text.description).joined(separator: " ") ?? ""
  }

  mutating func toggle(_ path: String) {
    if unfolded.remove(path) == nil { unfolded.insert(path) }
  }

  /// Moves the view without moving the cursor out of it, as the wheel does.
  mutating func scroll(by lines: Int) { cursor.shift(by: lines) }
}

/// One line of the detail.
package struct DetailLine: Hashable, Sendable {
  /// A member of the metadata, which `path=value` copies.
  struct Member: Hashable, Sendable {
    /// Keys and places, from the outside in.
    var path: [String]
    var value: JSONValue

    /// `metadata.usage.inputTokens=1247`: a text as it is, everything else as JSON.
    var assignment: String {
      let path = (["metadata"] + path).joined(separator: ".")
      return path + "=" + (value.string ?? value.serialized())
    }
  }

  package var spans: [ActionSummary.Span]
  package var indent: Int
  /// The path of the fold that this line opens and closes; nil if it folds nothing.
  package var fold: String?
  package var isOpen: Bool
  /// The metadata member it shows; nil for other lines.
  var member: Member?

  init(
    _ spans: [ActionSummary.Span], indent: Int = 0, fold: String? = nil, isOpen: Bool = false,
    member: Member? = nil
  ) {
    self.spans = spans
    self.indent = indent
    self.fold = fold
    self.isOpen = isOpen
    self.member = member
  }

  init(_ label: PlainText, _ value: PlainText, _ role: Role = .text, indent: Int = 0) {
    self.init([.init(label.padded(to: 9), .muted), .init(value, role)], indent: indent)
  }
}
