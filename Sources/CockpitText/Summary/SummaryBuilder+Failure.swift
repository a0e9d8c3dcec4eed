import LenientJSON
import TerminalCore

/// Outcome and cause of failures. The wire marks neither success nor failure (contract 4.1).
extension SummaryBuilder {
  /// The cause in the metadata; `reason` only if there is no other.
  package var cause: String? {
    for key in ["errorMessage", "error", "message", "errorDescription"] {
      if let text = string(key) { return text }
    }
    return metadata[path: "error", "message"]?.string ?? string("reason")
  }

  /// Whether it succeeded: according to `isError`, else false if there is an error text; nil if
  /// neither is present.
  package var isSuccess: Bool? {
    if let isError = bool("isError") { return !isError }
    return (string("error") ?? string("errorMessage")) == nil ? nil : false
  }

  /// A row of no known family.
  package mutating func other() {
    if isFailure {
      failure()
      details()
    } else {
      fallback()
    }
  }

  /// What failed and why, without repetition. If the content is the input, such as a task, the
  /// cause comes first, because the content may fill the row.
  package mutating func failure() {
    outcome = .failed
    let content = Repetition(detail)
    guard let cause, !content.tells(Repetition(cause)) else {
      add(detail, .negative)
      return
    }
    if content.isEmpty || content.isBeginning(of: Repetition(cause)) {
      add(cause, .negative)
    } else if content.isOneWord {
      add(detail, .negative)
      add(cause, .negative)
    } else {
      add(cause, .negative)
      add(detail)
    }
  }

  /// An error text, unless it is already shown; the longer of two if one is the other truncated.
  package mutating func addCause(_ text: String?) {
    guard let text, !text.isEmpty else { return }
    let cause = Repetition(PlainText(text, limit: ActionSummary.fieldLimit).description)
    for index in spans.indices {
      let told = Repetition(spans[index].text.description)
      if told.tells(cause) { return }
      guard told.isBeginning(of: cause) else { continue }
      spans[index] = .init(PlainText(text, limit: ActionSummary.fieldLimit), .negative)
      return
    }
    add(text, .negative)
  }

  /// A value, unless it is already shown.
  package mutating func addOnce(_ text: String?, _ role: Role) {
    guard let text, !Self.tells(told, text) else { return }
    add(text, role)
  }

  private var told: [Repetition] { spans.map { Repetition($0.text.description) } }

  private static func tells(_ told: [Repetition], _ text: String) -> Bool {
    // Cheap rejection: a text much longer than every span cannot be contained in one.
    let longest = told.reduce(0) { max($0, $1.byteCount) }
    guard text.utf8.count <= 8 * longest + 64 else { return false }
    let text = Repetition(PlainText(text, limit: ActionSummary.fieldLimit).description)
    return told.contains { $0.tells(text) }
  }

  // MARK: Metadata

  /// For unknown kinds: the content, then the scalar values of the metadata.
  package mutating func fallback() {
    add(detail)
    details()
  }

  /// The plain values of the metadata as `key=value`, without those that the line has.
  package mutating func details() {
    guard case .object(let object) = metadata else { return }
    let quiet: Set<String> = ["sessionId", "botId", "deployment", "version"]
    // Two keys may have the same value: each is shown.
    let told = told
    for member in object.members.prefix(12) where !quiet.contains(member.key) {
      let value = member.value.plain
      guard !value.isEmpty, !Self.tells(told, value) else { continue }
      let pair =
        PlainText(member.key, limit: 40) + "=" + PlainText(value, limit: 80)
      let words = Array(pair.description.utf8)
      if told.contains(where: { $0.holds(words) }) { continue }
      add(pair, .muted)
      if spans.count > 6 { break }
    }
  }
}

extension JSONValue {
  /// A value that has room in a line: a scalar, or the first of a list of texts and numbers.
  fileprivate var plain: String {
    switch self {
    case .string, .number, .bool: brief
    case .array(let list): Self.joined(list, separator: ",")
    default: ""
    }
  }

  /// Texts and numbers in one line, those beyond the sixth by their number; empty when there is
  /// anything else among them.
  package static func joined(_ list: [JSONValue], separator: String) -> String {
    var words: [String] = []
    for value in list.prefix(6) {
      switch value {
      case .string, .number: words.append(String(value.brief.unicodeScalars.prefix(40)))
      default: return ""
      }
    }
    let more = list.count - words.count
    return words.joined(separator: separator) + (more > 0 ? " +\(more)" : "")
  }
}
