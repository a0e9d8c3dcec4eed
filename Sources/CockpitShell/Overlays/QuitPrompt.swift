import CockpitPanes
import TerminalUI
import CockpitStores
import TerminalCore

/// What quitting does with held deletions.
package enum HeldAtQuit: String, CaseIterable, Hashable, Sendable {
  /// Ask.
  case ask
  /// Send them, wait for the answers, then quit.
  case send
  /// Quit at once; the facts stay.
  case drop
}

/// The unfinished work when the user quits.
package struct UnfinishedWork: Hashable, Sendable {
  /// Number of facts held for deletion.
  package private(set) var held = 0
  /// Requests that change something and have no answer yet.
  package private(set) var underWay = 0
  /// Texts that could not be written to the disk.
  package private(set) var unsaved = 0

  @MainActor package init(_ facts: ViewContext) {
    self.init(facts.memory, facts.settings)
  }

  @MainActor package init(_ memory: MemoryStore, _ settings: SettingsStore) {
    for deletion in memory.deletions {
      switch deletion.state {
      case .held: held += deletion.count
      case .sending: underWay += deletion.count
      case .done, .failed: break
      }
    }
    underWay += memory.changes.values.count(where: \.isUnderWay)
    if settings.change?.isUnderWay == true { underWay += 1 }
    if memory.bulk?.isRunning == true { underWay = max(underWay, 1) }
    unsaved = memory.unsavedDrafts.count
  }

  package var isEmpty: Bool { isAnswered && unsaved == 0 }

  /// Whether no request is pending or in flight.
  package var isAnswered: Bool { held == 0 && underWay == 0 }

  /// What is lost by `leaving`, as text; nil if nothing is.
  func loss(by leaving: String) -> PlainText? {
    guard unsaved > 0 else { return nil }
    let what = unsaved == 1 ? "1 draft is" : "\(unsaved) drafts are"
    return PlainText(
      "\(what) in memory only and could not be written to the disk. \(leaving) loses the text.")
  }

  /// The same for facts and settings.
  @MainActor package static func failures(_ bot: BotSession) -> Int {
    let isSettingFailed =
      switch bot.settings.change?.state {
      case .conflict, .failed, .unknown: true
      case .waiting, .checking, .sending, .verifying, .unchanged, .stored, nil: false
      }
    return failures(bot.memory) + (isSettingFailed ? 1 : 0)
  }

  /// Number of changes and deletions that failed or have an unknown outcome, and of texts that
  /// could not be saved.
  @MainActor package static func failures(_ memory: MemoryStore) -> Int {
    let deletions = memory.deletions.count { if case .failed = $0.state { true } else { false } }
    let changes = memory.changes.values.count { change in
      switch change.state {
      case .conflict, .gone, .refused, .failed, .unknown: true
      case .waiting, .checking, .sending, .verifying, .stored: false
      }
    }
    return deletions + changes + memory.unsavedDrafts.count
  }
}

/// The question before quitting while something is unfinished. Drafts are none of it as long as they
/// are on the disk.
package struct QuitPrompt: Overlay, Hashable {
  private enum Answer: Hashable, Sendable { case stay, finish, quit }

  private var answer = Answer.stay
  /// The answer was to wait; any moment it will quit.
  private(set) var isWaiting: Bool

  init(isWaiting: Bool = false) { self.isWaiting = isWaiting }

  package var title: PlainText { isWaiting ? "quitting" : "quit?" }
  package var isQuestion: Bool { true }
  package var isKeptOnSwitch: Bool { false }

  private static func buttons(_ work: UnfinishedWork) -> DialogButtons<Answer> {
    guard !work.isAnswered else {
      return DialogButtons([.init(.stay, "STAY"), .init(.quit, "QUIT, LOSE THE TEXT")])
    }
    return DialogButtons([
      .init(.stay, "STAY"), .init(.finish, work.held > 0 ? "DELETE AND QUIT" : "WAIT AND QUIT"),
      .init(.quit, work.held > 0 ? "QUIT, DELETE NOTHING MORE" : "QUIT NOW"),
    ])
  }

  @MainActor package mutating func press(_ press: KeyPress, on facts: ViewContext) -> LayerOutcome {
    if press.key == .char("c"), press.modifiers == .ctrl { return .effects([.quit]) }
    if isWaiting { return .stay }
    let buttons = Self.buttons(UnfinishedWork(facts))
    switch ButtonKey(press) {
    case .next: answer = buttons.action(after: answer, step: 1)
    case .previous: answer = buttons.action(after: answer, step: -1)
    case .close: return .close
    case .press:
      switch answer {
      case .stay: return .close
      // Held deletions are not sent.
      case .quit: return .effects([.quit])
      case .finish:
        isWaiting = true
        return .effects([.finishAndQuit])
      }
    case .other: break
    }
    return .stay
  }

  @MainActor package func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    let work = UnfinishedWork(facts)
    let width = DialogPage.textWidth(in: body)
    var lines: [DialogLine] = []
    if work.held > 0 {
      let what = work.held == 1 ? "1 deletion is" : "\(work.held) deletions are"
      let they = work.held == 1 ? "it" : "they"
      lines += DialogLine.wrapped(
        PlainText("\(what) still held and not sent; once sent \(they) cannot be undone."),
        to: width, .warning)
    }
    if work.underWay > 0 {
      let what = work.underWay == 1 ? "1 change is" : "\(work.underWay) changes are"
      lines += DialogLine.wrapped(
        PlainText(
          "\(what) on the way. Quitting now leaves the outcome unknown; the journal and the "
            + "drafts say what was sent."), to: width, .warning)
    }
    if let loss = work.loss(by: "Quitting") {
      lines += DialogLine.wrapped(loss, to: width, .warning)
    }
    if isWaiting {
      lines += DialogLine.wrapped("Waiting for the answers; C-c quits now.", to: width, .info)
    }
    let footer = isWaiting ? [] : Self.buttons(work).lines(focus: answer, width: width)
    DialogPage(title: title, lines: lines, footer: footer)
      .render(in: body, into: &frame)
  }

  /// The same question in a few words, for a screen that is too small for it.
  func smallWords(_ work: UnfinishedWork, key: PlainText) -> [PlainText] {
    guard !isWaiting else { return ["waiting for answers", "C-c quits now"] }
    func count(_ count: Int, _ what: String) -> PlainText {
      PlainText(count == 1 ? "1 \(what)" : "\(count) \(what)s")
    }
    var words: [PlainText] = []
    if work.unsaved > 0 { words.append(key + " again loses " + count(work.unsaved, "draft")) }
    if work.held > 0 {
      words.append(key + " again: " + count(work.held, "deletion") + " not sent")
    }
    if work.underWay > 0 {
      words.append(key + " again: " + count(work.underWay, "outcome") + " unknown")
    }
    return words
  }

  package var keyLine: PlainText {
    isWaiting
      ? "C-c quits now"
      : "Left Right choose  Enter does it  Esc stays  C-c quits, deletes nothing more"
  }
}
