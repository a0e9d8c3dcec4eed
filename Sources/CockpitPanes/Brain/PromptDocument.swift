import ClankyWire
import CockpitStores
import TerminalCore

/// A prompt as it is inspected: one version, what it was before, and where it comes from.
struct InspectedPrompt {
  var title: PlainText
  /// The name of this text for caches.
  var owner: String
  var content: PromptContent
  var previousOwner: String?
  var previous: PromptContent?
  /// What the previous one is called: `v11`, `the call before`.
  var previousName: PlainText = ""
  /// Number of this version and of the newest, of a live prompt.
  var number: Int?
  var newest: Int?
  /// Captures in a row that had this same text.
  var captures = 1
  var updatedMs: Int64?
  var source: String?
  /// UTF-16 units of the first version there ever was.
  var firstLength: Int?

  /// How much longer it is than the part before; nil when there is nothing to compare with.
  func growth(_ part: PromptPart) -> Int? {
    previous.map { part.length - ($0[part.key]?.length ?? 0) }
  }
}

extension BrainPane {
  /// The prompts that can be chosen now.
  @MainActor func sources(_ facts: Facts) -> [PromptSource] {
    var sources: [PromptSource] = PromptKind.allCases.map(PromptSource.live)
    if selectedCall(facts) != nil { sources.append(.call) }
    if replyRow(facts) != nil { sources.append(.reply) }
    return sources
  }

  /// The chosen prompt, or the best there is: the one of the last generation.
  @MainActor func shownSource(_ facts: Facts) -> PromptSource {
    if let source, source != .reply || replyRow(facts) != nil { return source }
    if let state = session(facts)?.promptState {
      for kind in [PromptKind.generation, .instructions, .bridge, .classifier]
      where kind.snapshot(in: state)?.replyPrompts != nil { return .live(kind) }
    }
    return .call
  }

  /// The chosen prompt; nil when there is none.
  @MainActor func inspected(_ facts: Facts) -> InspectedPrompt? {
    switch shownSource(facts) {
    case .live(let kind): livePrompt(kind, facts)
    case .call: callPrompt(facts)
    case .reply: replyRow(facts).flatMap { rowPrompt($0, "reply prompts", facts) }
    }
  }

  @MainActor private func livePrompt(_ kind: PromptKind, _ facts: Facts) -> InspectedPrompt? {
    guard let session = session(facts) else { return nil }
    let prompts = facts.voice.brain.prompts
    let versions = prompts.versions(of: session.sessionID, kind)
    guard let newest = versions.last else { return nil }
    let index =
      version.flatMap { number in versions.firstIndex { $0.number == number } }
      ?? versions.count - 1
    let shown = versions[index]
    let previous = index > 0 ? versions[index - 1] : nil
    func owner(_ version: PromptVersion) -> String {
      "\(session.sessionID)/\(kind.rawValue)/\(version.number)"
    }
    return InspectedPrompt(
      title: PlainText(kind.rawValue), owner: owner(shown), content: shown.content,
      previousOwner: previous.map(owner), previous: previous?.content,
      previousName: previous.map { "v\($0.number)" } ?? "", number: shown.number,
      newest: newest.number, captures: shown.captures, updatedMs: shown.updatedAt?.milliseconds,
      source: shown.source, firstLength: prompts.firstLength(of: session.sessionID, kind))
  }

  /// The call's prompt, beside that of the last call before it that was for the same purpose.
  @MainActor private func callPrompt(_ facts: Facts) -> InspectedPrompt? {
    guard let call = selectedCall(facts), let row = facts.activity.log.row(call.row),
      var prompt = rowPrompt(row, "call", facts)
    else { return nil }
    let calls = facts.activity.calls.calls(in: facts.activity.log, by: .time)
    let before = calls.first {
      ($0.timeMs, $0.row) < (call.timeMs, call.row) && $0.source == call.source
        && $0.kind == call.kind
    }
    if let before, let row = facts.activity.log.row(before.row),
      let parsed = facts.actions.action(for: row)
    {
      prompt.previous = PromptContent(metadata: parsed.metadata)
      prompt.previousOwner = "row/\(before.row)"
      prompt.previousName = "the call before"
    }
    prompt.source = call.source
    return prompt
  }

  @MainActor private func rowPrompt(
    _ row: ActionRowView, _ title: PlainText, _ facts: Facts
  ) -> InspectedPrompt? {
    guard let parsed = facts.actions.action(for: row) else { return nil }
    let id = row.actionID.map { " #\($0)" } ?? ""
    return InspectedPrompt(
      title: title + PlainText(id), owner: "row/\(row.id)",
      content: PromptContent(metadata: parsed.metadata), updatedMs: row.timeMs,
      source: parsed.metadata["source"]?.string)
  }

  /// The row that closes the selected chain, when it carries prompts.
  @MainActor func replyRow(_ facts: Facts) -> ActionRowView? {
    guard let chain = chain(facts)?.chain,
      let id = chain.nodes.last(where: { $0.kind == .reply || $0.kind == .skipped })?.rowID,
      let row = facts.activity.log.row(id),
      facts.actions.action(for: row)?.metadata["replyPrompts"]?.object != nil
    else { return nil }
    return row
  }
}

/// The lines of an inspected prompt: folds with their sizes, and under those that are open the
/// text, or what changed in it. Only the lines that are asked for are made.
@MainActor
struct PromptDocument {
  /// One part with its lines.
  struct Section {
    var id: PromptSection
    var heading: [StyledText]
    var isOpen: Bool
    var text: (id: TextID, layout: TextLayout, source: String)?
    var lines: [[StyledText]] = []

    var bodyCount: Int { text?.layout.lines.count ?? lines.count }
  }

  private(set) var sections: [Section] = []
  /// Lines in all.
  private(set) var count = 0
  let prompt: InspectedPrompt

  init(_ prompt: InspectedPrompt, pane: BrainPane, width: Int) {
    self.prompt = prompt
    let whole = max(1, prompt.content.length)
    for part in prompt.content.parts {
      add(part, of: whole, pane: pane, width: width)
    }
    if pane.isComparing, let previous = prompt.previous {
      // What went away altogether has no part to stand under.
      for part in previous.parts where prompt.content[part.key] == nil {
        add(PromptPart(part.key, ""), of: whole, pane: pane, width: width)
      }
    }
    if !prompt.content.tiers.isEmpty { addTiers(pane: pane, width: width) }
    count = sections.reduce(0) { $0 + 1 + ($1.isOpen ? $1.bodyCount : 0) }
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
    _ part: PromptPart, of whole: Int, pane: BrainPane, width: Int
  ) {
    let id = PromptSection.part(part.key)
    let isOpen = pane.unfolded.contains(id)
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
        let isSame = prompt.previous?[part.key].map { $0.isSame(as: part) } ?? false
        heading.append(
          isSame
            ? StyledText("unchanged", .faint)
            : StyledText(Self.signed(growth) + " vs " + prompt.previousName, .info))
      }
    }
    var section = Section(id: id, heading: heading, isOpen: isOpen)
    if isOpen {
      let textID = TextID(owner: prompt.owner, part: part.key)
      if pane.isComparing {
        section.lines = comparison(part, textID, pane: pane, width: width)
      } else {
        let layout = pane.layouts.wrapped(textID, width: width, part.text)
        section.text = (textID, layout, part.text)
      }
    }
    sections.append(section)
  }

  private func comparison(
    _ part: PromptPart, _ id: TextID, pane: BrainPane, width: Int
  ) -> [[StyledText]] {
    guard let previous = prompt.previous, let owner = prompt.previousOwner else {
      return [[StyledText("no earlier version is kept to compare with", .muted)]]
    }
    let old = previous[part.key]?.text ?? ""
    let diff = pane.layouts.diff(
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

  private mutating func addTiers(pane: BrainPane, width: Int) {
    let tiers = prompt.content.tiers
    let isOpen = pane.unfolded.contains(.tiers)
    var heading = [StyledText(("TIERS" as PlainText).padded(to: 13), .heading)]
    for tier in tiers.prefix(12) {
      let name = PlainText(tier.key ?? tier.label ?? "?", limit: 20)
      // The word and not only the colour says what is in and what is out.
      heading.append(
        tier.present == true ? StyledText("+" + name, .positive) : StyledText("-" + name, .faint))
    }
    var section = Section(id: .tiers, heading: heading, isOpen: isOpen)
    guard isOpen else {
      sections.append(section)
      return
    }
    for tier in tiers.prefix(40) {
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
      section.lines.append(Self.spaced(line))
    }
    sections.append(section)
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
          .map { first + $0 }
      } else {
        let wanted = PlainText(needle, limit: 200)
        for (offset, line) in section.lines.enumerated()
        where !line.map(\.text).joined().ranges(of: wanted).isEmpty { lines.append(first + offset) }
      }
    }
    return lines.sorted()
  }
}
