import CockpitAnswers
import CockpitDomain
import CockpitStores
import TerminalCore
import TerminalTestKit
import TerminalUI
import Testing

@testable import CockpitPanes
@testable import CockpitShell

@MainActor
@Suite struct ConversationsPaneTests {
  private static let den = "600000000000000001"
  private static let shed = "600000000000000002"

  /// A reply as the recordings have it, with the words in its prompt.
  private static func reply(
    _ id: Int, _ time: String, _ text: String, to words: String, from author: String = "james",
    in channel: String = den, tools: String = "", kind: String = "sent_reply"
  ) -> String {
    Fixture.row(
      id, time, kind, content: text, user: "900000000000000001", channel: channel,
      metadata: """
        {"triggerMessageId":"13600000000000000\(id)","source":"message_event",\
        "addressing":{"direct":true,"inferred":true,"triggered":\(kind != "reply_skipped"),\
        "reason":"name_exact","confidence":0.95,"threshold":0.62,"confidenceSource":"exact_name"},\
        "replyPrompts":{"systemPrompt":"You are Clanky.",\
        "initialUserPrompt":"=== CURRENT MESSAGE ===\\n\(author): \(words)",\
        "followupUserPrompts":[],"tools":[{"name":"web_search"}]}\(tools),\
        "llm":{"provider":"claude-oauth","model":"claude-opus-4-6","usage":{"inputTokens":2610,\
        "outputTokens":402,"cacheReadTokens":1784},"costUsd":0.0151},\
        "performance":{"totalMs":6120,"queueMs":12,"ingestMs":40,"memorySliceMs":220,\
        "llm1Ms":2100,"followupMs":0,"typingDelayMs":900,"sendMs":160}}
        """)
  }

  private static let rows = [
    reply(
      71, "14:31:00.000", "Rust 1.90 is out.", to: "what is new in rust?",
      tools: """
        ,"webSearch":{"requested":true,"used":true,"query":"rust news","resultCount":2,\
        "results":[{"title":"Rust 1.90","url":"https://example.org/1","domain":"example.org"},\
        {"title":"This week","url":"https://example.org/2","domain":"example.org"}],\
        "providerUsed":"brave","error":null},\
        "image":{"requestedByModel":true,"used":false,"blockedByDailyCap":true}
        """),
    reply(
      72, "14:20:00.000", "no_reply_needed", to: "ok thanks", in: shed, kind: "reply_skipped"),
    reply(73, "14:10:00.000", "It is in drawer 9.", to: "where is the awl?", from: "ada", in: shed),
    reply(74, "13:50:00.000", "Good morning.", to: "hello", kind: "sent_message"),
  ]

  private func fixture() -> Fixture { Fixture(rows: Self.rows) }

  private func shell(_ size: Size = Size(width: 120, height: 40)) -> CockpitShell {
    CockpitShell(tab: .pulse, size: size)
  }

  private func text(_ shell: CockpitShell, _ fixture: inout Fixture) -> String {
    shell.render(fixture.facts(), size: shell.size).canvas.text
  }

  @Test("g d opens the replies of all channels, h and l go through them, and Esc back to BRAIN")
  func channels() {
    var fixture = fixture()
    var shell = shell()
    shell.type("gd", &fixture)
    #expect(shell.tab == .brain && shell.conversations.isOpen)
    var shown = text(shell, &fixture)
    #expect(shown.contains("3 replies  1 silence"), "\(shown)")
    #expect(shown.contains("james: what is new in rust?"))
    shell.type("l", &fixture)
    shown = text(shell, &fixture)
    #expect(shown.contains("[#general 2]") && !shown.contains("where is the awl?"), "\(shown)")
    shell.type("l", &fixture)
    shown = text(shell, &fixture)
    #expect(shown.contains("where is the awl?") && shown.contains("silent: no reply needed"))
    shell.type("\\", &fixture)
    #expect(!text(shell, &fixture).contains("silent: no reply needed"))
    shell.type("Esc", &fixture)
    #expect(shell.conversations.channel == nil && shell.conversations.isOpen)
    shell.type("Esc", &fixture)
    #expect(shell.tab == .brain && !shell.conversations.isOpen)
  }

  @Test("the chosen reply says how it came about: addressing, tools with results, model, phases")
  func detail() {
    var fixture = fixture()
    var shell = shell(Size(width: 200, height: 60))
    shell.type("gd", &fixture)
    let shown = text(shell, &fixture)
    for words in [
      "for the bot: its name is in the message, confidence .95 of .62 needed",
      "judged by the exact name",
      "web search \"rust news\", 2 results, brave", "- Rust 1.90  example.org",
      "image, not used, blocked by daily cap", "claude-oauth:claude-opus-4-6",
      "in 2,610 (cached 1,784) out 402",
      "memory", "typing", "1 tool offered",
    ] {
      #expect(shown.contains(words), "\(words) in \(shown)")
    }
    // A follow-up that did not happen has no phase.
    #expect(!shown.contains("follow-up "))
  }

  @Test("what the log lacks is asked for, and its end is said")
  func history() {
    var fixture = fixture()
    var shell = shell()
    shell.type("gd", &fixture)
    let facts = fixture.facts()
    let request = shell.conversations.request(facts)
    #expect(request.kinds == ConversationList.kinds)
    #expect(shell.needs(facts).contains(.history(request)))
    #expect(text(shell, &fixture).contains("since 13:50"))

    // Three days, and all that is kept.
    shell.type("-", &fixture)
    #expect(shell.conversations.request(facts).sinceMs == request.sinceMs - 48 * 3_600_000)
    shell.type("-", &fixture)
    #expect(shell.conversations.request(facts).sinceMs == .min)
    shell.type("-", &fixture)
    #expect(shell.conversations.reach == .all)
  }

  @Test("with a guild on all tabs only its replies are listed and asked for")
  func scope() {
    var fixture = fixture()
    var shell = shell()
    shell.type("gd", &fixture)
    var facts = fixture.facts()
    #expect(shell.conversations.list(facts).entries.count == 4)
    facts.scope = GuildScope("500000000000000001")
    #expect(shell.conversations.list(facts).entries.count == 4)
    facts.scope = GuildScope("500000000000000002")
    #expect(shell.conversations.list(facts).entries.isEmpty)
    #expect(shell.conversations.request(facts).guild == "500000000000000002")
  }

  @Test("the reply under the cursor is the selected answer of the other tabs")
  func selection() {
    var fixture = fixture()
    var shell = shell()
    shell.type("g d j j 1", &fixture)
    #expect(shell.tab == .pulse)
    #expect(shell.selectedAnswer?.key == .message("1360000000000000073"))
  }

  @Test(
    "conversations",
    arguments: [
      Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 200, height: 60),
    ])
  func goldens(size: Size) throws {
    let name = "\(size.width)x\(size.height)"
    var fixture = fixture()
    var open = shell(size)
    open.type("gd", &fixture)
    try expectGolden(open.render(fixture.facts(), size: size).canvas, "conversations-\(name)")
    guard size.width == 80 else { return }
    open.type("Enter j j", &fixture)
    try expectGolden(
      open.render(fixture.facts(), size: size).canvas, "conversations-detail-\(name)")
    var none = Fixture(rows: [], state: .reconnecting)
    var empty = shell(size)
    empty.type("gd", &none)
    try expectGolden(empty.render(none.facts(), size: size).canvas, "conversations-none-\(name)")
  }
}
