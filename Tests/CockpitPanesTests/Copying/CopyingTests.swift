import TerminalUI
import CockpitText
import CockpitDomain
import Networking
import ClankyWire
import CockpitStores
import Foundation
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell

@MainActor
@Suite struct CopyingTests {
  private let size = Size(width: 120, height: 40)

  private func items(
    _ fixture: inout Fixture, keys: String = "", tab: Tab = .pulse
  ) -> [CopyItem.Kind: String] {
    var shell = CockpitShell(tab: tab, size: size)
    shell.type(keys, &fixture)
    let facts = fixture.facts(query: shell.pulse.feedQuery)
    let list = shell.pane.copyItems(facts)
    #expect(Set(list.map(\.kind)).count == list.count, "one key, one thing")
    return Dictionary(list.map { ($0.kind, $0.text) }, uniquingKeysWith: { first, _ in first })
  }

  @Test("the JSON of a row is what the backend sent, byte for byte")
  func exactJSON() throws {
    for (index, row) in Fixture.story.enumerated() {
      var fixture = Fixture(rows: [row])
      let copied = items(&fixture)
      #expect(copied[.json].map { Array($0.utf8) } == Array(row.utf8), "row \(index)")
      #expect(copied[.id] == "\(index + 1)")
    }
  }

  @Test("a live row has no id yet, and its JSON is that of the stream")
  func liveRow() throws {
    let json = """
      {"kind":"sent_reply","guildId":"500000000000000001","channelId":"600000000000000001",\
      "messageId":"800000000000000001","content":"hi \\u001b[31m \\ud83d\\ude00 'q'",\
      "createdAt":"2026-03-01T14:32:09.000Z"}
      """
    var fixture = Fixture(rows: [])
    try fixture.live(json)
    let copied = items(&fixture)
    #expect(copied[.json] == json)
    #expect(copied[.id] == nil && copied[.permalink] == nil)
    #expect(copied[.query] == "kind:sent_reply at:2026-03-01T14:32:09.000Z")
    #expect(
      copied[.url]
        == "https://discord.com/channels/500000000000000001/600000000000000001/800000000000000001")
    #expect(copied[.row]?.hasSuffix("#general: hi \\x1b[31m 😀 'q'") == true)
  }

  @Test("the copied filter finds the row again, and the copied command names it")
  func findsAgain() throws {
    var fixture = Fixture()
    for press in ["", "j j", "j j j j j"] {
      let copied = items(&fixture, keys: press)
      let query = try #require(copied[.query])
      let facts = fixture.facts(query: try Query.parse(query))
      #expect(facts.feed.count == 1, "\(query)")
      #expect(
        copied[.permalink] == "clanky-cockpit actions --filter \(query) --profile prod"
          || copied[.permalink] == "clanky-cockpit actions --filter '\(query)' --profile prod")
    }
    // Without an id: the kind in its second.
    try fixture.live("{\"kind\":\"odd kind\",\"createdAt\":\"2026-03-01T14:32:08.700Z\"}")
    let query = try #require(items(&fixture)[.query])
    #expect(query == "kind:\"odd kind\" at:2026-03-01T14:32:08.700Z")
    #expect(fixture.facts(query: try Query.parse(query)).feed.count == 1)
  }

  @Test("curl leaves the token to the shell's variable and quotes everything else")
  func curl() throws {
    var fixture = Fixture()
    let curl = try #require(items(&fixture)[.curl])
    #expect(
      curl == """
        curl -sS -H "x-dashboard-token: $CLANKY_TOKEN" \
        'http://127.0.0.1:8787/api/actions?limit=1000&sinceHours=0.1003&kinds=llm_call\
        &guildId=500000000000000001'
        """)
    // A guild that tries to leave its quotes is percent-encoded before it is quoted.
    var hostile = Fixture(rows: [
      #"{"id":1,"created_at":"2026-03-01T14:00:00Z","kind":"a'$(reboot)'","guild_id":"';reboot;'"}"#
    ])
    let text = try #require(items(&hostile)[.curl])
    #expect(!text.contains("reboot)") && !text.contains(";reboot"))
    #expect(items(&hostile)[.url] == nil, "only numbers get into a link")
  }

  @Test("a shell sees each quoted word as it was given")
  func quoting() throws {
    let words = ["plain-1.0", "", "two words", "it's", "$HOME `id` \\ \"x\"", "a\nb", "*", "é;|&"]
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "printf '%s\\0' " + ShellLine.of(words)]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(String(decoding: output, as: UTF8.self) == words.map { $0 + "\0" }.joined())
  }

  @Test("what would act where it is pasted is spelled out, also in a command line (promise P1)")
  func pasteSafe() throws {
    #expect(
      PasteSafe.text("a\u{3}\u{1B}[201~b\r\nc\rd\u{202E}\u{9B}e\t\u{2028}é 👩‍🚀")
        == "a\\x03\\x1b[201~b\nc\nd\\x9be\t\né 👩‍🚀")
    #expect(PasteSafe.json("{\r\n \"a\": \"é\"}") == "{\r\n \"a\": \"é\"}")
    #expect(
      PasteSafe.json("{\"a\": \"\u{1B}\u{9B}\u{202E}é\"}")
        == #"{"a":"\u001b\u009b\u202e\u00e9"}"#)
    let words = ["\u{3}\r!!", "a\u{202E}b", "\u{1B}[31m'\\", "é\u{7F}7"]
    let line = ShellLine.of(words)
    #expect(line.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", "printf '%s\\0' " + line]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(String(decoding: output, as: UTF8.self) == words.map { $0 + "\0" }.joined())
  }

  @Test("an id of the backend is one word of a command line, and no option (promise P1)")
  func permalinks() {
    var fixture = Fixture()
    let facts = fixture.facts()
    #expect(
      facts.permalink(["session"], "x;touch y")
        == "clanky-cockpit session 'x;touch y' --profile prod")
    #expect(
      facts.permalink(["session"], "--help") == "clanky-cockpit session --profile prod -- --help")
  }

  @Test("the line under the cursor of the metadata gives its path and its exact value")
  func pathValue() {
    var fixture = Fixture()
    // Detail, metadata page, first line; then into `usage`.
    #expect(items(&fixture, keys: "Enter Tab p p")[.pathValue] == "metadata.provider=claude-oauth")
    #expect(
      items(&fixture, keys: "Enter Tab p p j j")[.pathValue]
        == #"metadata.usage={"inputTokens":1247,"outputTokens":340,"cacheWriteTokens":0,"cacheReadTokens":892}"#
    )
    #expect(
      items(&fixture, keys: "Enter Tab p p j j Enter j")[.pathValue]
        == "metadata.usage.inputTokens=1247")
    #expect(items(&fixture)[.pathValue] == nil, "the feed has no path")
  }

  @Test("y opens the menu, a key copies and closes it, Y copies at once")
  func menu() throws {
    var fixture = Fixture()
    var shell = CockpitShell(size: size)
    shell.type("y", &fixture)
    #expect(shell.overlay is CopyMenu)
    #expect(shell.send(.key(.char("x"), []), &fixture).isEmpty && shell.overlay != nil)
    #expect(
      shell.send(.key(.char("i"), []), &fixture) == [.copy(text: "1", what: "id")])
    #expect(shell.overlay == nil)
    shell.type("c Down Down", &fixture)
    #expect(shell.send(.key(.enter, []), &fixture) == [.copy(text: "1", what: "id")])
    shell.type("y Esc", &fixture)
    #expect(shell.overlay == nil)
    #expect(
      shell.send(.key(.char("Y"), []), &fixture)
        == [.copy(text: Fixture.story[0], what: "JSON")])
  }

  @Test("a paste into the menu copies nothing, a click does")
  func mouse() throws {
    var fixture = Fixture()
    var shell = CockpitShell(size: size)
    shell.type("y", &fixture)
    #expect(shell.send(.paste("j"), &fixture).isEmpty)
    let frame = shell.render(fixture.facts(), size: size)
    let place = try #require(
      (0..<size.height).compactMap { y in
        frame.targets(x: 60, y: y).contains(.overlay(2)) ? y : nil
      }.first)
    #expect(
      shell.send(.mouse(.down(0), column: 60, row: place, []), &fixture)
        == [.copy(text: "1", what: "id")])
  }

  @Test("with nothing selected the menu says so")
  func nothing() {
    var fixture = Fixture(rows: [])
    var shell = CockpitShell(size: size)
    shell.type("y", &fixture)
    #expect(shell.overlay == nil)
    #expect(shell.render(fixture.facts(), size: size).canvas.text.contains("nothing is selected"))
  }

  @Test("VOICE copies the session, BRAIN the call, MEMORY the fact")
  func tabs() throws {
    var fixture = Fixture()
    let voice = items(&fixture, tab: .voice)
    #expect(voice[.id] == "s-1" && voice[.query] == "session:s-1")
    #expect(voice[.permalink] == "clanky-cockpit session s-1 --profile prod")
    #expect(voice[.json]?.contains("\"sessionId\":\"s-1\"") == true)
    let brain = items(&fixture, tab: .brain)
    #expect(brain[.json] == Fixture.story[0], "the newest call")
    #expect(items(&fixture, tab: .memory).isEmpty, "no fact is loaded")
  }

  @Test("the plain screen has the rows in full, oldest first, one to a line")
  func plain() throws {
    var fixture = Fixture()
    var shell = CockpitShell(size: Size(width: 60, height: 20))
    let effects = shell.perform(.plain, fixture.facts())
    guard case .plain(let text)? = effects.first else {
      Issue.record("\(effects)")
      return
    }
    let lines = text.split(separator: "\n")
    #expect(lines.count == Fixture.story.count)
    #expect(lines.first?.contains("automation_run") == true)
    #expect(lines.last?.contains("claude-oauth:claude-opus-4-6 Let me look that up.") == true)
    #expect(!text.contains("│"))
    // CMD, and every tab that has no text of its own, gives what it draws.
    var cmd = CockpitShell(tab: .cmd, size: size)
    guard case .plain(let screen)? = cmd.perform(.plain, fixture.facts()).first else {
      Issue.record("CMD gives nothing")
      return
    }
    #expect(screen.contains("CONNECTION") && screen.contains(" +"), "signs of the data stay")
    #expect(!screen.contains { "│┌─".contains($0) })
  }

  @Test("o shows the links of the row whole; without one the row goes to the pager (promise P12)")
  func links() throws {
    let url = "https://example.org/a?b=c&d=(e)"
    var fixture = Fixture(rows: [
      Fixture.row(1, "14:32:00", "sent_reply", content: "see \(url), now", channel: nil)
    ])
    var shell = CockpitShell(size: Size(width: 60, height: 20))
    shell.type("o", &fixture)
    #expect(shell.overlay is LinkList)
    let text = shell.render(fixture.facts(), size: shell.size).canvas.text
    #expect(text.contains(url) && text.contains("leads to example.org"))
    #expect(
      shell.send(.key(.enter, []), &fixture) == [.copy(text: url, what: "link to example.org")])

    var bare = Fixture(rows: [Fixture.row(1, "14:32:00", "sent_reply", channel: nil)])
    var other = CockpitShell(size: size)
    let effects = other.send(.key(.char("o"), []), &bare)
    guard case .page(let page)? = effects.first else {
      Issue.record("\(effects)")
      return
    }
    #expect(page.contains("\"kind\": \"sent_reply\""))
  }

  @Test("the mouse key says what it did and how to undo it")
  func mouseNote() {
    var fixture = Fixture()
    var shell = CockpitShell(size: size)
    #expect(shell.send(.key(.char("%"), []), &fixture) == [.toggleMouse])
    #expect(
      shell.render(fixture.facts(), size: size).canvas.text.contains("% takes it back"))
  }
}

@Suite struct LinkTests {
  @Test(
    "addresses are found in text without the marks around them",
    arguments: [
      ("see https://example.org.", ["https://example.org"]),
      ("(https://example.org/x)", ["https://example.org/x"]),
      (
        "<https://a.example/b_(c)> and HTTP://B.example:8080/?q=1#f",
        ["https://a.example/b_(c)", "http://b.example:8080/?q=1#f"]
      ),
      ("https://example.org/ü/\u{202E}x", ["https://example.org/%C3%BC/%E2%80%AEx"]),
      ("javascript:alert(1) file:///etc/passwd ftp://x", []),
      ("https://user:pw@evil.example/", []),
      ("https://discord.com@evil.example", []),
      ("https://еxample.org", []),  // a Cyrillic letter
      ("https:///path http://", []),
      ("https://x.example:99999/ https://x.example:0", []),
      ("https://a.example https://a.example", ["https://a.example"]),
    ])
  func found(text: String, urls: [String]) {
    let links = WebLink.found(in: text)
    #expect(links.map(\.url) == urls)
    for link in links {
      #expect(link.url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
    }
  }

  @Test("links of Discord are made of numbers only")
  func discord() {
    #expect(
      DiscordLink.to(guild: "500000000000000001", channel: "600000000000000001", message: "x")
        == "https://discord.com/channels/500000000000000001/600000000000000001")
    #expect(DiscordLink.to(guild: "1/../2", channel: "600000000000000001") == nil)
    #expect(DiscordLink.to(guild: nil, channel: "600000000000000001") == nil)
    #expect(DiscordLink.to(guild: "٥٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠١", channel: "600000000000000001") == nil)
  }

  @Test("a long text is searched in time that grows with its length")
  func linear() {
    let clock = ContinuousClock()
    let text = String(repeating: "h", count: 1_000_000) + " https://example.org"
    let time = clock.measure { _ = WebLink.found(in: text) }
    #expect(time < .seconds(1))
  }
}

@Suite struct WindowTitleTests {
  @Test("state, voice, cost and failures")
  @MainActor func words() {
    var fixture = Fixture()
    #expect(WindowTitle(fixture.facts()).words.text == "clanky: LIVE voice $2.47 !2")
    var lost = Fixture(rows: [], state: .reconnecting, hasVoiceState: false)
    #expect(WindowTitle(lost.facts()).words.text.hasPrefix("clanky: RECONNECTING"))
  }

  @Test("money is written with cents, and nothing but money is (promise P11)")
  func dollars() {
    func text(_ value: Double) -> String {
      var title = TitleText("x")
      title.add(dollars: value)
      return title.text
    }
    #expect(text(0) == "x $0.00" && text(2.4712) == "x $2.47" && text(1.999) == "x $2.00")
    #expect(text(.nan) == "x" && text(-1) == "x" && text(1e300) == "x" && text(.infinity) == "x")
    #expect(TitleText("a\u{1B}b\u{07}é").text == "ab")
  }
}
