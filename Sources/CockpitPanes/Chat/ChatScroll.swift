import CockpitChat
import CockpitText
import TerminalCore

/// Where in a conversation the screen stands, and the lines in sight. Only what is in sight is laid out, and a
/// segment that does not change any more once for a width.
package struct ChatScroll: Sendable {
  /// A line of a piece of an entry.
  package struct Place: Hashable, Sendable, Comparable {
    package var entry: Int
    package var piece: Int
    package var line: Int

    package static func < (left: Place, right: Place) -> Bool {
      (left.entry, left.piece, left.line) < (right.entry, right.piece, right.line)
    }
  }

  package struct Shown: Sendable {
    package var place: Place
    package var line: ChatLine
  }

  private struct Key: Hashable, Sendable {
    var entry: ChatEntry.ID
    var replacements: Int
    var piece: Int
    var width: Int
    /// Bytes of a segment that is still growing.
    var open: Int?
  }

  /// The first line in sight; nil follows the end.
  package private(set) var top: Place?
  package private(set) var shown: [Shown] = []
  /// Lines below those in sight exist.
  package private(set) var hasMore = false
  private var layouts: [Key: [ChatLine]] = [:]
  /// More than any screen has; then they are made anew.
  private static let layoutLimit = 300
  /// Bytes of Markdown that were laid out so far.
  package private(set) var laidOut = 0

  package init() {}

  package var isFollowing: Bool { top == nil }

  package mutating func follow() { top = nil }

  /// What is needed to lay a conversation out.
  package struct Content {
    package var transcript: ChatTranscript
    package var clock: ClockFormat
    package var width: Int
    package var unfolded: Set<ChatEntry.ID>
    package var selected: ChatEntry.ID?
    package var previews: [ChatEntry.ID: [ImagePreview]] = [:]

    package init(
      _ transcript: ChatTranscript, clock: ClockFormat, width: Int,
      unfolded: Set<ChatEntry.ID> = [], selected: ChatEntry.ID? = nil
    ) {
      self.transcript = transcript
      self.clock = clock
      self.width = width
      self.unfolded = unfolded
      self.selected = selected
    }
  }

  /// Takes the lines in sight, after everything that may have changed them.
  package mutating func show(_ content: Content, height: Int) {
    let entries = content.transcript.entries
    shown = []
    hasMore = false
    guard !entries.isEmpty, height > 0 else { return }
    if let first = top {
      let start = clamped(first, content)
      shown = below(start, height, content)
      hasMore = next(after: shown.last?.place ?? start, content) != nil
      if shown.count < height, !hasMore { top = nil } else { top = start }
    }
    if top == nil { shown = above(nil, height, content) }
  }

  /// Moves by lines; down is positive. At the end it follows again.
  package mutating func move(by lines: Int, _ content: Content, height: Int) {
    guard let first = shown.first?.place ?? top else { return }
    if lines < 0 {
      top = above(first, -lines, content).first?.place ?? first
    } else {
      guard top != nil else { return }
      let passed = below(first, lines + 1, content)
      top = passed.last?.place ?? first
    }
    show(content, height: height)
  }

  package mutating func moveToTop() { top = Place(entry: 0, piece: 0, line: 0) }

  /// Puts an entry at the top, or a piece of it.
  package mutating func move(toEntry index: Int, piece: Int = 0) {
    top = Place(entry: index, piece: piece, line: 0)
  }

  // MARK: Walking

  /// At most `count` lines before a place, or before the end, in order.
  private mutating func above(_ place: Place?, _ count: Int, _ content: Content) -> [Shown] {
    var found: [Shown] = []
    let entries = content.transcript.entries
    var entry = place?.entry ?? entries.count - 1
    var piece = place?.piece ?? (entry >= 0 ? ChatText.count(entries[entry]) - 1 : 0)
    var end = place?.line
    while entry >= 0, found.count < count {
      let lines = layOut(entry, piece, content)
      for line in (0..<min(end ?? lines.count, lines.count)).reversed() where found.count < count {
        found.append(Shown(place: Place(entry: entry, piece: piece, line: line), line: lines[line]))
      }
      end = nil
      piece -= 1
      if piece < 0 {
        entry -= 1
        if entry >= 0 { piece = ChatText.count(entries[entry]) - 1 }
      }
    }
    return found.reversed()
  }

  /// At most `count` lines from a place on.
  private mutating func below(_ place: Place, _ count: Int, _ content: Content) -> [Shown] {
    var found: [Shown] = []
    let entries = content.transcript.entries
    var (entry, piece, start) = (place.entry, place.piece, place.line)
    while entry < entries.count, found.count < count {
      let lines = layOut(entry, piece, content)
      for line in min(start, lines.count)..<lines.count where found.count < count {
        found.append(Shown(place: Place(entry: entry, piece: piece, line: line), line: lines[line]))
      }
      start = 0
      piece += 1
      if piece >= ChatText.count(entries[entry]) { (entry, piece) = (entry + 1, 0) }
    }
    return found
  }

  private mutating func next(after place: Place, _ content: Content) -> Place? {
    var after = place
    after.line += 1
    return below(after, 1, content).first?.place
  }

  private func clamped(_ place: Place, _ content: Content) -> Place {
    let entries = content.transcript.entries
    guard place.entry < entries.count else {
      return Place(entry: entries.count - 1, piece: 0, line: 0)
    }
    var place = place
    place.piece = min(place.piece, ChatText.count(entries[place.entry]) - 1)
    return place
  }

  private mutating func layOut(_ index: Int, _ piece: Int, _ content: Content) -> [ChatLine] {
    let entry = content.transcript.entries[index]
    let text = ChatText(
      entry: entry, clock: content.clock, width: content.width,
      isUnfolded: content.unfolded.contains(entry.id), isSelected: content.selected == entry.id,
      previews: content.previews[entry.id] ?? [])
    guard piece > 0, piece <= entry.markdown.count else { return text.lines(piece) }
    let isClosed = piece <= entry.markdown.closed.count
    let bytes = isClosed ? nil : entry.markdown.open?.text.utf8.count
    let key = Key(
      entry: entry.id, replacements: entry.replacements, piece: piece, width: content.width,
      open: bytes)
    if let known = layouts[key] { return known }
    let lines = text.lines(piece)
    laidOut += entry.markdown[piece - 1]?.text.utf8.count ?? 0
    if layouts.count >= Self.layoutLimit { layouts.removeAll() }
    layouts[key] = lines
    return lines
  }
}
