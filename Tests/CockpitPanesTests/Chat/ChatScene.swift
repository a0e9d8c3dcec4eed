import CockpitDomain
import CockpitChat
import TerminalCore
import TerminalUI

@testable import CockpitPanes
@testable import CockpitShell

/// A cockpit on a gateway, whose conversation is as a test says.
@MainActor
struct ChatScene {
  private var fixture = Fixture(rows: [], hasVoiceState: false, hasStats: false)
  var shell: CockpitShell
  var board: ChatBoard
  var isReadOnly = false
  /// Everything that keys asked for.
  private(set) var effects: [Effect] = []

  init(size: Size, transcript: ChatTranscript = ChatScene.conversation()) {
    var list = ChatChannelList()
    let main = list.add(name: "main", source: "s", agent: nil)
    list.add(name: "ops", source: "s", agent: "ops")
    board = ChatBoard(
      channels: list.channels, channel: main, transcript: transcript,
      abilities: [.images, .serverHistory, .tools])
    shell = CockpitShell(tab: .pulse, keys: KeyTable.standard.forGateway, size: size)
  }

  static func conversation() -> ChatTranscript {
    var transcript = ChatTranscript()
    transcript.send(
      "Why did the build fail? Look at the log of last night.", images: ["screen.png"],
      idempotencyKey: "k1", atMs: Fixture.nowMs - 90_000)
    let first = transcript.beginAnswer(atMs: Fixture.nowMs - 89_000)
    for event: ChatEvent in [
      .started(run: "run-1"), .model("claude-opus"),
      .tool(ChatTool(id: "1", name: "exec", state: .done, durationMs: 2_100)),
      .tool(ChatTool(id: "2", name: "read", state: .failed, durationMs: 1_400)),
      .tool(ChatTool(id: "3", name: "memory_search", state: .done, durationMs: 600)),
      .text("It failed in **step 3**: the disk of the runner is full "),
      .text("([log](http://ci.example/4)).\n\n"),
      .text("1. Remove old images\n2. Build again\n\n```sh\ndocker system prune -af\n```\n"),
      .text("\n| Image | Size |\n|:--|--:|\n| base | 4.1 GB |\n| cache | 12 GB |\n"),
      .usage(ChatUsage(inputTokens: 1_100, outputTokens: 104, costUSD: 0.0123)),
      .ended(.completed),
    ] { transcript.apply(event, to: first, atMs: Fixture.nowMs - 80_000) }
    transcript.send("Do it.", idempotencyKey: "k2", atMs: Fixture.nowMs - 20_000)
    let second = transcript.beginAnswer(atMs: Fixture.nowMs - 19_000)
    transcript.apply(.text("On it: I remove the ima"), to: second, atMs: Fixture.nowMs)
    return transcript
  }

  private mutating func facts() -> ViewContext {
    var facts = fixture.facts()
    facts.kind = .openclaw
    facts.isReadOnly = isReadOnly
    facts.chat = board
    facts.profile = "claw"
    return facts
  }

  mutating func frame() -> Frame {
    for _ in 0..<2 { _ = shell.update(facts(), size: shell.size) }
    return shell.render(facts(), size: shell.size)
  }

  var drawer: ChatDrawer? { shell.layers.first(ChatDrawer.self) }

  /// Keys by their names, as in a key table.
  mutating func press(_ keys: String) {
    for word in keys.split(separator: " ") {
      guard let chord = try? KeyChord(parsing: String(word)) else { continue }
      for press in chord.presses { send(.key(press.key, press.modifiers)) }
    }
  }

  mutating func type(_ text: String) {
    for character in text { send(.key(.char(character), [])) }
  }

  mutating func send(_ event: InputEvent) {
    let frame = frame()
    effects += shell.handle(event, on: facts(), frame: frame)
  }

  /// The requests so far, without drafts.
  var requests: [ChatRequest] {
    effects.compactMap { effect in
      if case .chat(let request) = effect {
        if case .draft = request { return nil }
        return request
      }
      return nil
    }
  }

  /// The window's title.
  var title: String {
    mutating get { WindowTitle(facts()).words.text }
  }

  mutating func text() -> String { frame().canvas.text }
}
