import CockpitChat
import TerminalCore
import TerminalTestKit
import TerminalUI
import Testing

@testable import CockpitPanes
@testable import CockpitShell

@MainActor
@Suite struct ChatDrawerTests {
  nonisolated static let sizes = [
    Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 200, height: 60),
    Size(width: 50, height: 18),
  ]
  private static let wide = Size(width: 200, height: 60)

  @Test("the drawer beside the tab, at four sizes", arguments: sizes)
  func goldens(size: Size) throws {
    var scene = ChatScene(size: size)
    scene.press("i")
    scene.type("a draft")
    scene.board.attachments = [.init(name: "chart.png", bytes: 120_400)]
    let canvas = scene.frame().canvas
    #expect(SoundCanvas.problems(of: canvas).isEmpty)
    try expectGolden(canvas, "chat-\(size.width)x\(size.height)")
  }

  /// A picture of 160 x 90 in two colours, as it is kept.
  private static func preview() throws -> ImagePreview {
    let grid = try #require(
      PixelGrid(
        width: 28, height: 16,
        colors: (0..<28 * 16).map { ($0 % 28) / 7 % 2 == $0 / 28 / 4 % 2 ? 0xC04020 : 0x2060A0 }))
    var preview = ImagePreview(grid: grid)
    (preview.width, preview.height) = (1_600, 900)
    return preview
  }

  @Test("images that go along, and those of a message that was sent, as pictures", arguments: sizes)
  func pictures(size: Size) throws {
    var scene = ChatScene(size: size)
    scene.press("i")
    scene.board.attachments = [
      .init(name: "chart.png", bytes: 120_400, preview: try Self.preview())
    ]
    let first = try #require(scene.board.transcript.entries.first)
    scene.board.previews = [first.id: [try Self.preview(), ImagePreview(problem: "No.")]]
    scene.press("Esc g i")
    let canvas = scene.frame().canvas
    #expect(SoundCanvas.problems(of: canvas).isEmpty)
    try expectGolden(canvas, "chat-images-\(size.width)x\(size.height)")
    #expect(canvas.text.contains("1600 x 900 pixels"))
    // Several share the width, and their words are in a line below.
    scene.board.attachments = [
      .init(name: "a.png", bytes: 1_000, preview: try Self.preview()),
      .init(name: "b.gif", bytes: 2_000, preview: ImagePreview(problem: "GIF has none.")),
      .init(name: "c.png", bytes: 3_000, preview: try Self.preview()),
    ]
    #expect(scene.text().contains("attached: a.png (1"))
    #expect(SoundCanvas.problems(of: scene.frame().canvas).isEmpty)
  }

  @Test("links of an answer can be opened with the terminal, in pieces where they are broken")
  func links() throws {
    var transcript = ChatTranscript()
    let id = transcript.beginAnswer(atMs: 0)
    transcript.apply(
      .text(
        "See [the log of the build that failed last night](https://CI.example/4?q=ü) and "
          + "[this](javascript:alert(1)), [mail](mailto:a@b.example), "
          + "[x](https://evil@host.example/).\n"), to: id, atMs: 0)
    var scene = ChatScene(size: Size(width: 50, height: 24), transcript: transcript)
    scene.press("i")
    let canvas = scene.frame().canvas
    let spans = canvas.linkRuns.values.joined()
    #expect(
      Set(spans.map(\.target.url)) == ["https://ci.example/4?q=%C3%BC", "mailto:a@b.example"])
    let first = canvas.linkRuns.filter { $0.value.contains { $0.target.url.hasPrefix("https") } }
    #expect(first.count >= 2, "broken over lines")
    #expect(
      Set(first.values.joined().filter { $0.target.url.hasPrefix("https") }.map(\.target.id)).count
        == 1)
    #expect(canvas.text.contains("(ci.example)"))
  }

  @Test("the channels and the agents")
  func sheet() throws {
    var scene = ChatScene(size: Self.sizes[0])
    scene.press("i Esc o")
    try expectGolden(scene.frame().canvas, "chat-channels-80x24")
    scene.press("a")
    scene.type("nightly")
    scene.board.agents = .known([ChatAgent(id: "ops", name: "Operations"), ChatAgent(id: "dev")])
    scene.press("Enter j j")
    try expectGolden(scene.frame().canvas, "chat-agents-80x24")
    scene.press("Enter")
    #expect(scene.requests == [.open, .askAgents, .add(name: "nightly", agent: "dev")])
  }

  @Test("i opens it with the cursor in the input, the backquote shows and hides it")
  func opening() {
    var scene = ChatScene(size: Self.wide)
    scene.press("`")
    #expect(scene.drawer?.focus == .tab)
    scene.press("5")
    #expect(scene.shell.tab == .cmd)
    scene.press("i")
    #expect(scene.drawer?.focus == .input)
    scene.type("`5")
    #expect(scene.drawer?.input.text == "`5" && scene.shell.tab == .cmd)
    scene.press("Esc q `")
    #expect(scene.drawer == nil)
    scene.press("i")
    #expect(scene.drawer?.focus == .input)
    #expect(scene.requests == [.open, .open])
  }

  @Test("a Clanky bot has no such key, no hint, no word and no drawer")
  func bot() {
    let keys = KeyTable.standard.forBot
    #expect(keys.match([KeyPress(.char("i"))]) == .none)
    #expect(keys.match([KeyPress(.char("`"))]) == .none)
    #expect(!keys.bindings.contains { $0.command == .chat || $0.command == .chatToggle })
    var fixture = Fixture()
    var shell = CockpitShell(keys: keys, size: Self.wide)
    _ = shell.send(.key(.char("i"), []), &fixture)
    #expect(!shell.isChatShown)
  }

  @Test("Enter sends once; while an answer is under way the text stays")
  func sending() {
    var scene = ChatScene(size: Self.wide)
    scene.press("i")
    scene.type("hello")
    scene.send(.key(.enter, .alt))
    scene.type("there\\")
    scene.press("Enter")
    scene.type("x")
    scene.board.underWay = ["main"]
    scene.press("Enter")
    #expect(scene.drawer?.input.text == "hello\nthere\nx")
    scene.board.underWay = []
    scene.press("Enter")
    #expect(scene.requests == [.open, .send("hello\nthere\nx")])
    #expect(scene.drawer?.input.text.isEmpty == true)
    scene.press("Enter")
    #expect(scene.requests.count == 2, "nothing is sent twice")
  }

  @Test("pasted text is text, whatever it is; a pasted path of an image is attached")
  func pasting() {
    var scene = ChatScene(size: Self.wide)
    scene.press("i")
    scene.send(.paste("/abort\nq\n"))
    #expect(scene.drawer?.input.text == "/abort\nq\n")
    scene.send(.paste("'/tmp/a b.PNG'\n"))
    #expect(scene.requests == [.open, .attach(path: "/tmp/a b.PNG")])
  }

  @Test(
    "slash commands, and what is none goes to the agent",
    arguments: [
      ("/new", [ChatRequest.newConversation]), ("/retry", [.retry]), ("/abort", [.abort]),
      ("/agent dev", [.setAgent("dev")]), ("/attach /tmp/x.png", [.attach(path: "/tmp/x.png")]),
      ("/export", [.export(path: nil)]), ("/export a.md", [.export(path: "a.md")]),
      ("/channel OPS", [.choose("ops")]), ("/agent", [.askAgents]), ("/channel nobody", []),
      ("/think hard", [.setThinking("hard")]), ("/think default", [.setThinking(nil)]),
      ("/model a/b", [.setModel("a/b")]), ("/model default", [.setModel(nil)]), ("/model", []),
      ("/queue and then", [.queue("and then")]), ("/queue drop 2", [.dropQueued(2)]),
      ("/queue drop", [.dropQueued(nil)]), ("/queue send", [.sendQueued]), ("/queue", []),
      ("/queue drop it all", [.queue("drop it all")]), ("/help", []),
      ("/compact", [.send("/compact")]), ("/new one", [.send("/new one")]),
    ])
  func slash(_ text: String, _ requests: [ChatRequest]) {
    var scene = ChatScene(size: Self.wide)
    scene.press("i")
    scene.type(text)
    scene.press("Enter")
    #expect(scene.requests == [.open] + requests)
    #expect(scene.drawer?.input.text.isEmpty == true)
  }

  @Test("/help lists every command, and /queue what waits")
  func sheets() {
    var scene = ChatScene(size: Self.sizes[0])
    scene.press("i")
    scene.type("/help")
    scene.press("Enter")
    let help = scene.frame().canvas.text
    for name in SlashCommand.names where name != "/help" { #expect(help.contains(name), "\(name)") }
    scene.press("Esc")
    scene.board.queued = ["first thing", "second thing"]
    #expect(scene.frame().canvas.text.contains("2 queued: first thing"))
    scene.type("/queue")
    scene.press("Enter")
    #expect(scene.frame().canvas.text.contains("second thing"))
  }

  @Test("Ctrl-C stops the answer and nothing else")
  func interrupt() {
    var scene = ChatScene(size: Self.wide)
    scene.press("i")
    scene.type("kept")
    scene.press("C-c")
    scene.board.underWay = ["main"]
    scene.press("C-c Esc C-c")
    #expect(scene.requests == [.open, .abort, .abort])
    #expect(!scene.effects.contains(.quit))
    #expect(scene.drawer?.input.text == "kept")
  }

  @Test("each edit is told as a draft, and a draft of the channel comes back")
  func drafts() {
    var scene = ChatScene(size: Self.wide)
    scene.press("i")
    scene.type("ab")
    let drafts: [Effect] = [.chat(.draft("a")), .chat(.draft("ab"))]
    #expect(scene.effects.suffix(2) == drafts)
    scene.board.channel = scene.board.channels[1]
    scene.board.draft = "of ops"
    _ = scene.frame()
    #expect(scene.drawer?.input.text == "of ops")
  }

  @Test("the history of the input goes back to what was typed")
  func history() {
    var scene = ChatScene(size: Self.wide)
    scene.press("i")
    scene.type("new")
    scene.press("Up")
    #expect(scene.drawer?.input.text == "Do it.")
    scene.press("Up")
    #expect(scene.drawer?.input.text.hasPrefix("Why did") == true)
    scene.press("Down Down Down Down")
    #expect(scene.drawer?.input.text == "new")
  }

  @Test("what is copied is the text, without what acts where it is pasted")
  func copying() {
    var transcript = ChatScene.conversation()
    let id = transcript.entries.last?.id ?? 0
    transcript.apply(.replaced("a\u{1B}[201~b\n\n```\nx\n```\n~~~\ny\n~~~\n"), to: id, atMs: 0)
    var scene = ChatScene(size: Self.wide, transcript: transcript)
    scene.press("i Esc y c c c")
    let copied = scene.effects.compactMap { effect in
      if case .copy(let text, _) = effect { text } else { nil }
    }
    #expect(copied.count == 4)
    #expect(copied[0].hasPrefix("a\\x1b[201~b"))
    #expect(Array(copied.dropFirst()) == ["y\n", "x\n", "y\n"])
  }

  @Test("a search finds the message, also where it is folded away by scrolling")
  func search() {
    var scene = ChatScene(size: Self.sizes[0])
    scene.press("i Esc /")
    scene.type("LOG OF last")
    scene.press("Enter")
    #expect(scene.text().contains("> you"))
    scene.press("/")
    scene.type("zzz")
    scene.press("Enter")
    #expect(scene.text().contains("no other message has 'zzz'"))
  }

  @Test("scrolling keeps its place while the answer grows, and follows again at the end")
  func scrolling() {
    var scene = ChatScene(size: Self.sizes[0])
    scene.press("i Esc k k k")
    let before = scene.drawer?.scroll.shown.map(\.line)
    let id = scene.board.transcript.entries.last?.id ?? 0
    for line in 0..<50 {
      scene.board.transcript.apply(.text("\nline \(line)\n"), to: id, atMs: 0)
    }
    _ = scene.frame()
    #expect(scene.drawer?.scroll.shown.map(\.line) == before)
    scene.press("G")
    #expect(scene.text().contains("line 49"))
    for _ in 0..<300 { scene.press("k") }
    #expect(scene.drawer?.scroll.top == ChatScroll.Place(entry: 0, piece: 0, line: 0))
    for _ in 0..<300 { scene.press("j") }
    #expect(scene.drawer?.scroll.isFollowing == true)
  }

  @Test("an answer of 200 kB is laid out once, whatever streams and is typed meanwhile")
  func longAnswer() {
    var transcript = ChatTranscript()
    let id = transcript.beginAnswer(atMs: 0)
    var scene = ChatScene(size: Self.wide, transcript: transcript)
    scene.press("i")
    var bytes = 0
    var frames = 0
    while bytes < 200_000 {
      let chunk =
        bytes % 7_000 < 3_000
        ? "```\nlet x = \(bytes)\n```\n" : "word **\(bytes)** and _more_ of it. \n\n- item\n"
      scene.board.transcript.apply(.text(chunk), to: id, atMs: 0)
      bytes += chunk.utf8.count
      if bytes % 10 == 0 {
        frames += 1
        scene.type("x")
        let before = scene.drawer?.scroll.laidOut ?? 0
        scene.type("y")
        let work = (scene.drawer?.scroll.laidOut ?? 0) - before
        #expect(work == 0, "a key lays nothing out anew")
      }
    }
    #expect(frames > 100)
    let laidOut = scene.drawer?.scroll.laidOut ?? 0
    #expect(laidOut < 3 * bytes, "\(laidOut) bytes for \(bytes)")
  }

  @Test("one unclosed block of 200 kB costs a segment for each piece, not the whole")
  func longBlock() {
    for start in ["```\n", "", "| a | b |\n|---|---|\n"] {
      var transcript = ChatTranscript()
      let id = transcript.beginAnswer(atMs: 0)
      transcript.apply(.text(start), to: id, atMs: 0)
      var scene = ChatScene(size: Self.sizes[0], transcript: transcript)
      scene.press("i")
      for piece in 0..<2_000 {
        let chunk =
          switch start.first {
          case "|": "| \(piece) | \(String(repeating: "x", count: 92)) |\n"
          case nil: String(repeating: "word ", count: 20)
          default: String(repeating: "y", count: 99) + "\n"
          }
        scene.board.transcript.apply(.text(chunk), to: id, atMs: 0)
        guard piece % 20 == 0 else { continue }
        let before = scene.drawer?.scroll.laidOut ?? 0
        _ = scene.frame()
        let work = (scene.drawer?.scroll.laidOut ?? 0) - before
        #expect(work < 16_000, "\(work) bytes for one frame")
      }
    }
  }

  @Test("a profile that is read-only sends nothing")
  func readOnly() {
    var scene = ChatScene(size: Self.wide)
    scene.isReadOnly = true
    scene.press("i")
    scene.type("x")
    scene.press("Enter")
    #expect(scene.requests == [.open])
    #expect(scene.drawer?.input.text == "x")
  }

  @Test("hostile text in names, models, tools and failures tears no screen")
  func hostile() {
    let evil =
      "\u{202E}\u{1B}[2J\u{0}\u{7}a\u{0300}\u{0300}\n" + String(repeating: "x", count: 5_000)
    for size in Self.sizes {
      var transcript = ChatTranscript()
      transcript.send(evil, images: [evil], idempotencyKey: "k", atMs: .max)
      let id = transcript.beginAnswer(atMs: .min)
      for event: ChatEvent in [
        .started(run: evil), .model(evil), .phase(evil), .thinking(evil),
        .tool(ChatTool(id: evil, name: evil, state: .running, durationMs: .max)),
        .usage(ChatUsage(inputTokens: .max, outputTokens: .max, costUSD: .infinity)),
        .text(evil), .ended(.failed(ChatFailure(.agent, evil))),
      ] { transcript.apply(event, to: id, atMs: .max) }
      var scene = ChatScene(size: size, transcript: transcript)
      scene.board.channel.name = evil
      scene.board.channel.agent = evil
      scene.board.diskProblem = evil
      scene.press("i Esc Space")
      #expect(SoundCanvas.problems(of: scene.frame().canvas).isEmpty)
      scene.press("o a")
      scene.board.agents = .failed(evil)
      // The sheet lies over the drawer's frame.
      let found = SoundCanvas.problems(of: scene.frame().canvas)
      #expect(found.allSatisfy { $0.hasPrefix("the box of") }, "\(found)")
    }
  }
}
