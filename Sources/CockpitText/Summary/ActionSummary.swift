import ClankyWire
import CockpitStores
import LenientJSON
import TerminalCore

/// The feed line of an action: a label, one informative line, a duration.
///
/// A pure function of the action and the known names; one file for each family of kinds.
package struct ActionSummary: Hashable, Sendable {
  /// A run of text with one meaning.
  package struct Span: Hashable, Sendable {
    package var text: PlainText
    package var role: Role

    package init(_ text: PlainText, _ role: Role = .text) {
      self.text = text
      self.role = role
    }
  }

  /// The outcome, if the action reports it.
  package enum Outcome: Hashable, Sendable {
    case ok, failed, skipped, running
  }

  /// The kind in capitals, or the event name of a container kind.
  package var label: PlainText
  package var spans: [Span] = []
  /// The duration in ms, if the backend reports it.
  package var durationMs: Double?
  package var outcome: Outcome?

  /// The line without colours.
  package private(set) var text: PlainText = ""

  /// Maximum columns of one field: wider than any terminal, far less than a prompt.
  package static let fieldLimit = 600

  /// - Parameter tellsTrigger: whether an answer in text says whom and what it answers.
  package init(
    of action: Action, metadata: JSONValue, names: Names, tellsTrigger: Bool = false
  ) {
    var builder = SummaryBuilder(action: action, metadata: metadata, names: names)
    builder.tellsTrigger = tellsTrigger
    builder.build()
    label = builder.label
    spans = builder.spans
    durationMs = builder.durationMs
    outcome = builder.outcome
    for (index, span) in spans.enumerated() {
      if index > 0 { text += " " }
      text += span.text
    }
  }
}

/// Collects the parts of a summary; the families are extensions of it.
package struct SummaryBuilder {
  package let action: Action
  package let metadata: JSONValue
  package let names: Names
  package let kind: ActionLabel
  var tellsTrigger = false

  package var label: PlainText
  package var spans: [ActionSummary.Span] = []
  package var durationMs: Double?
  package var outcome: ActionSummary.Outcome?

  package init(action: Action, metadata: JSONValue, names: Names) {
    self.action = action
    self.metadata = metadata
    self.names = names
    kind = action.label
    // Names of the backend have some 40 bytes; do not process all of an oversized one.
    let title = String(decoding: kind.title.utf8.prefix(400), as: UTF8.self)
    label = PlainText(Self.shortened(title).uppercased(), limit: 60)
  }

  /// The names of realtime events begin with the provider and the word; the feed says `RT`, the
  /// detail has the whole name.
  private static func shortened(_ title: String) -> String {
    for prefix in ["openai_realtime_", "gemini_realtime_", "elevenlabs_realtime_", "realtime_"]
    where title.hasPrefix(prefix) {
      return "rt " + String(title.dropFirst(prefix.count))
    }
    return title
  }

  package mutating func build() {
    durationMs = firstNumber("durationMs", "runtimeMs", "latencyMs")
    if isOfGateway {
      gateway()
      return spans.isEmpty ? fallback() : ()
    }
    switch kind.domain {
    case .llm: llm()
    case .voice, .asr, .tts: voice()
    case .text: text()
    case .memory: memory()
    case .browser, .media, .code, .discovery, .tool: work()
    case .automation, .initiative, .system, .game, .error: system()
    }
    if spans.isEmpty { fallback() }
  }

  /// A kind that says by its name that something failed.
  package var isFailure: Bool { kind.severity == .error }

  // MARK: Reading

  /// The event name of a container kind, else the kind.
  package var event: String { kind.title }

  /// The content without the label: all of it, or the part after the event name.
  package var detail: String { kind.event == nil ? action.content ?? "" : afterColon }

  /// The part after the first colon of the content.
  package var afterColon: String {
    let content = action.content ?? ""
    guard let colon = content.firstIndex(of: ":") else { return "" }
    return content[content.index(after: colon)...].without(prefix: " ").description
  }

  package func string(_ key: String) -> String? {
    guard let string = metadata[key]?.string, !string.isEmpty else { return nil }
    return string
  }

  package func number(_ key: String) -> Double? { metadata[key]?.double }
  package func bool(_ key: String) -> Bool? { metadata[key]?.bool }

  package func firstNumber(_ keys: String...) -> Double? {
    for key in keys { if let number = number(key) { return number } }
    return nil
  }

  /// The name of the row's user, or of the speaker that the row itself names.
  package var speaker: String? {
    string("speakerName") ?? string("displayName") ?? action.userID.map(names.user)
  }

  package var channel: String? { action.channelID.map { "#" + names.channel($0) } }

  // MARK: Writing

  package mutating func add(_ text: String?, _ role: Role = .text) {
    guard let text, !text.isEmpty else { return }
    spans.append(.init(PlainText(text, limit: ActionSummary.fieldLimit), role))
  }

  package mutating func add(_ text: PlainText, _ role: Role = .text) {
    guard !text.isEmpty else { return }
    spans.append(.init(text, role))
  }

  package mutating func quote(_ text: String?, _ role: Role = .text) {
    guard let text, !text.isEmpty else { return }
    spans.append(.init("\"" + PlainText(text, limit: ActionSummary.fieldLimit) + "\"", role))
  }

  package mutating func count(_ value: Double?, _ unit: PlainText, _ role: Role = .muted) {
    guard let value else { return }
    add(Figures.short(value) + " " + unit, role)
  }

  /// `key value` for a key that the row has.
  package mutating func pair(_ name: PlainText, _ key: String, _ role: Role = .muted) {
    guard let value = metadata[key], !value.isNull else { return }
    let text = value.brief
    guard !text.isEmpty else { return }
    add(name + " " + PlainText(text, limit: 120), role)
  }

  /// Adds the outcome; nothing if it is unknown.
  package mutating func result(_ isOk: Bool?, ok: PlainText = "ok", failed: PlainText = "failed") {
    guard let isOk else { return }
    outcome = isOk ? .ok : .failed
    add(isOk ? ok : failed, isOk ? .positive : .negative)
  }
}

extension JSONValue {
  /// A short text form for one line: scalars as they are, containers by their size.
  package var brief: String {
    switch self {
    case .null: ""
    case .bool(let bool): bool ? "yes" : "no"
    case .number(let number): number.text
    case .string(let string): string
    case .array(let array): array.isEmpty ? "[]" : "[\(array.count)]"
    case .object(let object): object.isEmpty ? "{}" : "{\(object.count)}"
    }
  }

  /// A tool's arguments as people read a call: `"latest rust news", 3`.
  package var arguments: String {
    switch self {
    case .object(let object):
      object.members.prefix(4).map { member in
        switch member.value {
        case .string(let text): "\"\(text.prefix(120))\""
        case .array(let array):
          "[\(array.prefix(3).map { $0.brief.prefix(40).description }.joined(separator: ", "))]"
        default: "\(member.key.prefix(30)): \(member.value.brief.prefix(60))"
        }
      }.joined(separator: ", ")
    case .null: ""
    default: String(brief.prefix(120))
    }
  }
}
