import ClankyWire
import CockpitStores
import LenientJSON
import TerminalCore
import TerminalUI

/// The way to the defaults of a preset, or of all: which one, then its defaults are asked for. The review follows.
package struct PresetPrompt: Hashable, Sendable {
  enum Outcome: Equatable {
    case stay, close
    case effects([Effect])
  }

  /// The presets to choose from; nil resets.
  private let names: [String]?
  private var index = 0
  /// Answers that were there before the question: the review rests on a later one.
  private var answered = 0
  /// Whether the defaults were asked for.
  private(set) var isAsked = false
  private(set) var message: PlainText?

  @MainActor init(isReset: Bool, _ facts: ViewContext) {
    answered = facts.settings.previewCount
    guard !isReset else {
      names = nil
      isAsked = true
      return
    }
    let path = SettingPath(["agentStack", "preset"])
    var known: [String] = []
    if case .choice(let words)? = SettingCatalogue.known[path]?.kind { known = words }
    names = known
  }

  var isReset: Bool { names == nil }

  /// The chosen preset; nil for a reset.
  var preset: String? { names.flatMap { $0.indices.contains(index) ? $0[index] : nil } }

  private static let buttons = DialogButtons<Bool>([.init(true, "CLOSE")])

  mutating func press(_ press: KeyPress) -> Outcome {
    message = nil
    switch (press.key, press.modifiers) {
    case (.escape, []), (.char("c"), .ctrl), (.char("g"), .ctrl): return .close
    case (.char("q"), []): return .close
    default: break
    }
    guard let names, !isAsked else { return press.key == .enter ? .close : .stay }
    switch (press.key, press.modifiers) {
    case (.down, []), (.char("j"), []), (.tab, []): index = (index + 1) % max(1, names.count)
    case (.up, []), (.char("k"), []), (.tab, .shift):
      index = (index + names.count - 1) % max(1, names.count)
    case (.enter, _): return ask()
    default: break
    }
    return .stay
  }

  mutating func click(_ item: Int) -> Outcome {
    guard let names, !isAsked else { return .close }
    guard names.indices.contains(item) else { return .stay }
    if index == item { return ask() }
    index = item
    return .stay
  }

  private mutating func ask() -> Outcome {
    isAsked = true
    return .effects([.settings(.preview(preset: preset))])
  }

  /// The review once the defaults are here; nil while they are not.
  @MainActor func review(_ facts: ViewContext) -> SettingsReview? {
    guard isAsked, facts.settings.previewCount > answered,
      case .loaded(let preview, _) = facts.settings.preview,
      let base = facts.settings.document.value,
      preset == nil || preview.preset == preset
    else { return nil }
    let verb: SettingsEdit.Verb = preset.map { .preset($0) } ?? .reset
    return SettingsReview(
      SettingsEdit(base, verb: verb, into: preview.intent), base: base, word: preset ?? "reset")
  }

  // MARK: Drawing

  @MainActor func page(_ facts: ViewContext, width: Int) -> DialogPage {
    var lines: [DialogLine] = []
    if let names, !isAsked {
      lines += DialogLine.wrapped(
        "All defaults of a family of models. To change the models alone, edit agentStack.preset.",
        to: width)
      lines.append(DialogLine())
      let current = facts.settings.document.value?.preset
      for (place, name) in names.enumerated() {
        let isChosen = place == index
        var run = DialogRun(
          (isChosen ? "> " : "  ") + PlainText(name, limit: 60), isChosen ? .focus : .text,
          isChosen ? [.reverse, .bold] : [])
        run.button = place
        lines.append(
          DialogLine([run], right: name == current ? DialogRun("in use", .muted) : nil))
      }
    } else {
      lines += state(facts, width)
    }
    return DialogPage(
      title: isReset ? "reset all settings?" : "take a preset", lines: lines,
      footer: isAsked ? Self.buttons.lines(focus: true, width: width) : [],
      needed: isAsked ? 0..<1 : 0..<lines.count)
  }

  @MainActor private func state(_ facts: ViewContext, _ width: Int) -> [DialogLine] {
    let isAnswered = facts.settings.previewCount > answered
    return switch facts.settings.preview {
    case _ where !isAnswered, .none, .loading:
      DialogLine.wrapped(
        "The bot is asked for the defaults; that changes nothing.", to: width, .info)
    case .notServed:
      DialogLine.wrapped("This backend has no presets to ask for.", to: width, .warning)
    case .failed(let failure, _):
      DialogLine.wrapped(
        PlainText("The defaults could not be had. \(failure.sentence)", limit: 400), to: width,
        .negative)
    case .loaded:
      DialogLine.wrapped("The bot knows no such preset.", to: width, .warning)
    }
  }

  var keyLine: PlainText {
    isAsked ? "Esc closes" : "j k choose  Enter shows what would change  Esc closes"
  }
}
