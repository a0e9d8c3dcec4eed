import CockpitPanes
import CockpitDomain
import Networking
import CockpitStores
import TerminalCore

/// First run, the form for address and token, and a change of the backend.
extension CockpitShell {
  /// Opens the setup form once if no backend is configured and none answers at the default address.
  /// Called before each frame.
  @MainActor mutating func offerSetup(_ facts: ViewContext) -> [Effect] {
    guard !hasOfferedSetup, facts.setup.isUnconfigured, let failure = facts.status.failure else {
      return []
    }
    let greeting: PlainText
    switch failure {
    case .refused, .timedOut(.connect):
      greeting = PlainText("No bot answers at \(facts.connection.address) yet.", limit: 200)
    case .unauthorized, .hidden:
      greeting = PlainText("The bot at \(facts.connection.address) wants a token.", limit: 200)
    case .loginInFront:
      greeting = PlainText(
        "What answers at \(facts.connection.address) asks for a login of its own.", limit: 200)
    case .notClanky, .requestRejected:
      greeting = PlainText(
        "What answers at \(facts.connection.address) is no Clanky bot.", limit: 200)
    default: return []
    }
    guard layers.isEmpty else { return [] }
    hasOfferedSetup = true
    return openSetup(facts, greeting: greeting)
  }

  /// Opens the form, which begins with a look for bots on the local network.
  @MainActor mutating func openSetup(_ facts: ViewContext, greeting: PlainText? = nil) -> [Effect] {
    var form = SetupForm(facts, greeting: greeting)
    let effects = form.search()
    layers.push(form)
    return effects
  }

  /// The hint for a failure that another token may fix: how to open the form, instead of
  /// command-line options. nil for other failures.
  @MainActor func setupHint(_ facts: ViewContext) -> PlainText? {
    guard let failure = facts.status.failure, failure.isAboutToken,
      let key = keys.binding(for: .setup)?.keyTexts.first
    else { return nil }
    return PlainText("\(failure.sentence) \(key) changes address and token.", limit: 400)
  }

  /// Receives the result of a form request.
  @MainActor package mutating func setupTested(_ answer: SetupAnswer, on facts: ViewContext)
    -> [Effect]
  {
    guard let outcome = layers.change(SetupForm.self, { $0.take(answer) }) else {
      switch answer {
      case .saved(let words), .notSaved(let words): note(words)
      case .works, .failed, .bots, .noTool: break  // the form was left
      }
      return []
    }
    if case .saved(let words) = answer { note(words) }
    switch outcome {
    case .close:
      layers.remove(SetupForm.self)
      return []
    case .effects(let effects): return effects
    case .stay, .passed, .done: return []
    }
  }

  /// Starts over with another backend: the open tab and the size stay, the selection does not.
  @MainActor package mutating func connected(keys: KeyTable, guild: String?) {
    var fresh = CockpitShell(tab: tab, keys: keys, guild: guild, size: size, verbs: verbs)
    fresh.lineHistory = lineHistory
    fresh.adopt(layout)
    fresh.heldAtQuit = heldAtQuit
    fresh.hasOfferedSetup = hasOfferedSetup
    fresh.layers = layers
    fresh.layers.backendChanged()
    self = fresh
  }

  /// Shows another place of the past: everything that the panes stand on is of other rows.
  ///
  /// - Parameters:
  ///   - keys: without those that change something.
  ///   - focusesLine: whether keys move the playhead.
  @MainActor package mutating func showPast(keys: KeyTable, focusesLine: Bool) {
    let old = pulse
    let line = layers.first(TimeLine.self) ?? TimeLine(hasFocus: focusesLine)
    let scope = scope
    connected(keys: keys, guild: scope.guild)
    self.scope = scope
    if old.isOfSeveral { pulse = PulsePane(isOfSeveral: true) }
    pulse.adopt(filterOf: old)
    layers.remove(TimeLine.self)
    layers.push(line)
  }

  /// Shows another feed of the past: that of all sources, or of one.
  package mutating func showPastFeed(isOfSeveral: Bool) {
    let old = pulse
    pulse = PulsePane(isOfSeveral: isOfSeveral)
    pulse.adopt(filterOf: old)
  }

  /// Shows a tab.
  package mutating func show(tab: Tab) { self.tab = tab }
}
