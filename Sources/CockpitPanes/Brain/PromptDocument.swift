import LenientJSON
import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// The display options of prompts: unfolded parts, and whether to compare with the previous
/// version.
struct PromptReading {
  var unfolded: Set<PromptSection>
  /// Parts that the reader has folded.
  var folded: Set<PromptSection> = []
  /// Lines in sight: what is left of them shows the beginnings of the other parts. nil leaves them folded.
  var room: Int?
  var isComparing: Bool
  var layouts: TextLayouts
}

/// The lines of an inspected prompt: folds with their sizes, and below open folds the text or its
/// changes. Lines are created on demand.
@MainActor
struct PromptDocument {
  /// One part with its lines.
  struct Section {
    var id: PromptSection
    var heading: [StyledText]
    var isOpen: Bool
    var text: (id: TextID, layout: TextLayout, source: String)?
    var lines: [[StyledText]] = []
    /// Number of lines shown of a folded part; nil shows all.
    var preview: Int?

    var wholeCount: Int { text?.layout.lines.count ?? lines.count }

    var bodyCount: Int { preview.map { min($0, wholeCount) } ?? wholeCount }

    /// Whether lines are left out.
    var isCut: Bool { bodyCount < wholeCount }
  }

  private(set) var sections: [Section] = []
  /// Lines in all.
  private(set) var count = 0
  let prompt: InspectedPrompt

  init(_ prompt: InspectedPrompt, _ reading: PromptReading, width: Int) {
    self.prompt = prompt
    let whole = max(1, prompt.content.length)
    for part in prompt.texts(isComparing: reading.isComparing) {
      add(part, of: whole, reading: reading, width: width)
    }
    if !prompt.content.tiers.isEmpty { addTiers(reading: reading, width: width) }
    if let room = reading.room, !reading.isComparing { fill(room, reading, width: width) }
    count = sections.reduce(0) { $0 + 1 + ($1.isOpen ? $1.bodyCount : 0) }
  }

  /// Shows the beginnings of folded parts in the lines that would stand empty: short parts whole, the others an
  /// equal share.
  private mutating func fill(_ room: Int, _ reading: PromptReading, width: Int) {
    var left = room - sections.reduce(0) { $0 + 1 + ($1.isOpen ? $1.bodyCount : 0) }
    let closed = sections.indices.filter {
      !sections[$0].isOpen && !reading.folded.contains(sections[$0].id)
    }
    guard left > 0, !closed.isEmpty else { return }
    let parts = prompt.content.parts
    for index in closed {
      guard case .part(let key) = sections[index].id,
        let part = parts.first(where: { $0.key == key })
      else {
        sections[index].lines = tierLines()
        continue
      }
      let id = TextID(owner: prompt.owner, part: key)
      sections[index].text = (id, reading.layouts.wrapped(id, width: width, part.text), part.text)
    }
    let shortestFirst = closed.sorted {
      (sections[$0].wholeCount, $0) < (sections[$1].wholeCount, $1)
    }
    for (place, index) in shortestFirst.enumerated() where left > 0 {
      let share = min(sections[index].wholeCount, left / (shortestFirst.count - place))
      guard share > 0 else { continue }
      sections[index].preview = share
      sections[index].isOpen = true
      left -= share
    }
  }

  nonisolated static func title(_ part: PromptPart, of content: PromptContent) -> PlainText {
    switch part.key {
    case .system: "system"
    case .user: "user"
    case .followup(let index):
      "follow-up \(index + 1)/\(content.parts.count { if case .followup = $0.key { true } else { false } })"
    case .tools: "tools \(part.count.map(String.init) ?? "")"
    case .output: "model output"
    }
  }

  private mutating func add(
    _ part: PromptPart, of whole: Int, reading: PromptReading, width: Int
  ) {
    let id = PromptSection.part(part.key)
    let isOpen = reading.unfolded.contains(id)
    var heading = [
      StyledText(Self.title(part, of: prompt.content).uppercased().padded(to: 13), .heading),
      StyledText(
        ((part.key == .tools ? "~" : "") + Figures.short(Double(part.length)) + " ch")
          .leftPadded(to: 9), .number),
    ]
    if part.key != .output {
      heading.append(
        StyledText(
          Figures.percent(Double(part.length) / Double(whole)).leftPadded(to: 4), .muted))
      if let growth = prompt.growth(part) {
        let isSame = prompt.previous?[part.key].map { $0.isIdentical(to: part) } ?? false
        heading.append(
          isSame
            ? StyledText("unchanged", .faint)
            : StyledText(Self.signed(growth) + " vs " + prompt.previousName, .info))
      }
    }
    var section = Section(id: id, heading: heading, isOpen: isOpen)
    if isOpen {
      let textID = TextID(owner: prompt.owner, part: part.key)
      if reading.isComparing {
        section.lines = comparison(part, textID, reading: reading, width: width)
      } else {
        let layout = reading.layouts.wrapped(textID, width: width, part.text)
        section.text = (textID, layout, part.text)
      }
    }
    sections.append(section)
  }

  private func comparison(
    _ part: PromptPart, _ id: TextID, reading: PromptReading, width: Int
  ) -> [[StyledText]] {
    guard let previous = prompt.previous, let owner = prompt.previousOwner else {
      return [[StyledText("no earlier version is kept to compare with", .muted)]]
    }
    let old = previous[part.key]?.text ?? ""
    let diff = reading.layouts.diff(
      (TextID(owner: owner, part: part.key), old), (id, part.text), width: width)
    guard !diff.lines.isEmpty else {
      return [[StyledText("unchanged since " + prompt.previousName, .muted)]]
    }
    var head = [
      StyledText("+\(diff.added)", .positive), StyledText("-\(diff.removed)", .negative),
      StyledText("characters since " + prompt.previousName, .muted),
    ]
    if diff.isCoarse { head.append(StyledText("(whole lines: too much changed)", .muted)) }
    return [Self.spaced(head)] + diff.lines
  }

  private mutating func addTiers(reading: PromptReading, width: Int) {
    let tiers = prompt.content.tiers
    let isOpen = reading.unfolded.contains(.tiers)
    var heading = [StyledText(("CONTEXT TIERS" as PlainText).padded(to: 13), .heading)]
    for tier in tiers.prefix(12) {
      let name = PlainText(tier.key ?? tier.label ?? "?", limit: 20)
      // A sign, not only the colour, shows which tiers are included.
      heading.append(
        tier.present == true ? StyledText("+" + name, .positive) : StyledText("-" + name, .faint))
    }
    var section = Section(id: .tiers, heading: heading, isOpen: isOpen)
    if isOpen { section.lines = tierLines() }
    sections.append(section)
  }

  private func tierLines() -> [[StyledText]] {
    prompt.content.tiers.prefix(40).map { tier in
      let state: StyledText =
        switch tier.present {
        case true?: StyledText("in ", .positive, .bold)
        case false?: StyledText("out", .muted)
        case nil: StyledText("-  ", .faint)
        }
      var line = [
        state, StyledText(PlainText(tier.label ?? tier.key ?? "?", limit: 60).padded(to: 28)),
        StyledText(
          PlainText(tier.sources.prefix(6).joined(separator: "+"), limit: 40).padded(to: 18), .muted
        ),
      ]
      if let details = tier.details?.object {
        let words = details.members.prefix(6).map { "\($0.key) \($0.value.brief)" }
        line.append(StyledText(PlainText(words.joined(separator: ", "), limit: 200), .muted))
      }
      return Self.spaced(line)
    }
  }

  nonisolated static func spaced(_ spans: [StyledText]) -> [StyledText] {
    spans.enumerated().map { index, span in
      index == 0 ? span : StyledText(" " + span.text, span.role, span.attributes)
    }
  }

  nonisolated static func signed(_ value: Int) -> PlainText {
    let text = Figures.short(Double(value.magnitude))
    return value > 0 ? "+" + text : value < 0 ? "-" + text : "±0"
  }

  /// The section of a line and its place in it: 0 is the heading.
  func place(of line: Int) -> (section: Int, offset: Int)? {
    var rest = line
    for (index, section) in sections.enumerated() {
      let size = 1 + (section.isOpen ? section.bodyCount : 0)
      if rest < size { return (index, rest) }
      rest -= size
    }
    return nil
  }

  /// The line of a section's heading.
  func start(of index: Int) -> Int {
    sections[..<index].reduce(0) { $0 + 1 + ($1.isOpen ? $1.bodyCount : 0) }
  }

  /// The lines that hold a text, top to bottom.
  func hits(_ needle: String, layouts: TextLayouts, width: Int) -> [Int] {
    guard !needle.isEmpty else { return [] }
    var lines: [Int] = []
    for (index, section) in sections.enumerated() where section.isOpen {
      let first = start(of: index) + 1
      if let text = section.text {
        lines += layouts.hits(of: needle, in: text.id, width: width, text.source).keys
          .filter { $0 < section.bodyCount }.map { first + $0 }
      } else {
        let wanted = PlainText(needle, limit: 200)
        for (offset, line) in section.lines.prefix(section.bodyCount).enumerated()
        where !line.map(\.text).joined().ranges(of: wanted).isEmpty { lines.append(first + offset) }
      }
    }
    return lines.sorted()
  }
}
