import CockpitChat
import CockpitPanes
import CockpitText
import CockpitVoice
import TerminalCore
import TerminalUI

extension ChatDrawer {
  @MainActor mutating func press(
    _ press: KeyPress, _ chat: ChatBoard, _ context: LayerContext
  ) -> LayerOutcome {
    if press != KeyPress(.char("c"), []) { copiedBlocks = 0 }
    if search != nil { return typeSearch(press, chat) }
    guard focus != .tab else { return .passed }
    if let voice = chat.voice, let outcome = pressVoice(press, voice) { return outcome }
    let outcome =
      focus == .input ? type(press, chat, context.facts) : read(press, chat, context)
    // Leaving the conversation silences nothing.
    guard chat.voice?.phase == .speaking, focus != .tab else { return outcome }
    return Self.silencing(outcome)
  }

  private static func abort(_ chat: ChatBoard) -> LayerOutcome {
    chat.underWay.contains(chat.channel.id)
      ? .effects([.chat(.abort)]) : .effects([.say("no answer is under way in this channel")])
  }

  // MARK: Input

  @MainActor private mutating func type(
    _ press: KeyPress, _ chat: ChatBoard, _ facts: ViewContext
  ) -> LayerOutcome {
    let width = ChatDrawerLayout.inputWidth(layout.area)
    switch (press.key, press.modifiers) {
    case (.char("c"), .ctrl): return Self.abort(chat)
    case (.escape, []):
      focus = .transcript
      return .stay
    case (.enter, []):
      guard input.text.hasSuffix("\\"), input.cursor == input.characters.count else {
        return submit(chat, facts)
      }
      // As in a shell: a backslash before it makes Enter a line break.
      _ = input.press(KeyPress(.backspace), width: width)
      _ = input.press(KeyPress(.enter), width: width)
      return edited()
    case (.enter, _):
      _ = input.press(KeyPress(.enter), width: width)
      return edited()
    case (.tab, []): return complete(width)
    case (.pageUp, _), (.pageDown, _):
      let page = max(1, layout.transcript.height - 1)
      scroll.move(
        by: press.key == .pageUp ? -page : page, content(facts, chat),
        height: layout.transcript.height)
      return .stay
    case (.up, []), (.char("p"), .ctrl):
      if input.cursorLine(in: input.lines(width: width)) == 0 { return older(chat) }
    case (.down, []), (.char("n"), .ctrl):
      let lines = input.lines(width: width)
      if historyPlace != nil, input.cursorLine(in: lines) == lines.count - 1 { return newer(chat) }
    case (.char("_"), .ctrl), (.char("/"), .ctrl):
      return input.undo() ? edited() : .stay
    default: break
    }
    switch input.press(press, width: width) {
    case .edited:
      historyPlace = nil
      return edited()
    case .moved, .ignored: return .stay
    }
  }

  private func edited() -> LayerOutcome { .effects([.chat(.draft(input.text))]) }

  private mutating func complete(_ width: Int) -> LayerOutcome {
    let text = input.text
    guard text.hasPrefix("/"), !text.contains(" "),
      let name = SlashCommand.names.first(where: { $0.hasPrefix(text) && $0 != text })
    else { return .stay }
    input = TextArea(name + " ", isAtEnd: true)
    return edited()
  }

  private mutating func older(_ chat: ChatBoard) -> LayerOutcome {
    let sent = Array(chat.transcript.sent.reversed())
    let place = historyPlace.map { $0 + 1 } ?? 0
    guard place < sent.count else { return .stay }
    if historyPlace == nil { beforeHistory = input.text }
    historyPlace = place
    input = TextArea(sent[place], isAtEnd: true)
    return edited()
  }

  private mutating func newer(_ chat: ChatBoard) -> LayerOutcome {
    guard let place = historyPlace else { return .stay }
    let sent = Array(chat.transcript.sent.reversed())
    historyPlace = place > 0 ? place - 1 : nil
    let text = place > 0 && place - 1 < sent.count ? sent[place - 1] : beforeHistory
    input = TextArea(text, isAtEnd: true)
    return edited()
  }

  /// Sends the text, or carries out the command that it is.
  @MainActor private mutating func submit(
    _ chat: ChatBoard, _ facts: ViewContext
  ) -> LayerOutcome {
    let text = input.text
    let isBlank = text.allSatisfy(\.isWhitespace)
    guard !isBlank || !chat.attachments.isEmpty else { return .stay }
    if chat.abilities.contains(.notes), let signal = ChatSignal(command: text) {
      input = TextArea()
      historyPlace = nil
      let effect: Effect = facts.isReadOnly ? .say(facts.readOnlyWords) : .chat(.signal(signal))
      return .effects([.chat(.draft("")), effect])
    }
    if let command = SlashCommand(text) {
      let effects = carryOut(command, chat, facts)
      input = TextArea()
      historyPlace = nil
      return .effects([.chat(.draft(""))] + effects)
    }
    if facts.isReadOnly { return .effects([.say(facts.readOnlyWords)]) }
    guard !chat.underWay.contains(chat.channel.id) else {
      return .effects([
        .say("an answer is under way in this channel; C-c aborts it, /queue TEXT waits for its end")
      ])
    }
    input = TextArea()
    historyPlace = nil
    selected = nil
    scroll.follow()
    return .effects([.chat(.send(text))])
  }

  @MainActor private mutating func carryOut(
    _ command: SlashCommand, _ chat: ChatBoard, _ facts: ViewContext
  ) -> [Effect] {
    switch command {
    case .new:
      scroll.follow()
      return [.chat(.newConversation)]
    case .agent(let name?): return [.chat(.setAgent(name))]
    case .agent(nil):
      return [.open(NewLayer(ChatChannelSheet(agentsOf: chat))), .chat(.askAgents)]
    case .channel(nil): return [.open(NewLayer(ChatChannelSheet(chat)))]
    case .channel(let name?):
      let wanted = name.lowercased()
      guard
        let channel = chat.channels.first(where: {
          $0.name.lowercased() == wanted || $0.id == wanted
        })
      else { return [.say("there is no channel of this name; /channel lists them")] }
      return [.chat(.choose(channel.id))]
    case .attach(let path?): return [.chat(.attach(path: path))]
    case .attach(nil): return [.chat(.detach)]
    case .retry:
      if facts.isReadOnly { return [.say(facts.readOnlyWords)] }
      scroll.follow()
      return [.chat(.retry)]
    case .abort: return [.chat(.abort)]
    case .copyAnswer: return copyAnswer(chat)
    case .copyCode(let number): return copyCode(chat, number: number)
    case .export(let path): return [.chat(.export(path: path))]
    case .help:
      return [.open(NewLayer(ChatTextSheet.help(takesNotes: chat.abilities.contains(.notes))))]
    case .queue(nil) where chat.queued.isEmpty:
      return [.say("nothing is queued; /queue TEXT queues a message for after the answer")]
    case .queue(nil): return [.open(NewLayer(ChatTextSheet(queued: chat.queued)))]
    default: return carryOutSetting(command, chat, facts)
    }
  }

  /// Commands that change what is answered, and when.
  @MainActor private func carryOutSetting(
    _ command: SlashCommand, _ chat: ChatBoard, _ facts: ViewContext
  ) -> [Effect] {
    if facts.isReadOnly { return [.say(facts.readOnlyWords)] }
    switch command {
    case .model(nil):
      let last = chat.transcript.entries.last { $0.model != nil }?.model
      let words = last.map { "the last answer was by " + PlainText($0, limit: 80) + "; " } ?? ""
      return [.say(words + "/model NAME chooses another, /model default the agent's own")]
    case .model(let name?): return [.chat(.setModel(name == "default" ? nil : name))]
    case .think(nil):
      return [.say("/think LEVEL: such as off, low, medium or high; default is the agent's own")]
    case .think(let level?): return [.chat(.setThinking(level == "default" ? nil : level))]
    case .queue(let text?): return [.chat(.queue(text))]
    case .sendQueued: return [.chat(.sendQueued)]
    case .dropQueued(let number): return [.chat(.dropQueued(number))]
    default: return []
    }
  }

  // MARK: Transcript

  @MainActor private mutating func read(
    _ press: KeyPress, _ chat: ChatBoard, _ context: LayerContext
  ) -> LayerOutcome {
    let content = content(context.facts, chat)
    let height = layout.transcript.height
    switch (press.key, press.modifiers) {
    case (.char("c"), .ctrl): return Self.abort(chat)
    case (.escape, []), (.char("q"), []):
      guard !isWhole else { return .close }
      focus = .tab
    case (.char("i"), []): focus = .input
    case (.char("`"), []): return .close
    case (.down, []), (.char("j"), []): scroll.move(by: 1, content, height: height)
    case (.up, []), (.char("k"), []): scroll.move(by: -1, content, height: height)
    case (.pageDown, _), (.char("f"), .ctrl): scroll.move(by: height - 1, content, height: height)
    case (.pageUp, _), (.char("b"), .ctrl): scroll.move(by: 1 - height, content, height: height)
    case (.char("d"), .ctrl): scroll.move(by: height / 2, content, height: height)
    case (.char("u"), .ctrl): scroll.move(by: -height / 2, content, height: height)
    case (.char("g"), []), (.home, _): scroll.moveToTop()
    case (.char("G"), _), (.end, _), (.char("F"), _):
      scroll.follow()
      selected = nil
    case (.char("{"), _): step(-1, chat)
    case (.char("}"), _): step(1, chat)
    case (.char(" "), []): fold(chat)
    case (.enter, []): return openRun(chat)
    case (.char("y"), []): return .effects(copyAnswer(chat))
    case (.char("c"), []):
      copiedBlocks += 1
      return .effects(copyCode(chat, fromEnd: copiedBlocks))
    case (.char("/"), []): search = TextField(needle, isSelected: true)
    case (.char("n"), []): return find(chat, isOlder: true)
    case (.char("N"), _): return find(chat, isOlder: false)
    case (.char("o"), []): return .effects([.open(NewLayer(ChatChannelSheet(chat)))])
    // The other keys are the tab's: `1` to `5`, `?`, `:` and the like.
    default: return .passed
    }
    return .stay
  }

  private mutating func step(_ step: Int, _ chat: ChatBoard) {
    let entries = chat.transcript.entries
    guard let current = selectedEntry(chat),
      let place = entries.firstIndex(where: { $0.id == current.id })
    else { return }
    let wanted = min(max(0, place + step), entries.count - 1)
    selected = entries[wanted].id
    scroll.move(toEntry: wanted)
  }

  private mutating func fold(_ chat: ChatBoard) {
    guard let entry = selectedEntry(chat), !entry.tools.isEmpty else { return }
    if unfolded.remove(entry.id) == nil { unfolded.insert(entry.id) }
  }

  private mutating func openRun(_ chat: ChatBoard) -> LayerOutcome {
    guard let run = selectedEntry(chat)?.run else {
      return .effects([.say("this message has no run that is known")])
    }
    guard !isWhole else { return .done([.showRun(run)]) }
    focus = .tab
    return .effects([.showRun(run)])
  }

  // MARK: Copying

  private func copyAnswer(_ chat: ChatBoard) -> [Effect] {
    guard let entry = selectedEntry(chat), !entry.text.isEmpty else {
      return [.say("there is no answer to copy yet")]
    }
    return [.copy(text: PasteSafe.text(entry.text), what: "the message")]
  }

  /// - Parameters:
  ///   - number: counted from 1.
  ///   - fromEnd: the last one is 1.
  private func copyCode(
    _ chat: ChatBoard, number: Int? = nil, fromEnd: Int = 1
  ) -> [Effect] {
    guard let entry = selectedEntry(chat) else { return [.say("there is no answer yet")] }
    let count = entry.markdown.codeBlocks
    guard count > 0 else { return [.say("this message has no code block")] }
    let block = number ?? count - (fromEnd - 1) % count
    guard block <= count else {
      return [.say(PlainText("this message has \(count) code blocks"))]
    }
    let name = PlainText("code block \(block) of \(count)")
    return [.copy(text: PasteSafe.text(entry.markdown.code(block: block)), what: name)]
  }

  // MARK: Search

  private mutating func typeSearch(_ press: KeyPress, _ chat: ChatBoard) -> LayerOutcome {
    switch search?.press(press) {
    case .accept:
      needle = search?.text ?? ""
      search = nil
      return needle.isEmpty ? .stay : find(chat, isOlder: true, fromEnd: true)
    case .cancel: search = nil
    default: break
    }
    return .stay
  }

  private mutating func find(
    _ chat: ChatBoard, isOlder: Bool, fromEnd: Bool = false
  ) -> LayerOutcome {
    guard !needle.isEmpty else { return .effects([.say("/ searches first")]) }
    let entries = chat.transcript.entries
    let current = fromEnd ? nil : selected.flatMap { id in entries.firstIndex { $0.id == id } }
    let range =
      isOlder
      ? Array((0..<(current ?? entries.count)).reversed())
      : Array(((current ?? -1) + 1)..<entries.count)
    let wanted = needle.lowercased()
    guard let place = range.first(where: { entries[$0].text.lowercased().contains(wanted) }) else {
      return .effects([.say("no other message has '" + PlainText(needle, limit: 60) + "'")])
    }
    selected = entries[place].id
    let piece = entries[place].markdown.segments.firstIndex {
      $0.text.lowercased().contains(wanted)
    }
    // The first piece has its head above it.
    scroll.move(toEntry: place, piece: piece.map { $0 == 0 ? 0 : $0 + 1 } ?? 0)
    return .stay
  }
}
