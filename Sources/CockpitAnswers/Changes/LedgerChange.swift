/// Something that changed, as rows show it: the ledger holds these in the order of time.
///
/// Names may be a stranger's words: convert them to `PlainText` before drawing or printing.
package struct LedgerChange: Hashable, Sendable {
  /// The raw values are those of the JSON output.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// The bot logged in to Discord: the nearest thing to its start.
    case login
    case deployment
    /// The model of a role.
    case model
    /// The fixed part of a role's prompt.
    case prompt
    /// The tools that are offered.
    case tools
    /// A live voice session took over changed settings.
    case settings
    /// The bot replaced a fact in its memory. Edits by hand leave no row.
    case memory
    /// The rows are those of another state of the backend's code (contract 9.8).
    case dialect
  }

  package var kind: Kind
  /// The first row that shows it, in ms since 1970.
  package var timeMs: Int64
  /// The role in the backend's words, such as `message_event`; empty where it is of the whole bot.
  package var role: String
  package var from: String
  package var to: String
  /// Sentences of a prompt's fixed part, cut to 200 characters, 20 at most of each.
  package var added: [String] = []
  package var removed: [String] = []
  package var evidence: Answer.Evidence

  /// Whether an epoch ends with it.
  package var endsEpoch: Bool {
    switch kind {
    case .login, .deployment, .model, .prompt, .dialect: true
    case .tools, .settings, .memory: false
    }
  }

  /// The change in words, without its time.
  package var words: String {
    switch kind {
    case .login: "the bot logged in"
    case .deployment: "deployment \(from) to \(to)"
    case .model: "model of \(role) \(from) to \(to)"
    case .prompt: "prompt of \(role): \(to)"
    case .tools: "tools of \(role): \(to)"
    case .settings: "settings of a live session"
    case .memory:
      from.isEmpty ? "a fact is now \"\(to)\"" : "a fact was \"\(from)\", is now \"\(to)\""
    case .dialect: "the backend's rows are those of \(to), before of \(from)"
    }
  }
}

/// The ledger in parts: an epoch lies between two changes that may make the bot another one.
package struct Epoch: Hashable, Sendable {
  /// ms since 1970.
  package var range: Range<Int64>
  /// What began it; empty for the first of the time that was looked at.
  package var beganWith: [LedgerChange]

  /// Changes so close together begin one epoch, in ms.
  private static let togetherMs: Int64 = 60_000

  /// Oldest first. All times are ms since 1970.
  package static func all(
    _ changes: [LedgerChange], fromMs: Int64, toMs: Int64
  ) -> [Epoch] {
    guard fromMs < toMs else { return [] }
    var epochs = [Epoch(range: fromMs..<toMs, beganWith: [])]
    for change in changes where change.endsEpoch && (fromMs..<toMs).contains(change.timeMs) {
      let last = epochs.count - 1
      let began = epochs[last].beganWith.first?.timeMs
      if change.timeMs == fromMs || began.map({ change.timeMs - $0 <= togetherMs }) ?? false {
        epochs[last].beganWith.append(change)
        continue
      }
      epochs[last].range = epochs[last].range.lowerBound..<change.timeMs
      epochs.append(Epoch(range: change.timeMs..<toMs, beganWith: [change]))
    }
    return epochs
  }
}
