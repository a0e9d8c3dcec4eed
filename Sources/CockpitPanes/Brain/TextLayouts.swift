import CockpitStores
import LenientJSON
import TerminalCore

/// A run of text with one meaning and its emphasis.
struct StyledText: Hashable, Sendable {
  var text: PlainText
  var role: Role
  var attributes: Attributes = []
  /// Where it leads to.
  var link: LinkTarget?

  init(_ text: PlainText, _ role: Role = .text, _ attributes: Attributes = []) {
    self.text = text
    self.role = role
    self.attributes = attributes
  }
}

/// A text in lines of a width.
struct TextLayout: Sendable {
  var lines: [PlainText] = []
  /// Whether a line continues the wrapped line before it.
  var isContinued: [Bool] = []
}

/// Identifies the text of a layout: owners are hashed, not texts.
struct TextID: Hashable, Sendable {
  /// The prompt of a session and its version, or the row of the log.
  var owner: String
  var part: PromptPart.Key
}

/// Caches prompts as wrapped, compared and searched. Wrapping a prompt of 60 KB takes some
/// milliseconds, so it is done once and not per frame. `prepare…` fills the cache; reads outside it
/// compute the value without storing it.
struct TextLayouts: Sendable {
  private struct Key: Hashable {
    var id: TextID
    var other: TextID?
    var width: Int
    var needle = ""
  }

  /// UTF-16 units that are laid out of one text: far more than any prompt, far less than memory.
  static let textLimit = 400_000

  private var layouts = Prepared<Key, TextLayout>(limit: 24)
  private var diffs = Prepared<Key, DiffLayout>(limit: 12)
  private var hits = Prepared<Key, [Int: [Range<Int>]]>(limit: 12)
  private var raws = Prepared<String, [PlainText]>()

  func wrapped(_ id: TextID, width: Int, _ text: String) -> TextLayout {
    layouts.value(Key(id: id, width: width)) { Self.wrap(text, width: width) }
  }

  mutating func prepareWrapped(_ id: TextID, width: Int, _ text: String) {
    layouts.prepare(Key(id: id, width: width)) { Self.wrap(text, width: width) }
  }

  func diff(
    _ old: (id: TextID, text: String), _ new: (id: TextID, text: String), width: Int
  ) -> DiffLayout {
    diffs.value(Key(id: new.id, other: old.id, width: width)) {
      Self.compare(old.text, new.text, width: width)
    }
  }

  mutating func prepareDiff(
    _ old: (id: TextID, text: String), _ new: (id: TextID, text: String), width: Int
  ) {
    diffs.prepare(Key(id: new.id, other: old.id, width: width)) {
      Self.compare(old.text, new.text, width: width)
    }
  }

  private static func compare(_ old: String, _ new: String, width: Int) -> DiffLayout {
    DiffLayout(WordDiff(old: bounded(old), new: bounded(new)), width: width)
  }

  /// Where a text occurs in a layout: columns by line.
  func hits(of needle: String, in id: TextID, width: Int, _ text: String) -> [Int: [Range<Int>]] {
    hits.value(Key(id: id, width: width, needle: needle)) {
      Self.find(PlainText(needle, limit: 200), in: wrapped(id, width: width, text))
    }
  }

  mutating func prepareHits(of needle: String, in id: TextID, width: Int, _ text: String) {
    let layout = wrapped(id, width: width, text)
    hits.prepare(Key(id: id, width: width, needle: needle)) {
      Self.find(PlainText(needle, limit: 200), in: layout)
    }
  }

  /// The lines of a JSON value; `key` says which value and as of when.
  func raw(_ key: String, _ value: () -> JSONValue?) -> [PlainText] {
    raws.value(key) { Self.lines(value()) }
  }

  mutating func prepareRaw(_ key: String, _ value: () -> JSONValue?) {
    raws.prepare(key) { Self.lines(value()) }
  }

  private static func lines(_ value: JSONValue?) -> [PlainText] {
    (value ?? .null).prettyLines(limit: 8000).map { PlainText($0, limit: 40_000) }
  }

  private static func bounded(_ text: String) -> String {
    guard text.utf8.count > textLimit else { return text }
    return String(text.unicodeScalars.prefix(textLimit))
  }

  private static func wrap(_ text: String, width: Int) -> TextLayout {
    var layout = TextLayout()
    for line in PlainText.lines(bounded(text)) {
      let parts = line.wrapped(to: max(4, width))
      layout.lines += parts.isEmpty ? [PlainText()] : parts
      layout.isContinued += [false] + [Bool](repeating: true, count: max(0, parts.count - 1))
    }
    if text.utf8.count > textLimit {
      layout.lines.append("… the rest is not shown; the pager shows all of it")
      layout.isContinued.append(false)
    }
    return layout
  }

  /// Hits within lines, and those that a line break of ours has parted.
  private static func find(_ needle: PlainText, in layout: TextLayout) -> [Int: [Range<Int>]] {
    guard !needle.isEmpty else { return [:] }
    var found: [Int: [Range<Int>]] = [:]
    for (index, line) in layout.lines.enumerated() {
      let ranges = line.ranges(of: needle)
      if !ranges.isEmpty { found[index, default: []] += ranges }
      guard index > 0, layout.isContinued[index], needle.columns > 1 else { continue }
      let before = layout.lines[index - 1]
      let skipped = max(0, before.columns - needle.columns)
      let tail = before.dropFirst(columns: skipped)
      let head = line.prefix(columns: needle.columns)
      for gap in ["" as PlainText, " "] {
        let edge = tail.columns
        guard
          let hit = (tail + gap + head).ranges(of: needle)
            .first(where: { $0.lowerBound < edge && $0.upperBound > edge + gap.columns })
        else { continue }
        found[index - 1, default: []].append(skipped + hit.lowerBound..<before.columns)
        found[index, default: []].append(0..<hit.upperBound - edge - gap.columns)
        break
      }
    }
    return found
  }
}
