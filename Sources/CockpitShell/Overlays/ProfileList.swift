import CockpitPanes
import TerminalUI
import CockpitText
import CockpitDomain
import Networking
import CockpitStores
import TerminalCore

/// The profiles of the configuration file: which is in use, and another one with Enter.
package struct ProfileList: Overlay, Hashable {
  private enum Answer: Hashable, Sendable { case stay, finish, now }

  private var cursor: TextCursor
  /// The profile chosen while work is unfinished, and the answer to the question about that.
  private var question: String?
  private var answer = Answer.stay

  @MainActor package init(_ facts: ViewContext) {
    let current = facts.setup.profiles.firstIndex { $0.name == facts.setup.current }
    cursor = TextCursor(line: current ?? 0, scroll: 0)
  }

  package var title: PlainText { "profiles" }

  package var keyLine: PlainText {
    return question == nil
      ? "Enter connects  n a new one  Esc leaves" : "Left Right choose  Enter does it  Esc stays"
  }

  // MARK: Keys

  @MainActor package mutating func press(_ press: KeyPress, on facts: ViewContext) -> LayerOutcome {
    if question != nil { return answer(press, facts) }
    switch (press.key, press.modifiers) {
    case (.escape, []), (.char("q"), []), (.char("c"), .ctrl): return .close
    case (.down, []), (.char("j"), []), (.tab, []): cursor.step(.down, page: 1)
    case (.up, []), (.char("k"), []), (.tab, .shift): cursor.step(.up, page: 1)
    case (.home, []): cursor.step(.top, page: 1)
    case (.end, []): cursor.step(.bottom, page: 1)
    case (.char("n"), []): return .done([.perform(.setup)])
    case (.enter, _): return choose(cursor.line, facts)
    default: break
    }
    clampSelection(facts, screen: Size(width: 0, height: 0))
    return .stay
  }

  @MainActor package mutating func click(_ item: Int, on facts: ViewContext) -> LayerOutcome {
    guard question == nil else {
      guard Self.buttons.buttons.indices.contains(item) else { return .stay }
      return resolve(Self.buttons.buttons[item].action)
    }
    cursor.put(line: item)
    return choose(item, facts)
  }

  @MainActor package mutating func wheel(_ lines: Int, on facts: ViewContext) {
    guard question == nil else { return }
    cursor.step(lines > 0 ? .down : .up, page: 1)
    clampSelection(facts, screen: Size(width: 0, height: 0))
  }

  @MainActor package mutating func clampSelection(_ facts: ViewContext, screen: Size) {
    // The line below the profiles is for another one.
    let count = facts.setup.profiles.count + 1
    cursor.clamp(count: count, height: count)
  }

  @MainActor private mutating func choose(_ index: Int, _ facts: ViewContext) -> LayerOutcome {
    let profiles = facts.setup.profiles
    guard profiles.indices.contains(index) else { return .done([.perform(.setup)]) }
    let name = profiles[index].name
    guard name != facts.setup.current else { return .close }
    guard UnfinishedWork(facts).isEmpty else {
      question = name
      answer = .stay
      return .stay
    }
    return .done([.switchProfile(name: name)])
  }

  // MARK: The question

  private static let buttons = DialogButtons<Answer>([
    .init(.stay, "STAY"), .init(.finish, "SEND, THEN SWITCH"), .init(.now, "SWITCH NOW"),
  ])

  @MainActor private mutating func answer(_ press: KeyPress, _ facts: ViewContext) -> LayerOutcome {
    switch ButtonKey(press) {
    case .close: question = nil
    case .next: answer = Self.buttons.action(after: answer, step: 1)
    case .previous: answer = Self.buttons.action(after: answer, step: -1)
    case .press: return resolve(answer)
    default: break
    }
    return .stay
  }

  private mutating func resolve(_ answer: Answer) -> LayerOutcome {
    guard let name = question else { return .stay }
    switch answer {
    case .stay:
      question = nil
      return .stay
    case .finish:
      return .done([.finishAndSwitch(name: name)])
    case .now: return .done([.switchProfile(name: name)])
    }
  }

  // MARK: Drawing

  @MainActor package func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    let width = DialogPage.textWidth(in: body)
    var lines = rows(facts, width)
    guard question != nil else {
      let needed = cursor.line..<(cursor.line + 1)
      if let path = facts.setup.configPath {
        lines += [DialogLine(), DialogLine(PlainText("from \(path)", limit: 200), .muted)]
      }
      DialogPage(
        title: title, trailing: PlainText("\(facts.setup.profiles.count)"), lines: lines,
        footer: [],
        needed: needed
      ).render(in: body, into: &frame)
      mark(facts, lines: lines.count, in: body, into: &frame)
      return
    }
    DialogPage(
      title: "switch?", lines: questionLines(facts, width),
      footer: Self.buttons.lines(focus: answer, width: width), target: { .overlay($0) }
    ).render(in: body, into: &frame)
  }

  @MainActor private func rows(_ facts: ViewContext, _ width: Int) -> [DialogLine] {
    let profiles = facts.setup.profiles
    let widest = min(24, profiles.map { PlainText($0.name, limit: 24).columns }.max() ?? 0)
    let state = ConnectionWords(status: facts.status, monotonicNs: facts.monotonicNs)
    var lines = profiles.enumerated().map { index, profile in
      let isCurrent = profile.name == facts.setup.current
      let name: PlainText = profile.name.isEmpty ? "(none)" : PlainText(profile.name, limit: 24)
      let pad = PlainText(String(repeating: " ", count: max(0, max(widest, 6) - name.columns)))
      var runs = [
        DialogRun(index == cursor.line ? "> " : "  ", .focus, .bold),
        DialogRun(
          name + pad, index == cursor.line ? .focus : .text,
          index == cursor.line ? [.bold, .reverse] : []),
        DialogRun("  " + PlainText(profile.url, limit: 200).cut(to: max(8, width - 34)), .muted),
      ]
      if profile.isReadOnly { runs.append(DialogRun("  read-only", .info)) }
      return DialogLine(
        // Nothing is known about backends that are not connected.
        runs,
        right: isCurrent
          ? DialogRun(state.short, state.role, .bold) : DialogRun("not asked", .muted))
    }
    lines.append(
      DialogLine([
        DialogRun(cursor.line == profiles.count ? "> " : "  ", .focus, .bold),
        DialogRun(
          "another backend: enter address and token",
          cursor.line == profiles.count ? .focus : .text,
          cursor.line == profiles.count ? [.bold, .reverse] : []),
      ]))
    return lines
  }

  @MainActor private func questionLines(_ facts: ViewContext, _ width: Int) -> [DialogLine] {
    let work = UnfinishedWork(facts)
    var lines: [DialogLine] = []
    if work.held > 0 {
      lines += DialogLine.wrapped(
        PlainText(
          "\(work.held == 1 ? "1 deletion is" : "\(work.held) deletions are") still held and not "
            + "sent; switching now deletes nothing more."), to: width, .warning)
    }
    if work.underWay > 0 {
      lines += DialogLine.wrapped(
        PlainText(
          "\(work.underWay == 1 ? "1 change is" : "\(work.underWay) changes are") on the way. "
            + "Switching now leaves the outcome unknown; the journal says what was sent."),
        to: width, .warning)
    }
    if let loss = work.loss(by: "Switching") {
      lines += DialogLine.wrapped(loss, to: width, .warning)
    }
    if lines.isEmpty { lines.append(DialogLine("Everything has come to its end.", .positive)) }
    return lines
  }

  /// Rows answer to clicks only while all of them are in sight: the page scrolls by the cursor.
  @MainActor private func mark(
    _ facts: ViewContext, lines: Int, in body: Rect, into frame: inout Frame
  ) {
    guard lines <= DialogPage.room(in: body, footer: 0) else { return }
    let width = DialogPage.textWidth(in: body)
    let x = body.x + body.width - width - 2
    let top = body.y + body.height - (lines + 1)
    for index in 0...facts.setup.profiles.count {
      frame.mark(Rect(x: x, y: top + index, width: width, height: 1), .overlay(index))
    }
  }
}
