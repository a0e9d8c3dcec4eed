package import ClankyWire

/// The context budget of one generation (contract 5.2.6), and the length of its prompt.
package struct BudgetCapture: Hashable, Sendable {
  package var capturedAt: WireTime?
  package var sentTurns: Int?
  package var maxTurns: Int?
  package var contextChars: Int?
  package var transcriptChars: Int?
  /// UTF-16 units of the generation prompt at that time, by part; 0 for a missing part.
  package var systemChars = 0
  package var userChars = 0
  package var toolChars = 0

  package var promptChars: Int { systemChars + userChars + toolChars }
}

/// Earlier prompts and budgets of the live sessions, for BRAIN. The voice state holds only the
/// latest of each.
package struct BrainHistory: Sendable {
  package private(set) var prompts = PromptVersions()
  private var budgets: [String: [BudgetCapture]] = [:]
  private var order: [String] = []

  /// Captures kept per session: what a wide trend shows.
  package static let captureLimit = 120
  /// Sessions whose captures are kept; a bot has one or two at a time.
  private static let sessionLimit = 8

  package init() {}

  /// The captures of a session, oldest first.
  package func budgets(of session: String) -> [BudgetCapture] { budgets[session] ?? [] }

  /// Takes in a new voice state.
  ///
  /// - Parameter stillLive: sessions that are left out of the state because nothing that is
  ///   remembered of them has changed.
  package mutating func note(_ state: VoiceState, stillLive: [String] = []) {
    prompts.note(state, stillLive: stillLive)
    for session in state.sessions {
      guard let budget = session.conversation.modelContext.generation else { continue }
      note(budget, session)
    }
  }

  private mutating func note(_ budget: GenerationBudget, _ session: VoiceSession) {
    let id = session.sessionID
    var capture = BudgetCapture(
      capturedAt: budget.capturedAt, sentTurns: budget.sentTurns, maxTurns: budget.maxTurns,
      contextChars: budget.contextChars, transcriptChars: budget.transcriptChars)
    if let bundle = session.promptState.generation?.replyPrompts {
      for part in PromptContent(bundle).parts {
        switch part.key {
        case .system: capture.systemChars += part.length
        case .user, .followup: capture.userChars += part.length
        case .tools: capture.toolChars += part.length
        case .output: break
        }
      }
    }
    var captures = budgets.removeValue(forKey: id) ?? []
    // One generation is one capture, although it is repeated every 3 s and its prompt may arrive
    // later than its budget.
    if let last = captures.last, last.capturedAt == capture.capturedAt {
      captures[captures.count - 1] = capture
    } else {
      captures.append(capture)
      if captures.count > Self.captureLimit { captures.removeFirst() }
    }
    budgets[id] = captures
    if !order.contains(id) {
      order.append(id)
      if order.count > Self.sessionLimit { budgets[order.removeFirst()] = nil }
    }
  }
}
