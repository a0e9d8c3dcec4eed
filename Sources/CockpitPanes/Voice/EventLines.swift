import ClankyWire
import CockpitStores
import CockpitText
import LenientJSON
import TerminalCore

/// Which events of a session are listed.
package struct EventFilter: Hashable, Sendable {
  /// nil lists all lanes.
  package var lane: Lane?
  /// Words that have to occur in kind, name or content; `kind:` and `name:` look there alone, and `*` at the
  /// end stands for any rest.
  package var text = ""

  package init(lane: Lane? = nil, text: String = "") {
    self.lane = lane
    self.text = text
  }

  package var isOpen: Bool { lane == nil && words.isEmpty }

  private var words: [Substring] { text.lowercased().split(separator: " ") }

  /// Tells whether an event passes; the text is taken apart once.
  var matcher: (VoiceEvent) -> Bool {
    let (lane, words) = (lane, words)
    return { event in
      if let lane, event.lane != lane { return false }
      return words.allSatisfy { word in
        if word.hasPrefix("kind:") { return Self.fits(event.kind, word.dropFirst(5)) }
        if word.hasPrefix("name:") { return Self.fits(event.name, word.dropFirst(5)) }
        return event.name.contains(word) || event.kind.contains(word)
          || event.content?.lowercased().contains(word) == true
      }
    }
  }

  private static func fits(_ text: String, _ pattern: Substring) -> Bool {
    pattern.hasSuffix("*") ? text.hasPrefix(pattern.dropLast()) : text == pattern
  }

  /// The lane before or after this one; beyond the ends all lanes.
  mutating func step(by step: Int, among lanes: [Lane]) {
    let all: [Lane?] = [nil] + lanes.map(Optional.some)
    let index = all.firstIndex(of: lane) ?? 0
    lane = all[((index + step) % all.count + all.count) % all.count]
  }
}

/// The events of a session as they came, newest first, with their lanes.
@MainActor
struct EventLines {
  let scene: VoiceScene
  let filter: EventFilter
  let width: Int
  /// The events that pass, newest first, at most `limit`.
  private let passing: [VoiceEvent]
  /// How many pass.
  private let count: Int

  /// Most that are listed; the filter finds the others.
  static let limit = 2000
  /// Most that one filter of PULSE can name by their rows.
  private static let queryLimit = 200

  private var facts: ViewContext { scene.facts }
  private var all: [VoiceEvent] { scene.record?.events ?? [] }

  init(scene: VoiceScene, filter: EventFilter, width: Int) {
    self.scene = scene
    self.filter = filter
    self.width = width
    let all = scene.record?.events ?? []
    guard !filter.isOpen else {
      (passing, count) = (all.suffix(Self.limit).reversed(), all.count)
      return
    }
    let matches = filter.matcher
    var found: [VoiceEvent] = []
    var count = 0
    for event in all.reversed() where matches(event) {
      count += 1
      if found.count < Self.limit { found.append(event) }
    }
    (passing, self.count) = (found, count)
  }

  /// The lanes that have an event.
  var lanes: [Lane] {
    let present = Set(all.map(\.lane))
    return Lane.allCases.filter(present.contains)
  }

  /// `34 of 512 since 23:40`: how many pass, of how many that are here.
  var counts: PlainText {
    let whole = Figures.count(all.count) + (scene.window.map { " " + $0 } ?? "")
    return filter.isOpen ? whole : Figures.count(count) + " of " + whole
  }

  /// The rows of the events that pass; nil without one.
  var behind: RowsBehind? {
    guard count > 0 else { return nil }
    guard count > Self.queryLimit else {
      return RowsBehind(passing.map { scene.row(of: $0.id) }, "events")
    }
    guard filter.isOpen else {
      return RowsBehind(none: "too many events for one filter of PULSE: narrow the list further")
    }
    return RowsBehind(
      "session:" + QueryCompletion.quoted(scene.id),
      remark: "the rows that name this session; some events are linked without naming it")
  }

  func lines(limit: Int) -> [VoiceLine] {
    let limit = min(limit, Self.limit)
    let events = passing.prefix(limit)
    var lines = [lanesLine] + events.map(line)
    if count > events.count, limit == Self.limit {
      lines.append(
        .note(
          PlainText("\(count - events.count) older ones: ") + facts.keys.text(.filter) + " narrows")
      )
    }
    if let missing = scene.missing, limit == Self.limit || count <= limit {
      lines += missing.wrapped(to: max(8, width), limit: 4).map(VoiceLine.note)
    }
    return lines
  }

  /// The lanes to choose from.
  private var lanesLine: VoiceLine {
    let chosen = filter.lane
    var spans: [VoiceLine.Span] = [
      .init(
        text: chosen == nil ? "[ALL]" : "ALL", role: chosen == nil ? .focus : .muted,
        attributes: chosen == nil ? .bold : [])
    ]
    spans += lanes.map { lane in
      let name = PlainText(lane.rawValue.uppercased())
      return .init(
        text: lane == chosen ? "[" + name + "]" : name, role: lane == chosen ? .focus : .muted,
        attributes: lane == chosen ? .bold : [])
    }
    // What does not fit is left out before the chosen lane is.
    while spans.reduce(0, { $0 + $1.columns + 1 }) > width - 4, spans.count > 1 {
      guard let index = spans.lastIndex(where: { $0.role != .focus }) else { break }
      spans.remove(at: index)
    }
    return VoiceLine(spans, trailing: [.label("h l")])
  }

  private func line(_ event: VoiceEvent) -> VoiceLine {
    var spans: [VoiceLine.Span] = [
      .init(text: facts.clock.timeWithMilliseconds(ms: event.timeMs), role: .number)
    ]
    if width >= 60 {
      spans.append(.label(PlainText(event.lane.rawValue).cut(to: 10).padded(to: 10)))
    }
    let role: Role =
      switch event.severity {
      case .error: .negative
      case .warning: .warning
      default: .text
      }
    let room = width >= 110 ? 40 : width >= 60 ? 30 : 24
    spans.append(
      .init(text: PlainText(event.name, limit: 80).cut(to: room).padded(to: room), role: role))
    if let id = event.userID, width >= 60 {
      let name = scene.record?.name(id) ?? facts.names.user(id)
      spans.append(.init(text: PlainText(name, limit: 40).cut(to: 14), role: .voice))
    }
    if let text = event.detail, text != event.name {
      spans.append(.init(text: PlainText(text.collapsingWhitespace, limit: 200)))
    }
    return VoiceLine(spans, item: .event(event.id))
  }
}

/// One event: what it says, and the turn that it belongs to.
@MainActor
struct EventDetail {
  let scene: VoiceScene
  let event: VoiceEvent
  var width: Int

  var lines: [VoiceLine] {
    let facts = scene.facts
    var lines = [
      VoiceLine("at", facts.clock.timeWithMilliseconds(ms: event.timeMs), .number),
      VoiceLine("kind", PlainText(event.kind, limit: 80)),
      VoiceLine("lane", PlainText(event.lane.rawValue)),
    ]
    if let id = scene.record?.turnID(of: event.id), let turn = scene.record?.turn(id) {
      let number = scene.number(of: id).map { "#\($0) " } ?? ""
      lines.append(
        VoiceLine(
          [
            .label(("turn" as PlainText).padded(to: 10)),
            .init(text: PlainText(number + turn.outcomeWord(at: scene.nowMs)), role: .focus),
            .label("Enter goes to it"),
          ], item: .turn(id)))
    } else {
      lines.append(VoiceLine("turn", "it belongs to none", .muted))
    }
    if let content = event.content, content != event.name {
      lines += VoiceLine.wrapped(
        "content", PlainText(content, limit: 1000), width: width, limit: 8)
    }
    if event.isTrimmed {
      lines += PlainText("Prompts are left out here; the raw JSON of its row has them.")
        .wrapped(to: max(8, width)).map(VoiceLine.note)
    }
    lines.append(VoiceLine())
    // A hostile event does not hold up a frame.
    lines += event.metadata.prettyLines(limit: 300).map {
      VoiceLine([.init(text: PlainText($0, limit: 400), role: .muted)])
    }
    return lines
  }
}
