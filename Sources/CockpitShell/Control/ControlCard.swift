import CockpitDomain
import CockpitPanes
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

/// What waits for the owner, what runs, and stopping all of it.
///
/// A choice is armed by its key and sent by Enter, which is dead for a moment after a card appears or changes: a
/// key that was meant for another card, or for another program, decides nothing.
package struct ControlCard: Overlay {
  /// How long a card is unchanged before Enter works (contract 16.7).
  static let deadNs: UInt64 = 400_000_000
  /// Three presses of `!` within this time stop everything.
  static let panicNs: UInt64 = 2_000_000_000

  /// What the user has begun to answer to a question.
  struct Draft: Hashable {
    /// The question of the card that has the keys.
    var item = 0
    var chosen: [String: [String]] = [:]
    /// The text field, while something is typed.
    var field: TextField?
  }

  /// The selected card.
  private(set) var chosen: String?
  private var seenFingerprint: String?
  private var seenNs: UInt64
  /// What Enter sends.
  private(set) var armed: ControlDecision.Choice?
  /// The grant that Enter revokes, by its key.
  private(set) var revoked: String?
  private(set) var draft = Draft()
  private var bangs: [UInt64]
  /// The answer that is on its way, by its card.
  private(set) var sent: String?
  private(set) var remark: PlainText?
  private(set) var steps: [ControlStep] = []
  /// The first line of the details in sight.
  var first = 0

  /// - Parameter nowNs: the monotonic clock, when the key was pressed that opened it.
  package init(nowNs: UInt64) {
    seenNs = nowNs
    bangs = [nowNs]
  }

  package var title: PlainText { "control" }
  package var isKeptOnSwitch: Bool { false }

  package var keyLine: PlainText {
    if draft.field != nil { return "Enter takes the text  Esc leaves it" }
    if revoked != nil { return "Enter revokes it  r the next one  Esc does not" }
    return
      armed == nil
      ? "a A d choose  1-9 options  j k cards  PgDn text  !!! stops everything  Esc closes"
      : "Enter sends it  Esc does not"
  }

  // MARK: Cards

  @MainActor func card(_ facts: ViewContext) -> ControlBoard.Card? {
    let waiting = facts.control?.waiting ?? []
    return waiting.first { $0.key == chosen } ?? waiting.first
  }

  /// Another card, or another text of the same one, is a card that was not seen yet.
  @MainActor package mutating func clampSelection(_ facts: ViewContext, screen: Size) {
    let card = card(facts)
    chosen = card?.key
    guard card?.fingerprint != seenFingerprint else { return }
    if armed != nil, seenFingerprint != nil {
      remark = "the card has changed: nothing was sent"
    }
    seenFingerprint = card?.fingerprint
    seenNs = facts.monotonicNs
    armed = nil
    draft = Draft()
    first = 0
  }

  /// The answer to the last decision has come.
  package mutating func take(_ outcome: ControlOutcome) {
    sent = nil
    remark = PlainText(VisibleText().of(outcome.sentence), limit: 300)
  }

  /// A step of stopping everything, or its outcome.
  package mutating func take(_ step: ControlStep) {
    if let place = steps.firstIndex(where: { $0.number == step.number }) {
      steps[place] = step
    } else {
      steps.append(step)
    }
  }

  // MARK: Keys

  @MainActor package mutating func press(_ press: KeyPress, on facts: ViewContext) -> LayerOutcome {
    if draft.field != nil { return type(press, facts) }
    remark = nil
    if press.key == .char("!"), press.modifiers.subtracting(.shift).isEmpty { return bang(facts) }
    bangs = []
    switch (press.key, press.modifiers) {
    case (.escape, []) where armed != nil: armed = nil
    case (.escape, []) where revoked != nil: revoked = nil
    case (.escape, []), (.char("q"), []), (.char("c"), .ctrl): return .close
    case (.down, []), (.char("j"), []): step(1, facts)
    case (.up, []), (.char("k"), []): step(-1, facts)
    case (.pageDown, _), (.char("d"), .ctrl), (.char(" "), []): first += 5
    case (.pageUp, _), (.char("u"), .ctrl): first = max(0, first - 5)
    case (.enter, []) where revoked != nil: return revoke(facts)
    case (.enter, []): return send(facts)
    case (.char("r"), []): nextGrant(facts)
    case (.char("a"), []): arm(["allow-once", "approve", "once"], facts)
    case (.char("A"), _): arm(["allow-always", "session"], facts)
    case (.char("t"), []) where card(facts)?.kind == "capability": arm(["timed"], facts)
    case (.char("d"), []): arm(["deny", "reject"], facts)
    case (.char("c"), []): cancel(facts)
    case (.char("w"), []) where facts.sources != nil && !facts.isGateway:
      return .done([.open(NewLayer(TriageList()))])
    case (.char("f"), []) where facts.sources != nil:
      return .done([.open(NewLayer(FleetList()))])
    case (.char("t"), []): beginText(facts)
    case (.tab, []): nextQuestion(1, facts)
    case (.tab, .shift): nextQuestion(-1, facts)
    case (.char(let digit), []) where digit.isNumber: option(digit, facts)
    default: break
    }
    return .stay
  }

  @MainActor private mutating func step(_ step: Int, _ facts: ViewContext) {
    let waiting = facts.control?.waiting ?? []
    guard !waiting.isEmpty else { return }
    let place = waiting.firstIndex { $0.key == chosen } ?? 0
    chosen = waiting[min(max(0, place + step), waiting.count - 1)].key
  }

  @MainActor package mutating func click(_ item: Int, on facts: ViewContext) -> LayerOutcome {
    chosen = facts.control?.waiting[safe: item]?.key
    return .stay
  }

  @MainActor package mutating func wheel(_ lines: Int, on facts: ViewContext) {
    first = max(0, first + lines)
  }

  @MainActor package mutating func paste(_ text: String, on facts: ViewContext) {
    draft.field?.paste(text)
  }

  /// Why nothing can be answered; nil if something can.
  @MainActor private func hindrance(_ facts: ViewContext) -> PlainText? {
    let own = card(facts).map(facts.own) ?? facts
    if own.isReadOnly { return own.readOnlyWords }
    if own.status.overall != .live { return "not connected: nothing can be answered now" }
    return sent == nil ? nil : "the last answer is still on its way"
  }

  @MainActor private mutating func arm(_ names: [String], _ facts: ViewContext) {
    guard let card = card(facts) else { return }
    if let why = hindrance(facts) { return remark = why }
    guard let name = names.first(where: card.choices.contains) else {
      remark = card.kind == "question" ? "choose an option, or t for a text" : "that is not offered"
      return
    }
    armed = .offered(name)
    revoked = nil
  }

  // MARK: Grants

  /// Chooses the grant after the chosen one.
  @MainActor private mutating func nextGrant(_ facts: ViewContext) {
    let grants = facts.control?.grants ?? []
    guard !grants.isEmpty else {
      remark = "no agent has a grant: there is nothing to revoke"
      return
    }
    armed = nil
    let place = grants.firstIndex { $0.key == revoked }.map { $0 + 1 } ?? 0
    revoked = grants[place % grants.count].key
  }

  @MainActor private mutating func revoke(_ facts: ViewContext) -> LayerOutcome {
    defer { revoked = nil }
    guard let grant = facts.control?.grants.first(where: { $0.key == revoked }), let id = grant.id
    else {
      remark = "that grant has ended already"
      return .stay
    }
    return .effects([
      .control(ControlDecision(item: id, source: grant.source, fingerprint: "", choice: .revoke))
    ])
  }

  @MainActor private mutating func cancel(_ facts: ViewContext) {
    guard let card = card(facts), card.kind == "question" else { return }
    if let why = hindrance(facts) { return remark = why }
    armed = .cancel
  }

  @MainActor private mutating func send(_ facts: ViewContext) -> LayerOutcome {
    guard let card = card(facts), let armed else { return .stay }
    if let why = hindrance(facts) {
      remark = why
      return .stay
    }
    guard card.fingerprint == seenFingerprint, facts.monotonicNs >= seenNs &+ Self.deadNs else {
      remark = "the card has just changed: look, then Enter once more"
      return .stay
    }
    self.armed = nil
    sent = card.key
    return .effects([
      .control(
        ControlDecision(
          item: card.id, source: card.source, fingerprint: card.fingerprint, choice: armed)
      )
    ])
  }

  // MARK: Questions

  @MainActor private mutating func nextQuestion(_ step: Int, _ facts: ViewContext) {
    guard let count = card(facts)?.questions.count, count > 0 else { return }
    draft.item = (draft.item + step + count) % count
  }

  @MainActor private mutating func option(_ digit: Character, _ facts: ViewContext) {
    guard let card = card(facts), let question = card.questions[safe: draft.item],
      let number = digit.wholeNumberValue, let option = question.options[safe: number - 1]
    else { return }
    if let why = hindrance(facts) { return remark = why }
    var values = draft.chosen[question.id] ?? []
    if let place = values.firstIndex(of: option) {
      values.remove(at: place)
    } else {
      values = question.isMultiple ? values + [option] : [option]
    }
    answer(question, values, card)
  }

  @MainActor private mutating func beginText(_ facts: ViewContext) {
    guard let question = card(facts)?.questions[safe: draft.item] else { return }
    guard question.takesText || question.options.isEmpty else {
      remark = "this question takes one of its options"
      return
    }
    if let why = hindrance(facts) { return remark = why }
    draft.field = TextField()
  }

  @MainActor private mutating func type(_ press: KeyPress, _ facts: ViewContext) -> LayerOutcome {
    switch draft.field?.press(press) {
    case .accept:
      guard let card = card(facts), let question = card.questions[safe: draft.item] else { break }
      let text = draft.field?.text ?? ""
      answer(question, text.isEmpty ? [] : [text], card)
      draft.field = nil
    case .cancel: draft.field = nil
    default: break
    }
    return .stay
  }

  /// Enter sends when every question has an answer.
  @MainActor private mutating func answer(
    _ question: ControlBoard.Card.Question, _ values: [String], _ card: ControlBoard.Card
  ) {
    draft.chosen[question.id] = values.isEmpty ? nil : values
    let open = card.questions.firstIndex { draft.chosen[$0.id] == nil }
    if let open {
      armed = nil
      if !question.isMultiple, !values.isEmpty { draft.item = open }
    } else {
      armed = .answers(draft.chosen)
    }
  }

  // MARK: Stop

  /// Why nothing can be stopped by this profile; nil if something can.
  @MainActor private func whyNothingStops(_ facts: ViewContext) -> PlainText? {
    guard let sources = facts.sources else {
      return facts.isReadOnly ? facts.readOnlyWords : nil
    }
    let isReadOnly = sources.members.allSatisfy {
      !$0.facts.isGateway || $0.facts.isChatServer || $0.facts.isReadOnly
    }
    return isReadOnly ? facts.readOnlyWords : nil
  }

  @MainActor private mutating func bang(_ facts: ViewContext) -> LayerOutcome {
    let now = facts.monotonicNs
    bangs = bangs.filter { now < $0 &+ Self.panicNs } + [now]
    guard bangs.count >= 3 else { return .stay }
    bangs = []
    if let why = whyNothingStops(facts) {
      remark = why
      return .stay
    }
    steps = []
    first = 0
    return .effects([.stopEverything])
  }
}
