import ClankyWire
import CockpitDomain
import LenientJSON
import Networking
import TerminalCore
import TerminalUI
import Testing

@testable import CockpitPanes
@testable import CockpitShell
@testable import CockpitStores

@MainActor
@Suite struct SettingsPaneTests {
  @Test("S opens them over CMD from anywhere, q closes level by level, 5 goes to the overview")
  func opening() {
    var fixture = SettingsFixture()
    fixture.shell.tab = .pulse
    fixture.type("S")
    #expect(fixture.shell.tab == .cmd && fixture.shell.settings.isOpen)
    #expect(fixture.text().contains("BOT SETTINGS"))
    fixture.type("Tab")
    #expect(fixture.text().contains("WHAT RUNS NOW"))
    fixture.type("q q")
    #expect(!fixture.shell.settings.isOpen)
    #expect(fixture.text().contains("QUICK ACTIONS"))
    fixture.type("g s 5")
    #expect(!fixture.shell.settings.isOpen)
    fixture.type("g e")
    #expect(fixture.shell.settings.isOpen && fixture.shell.settings.focus == .runtime)
    #expect(fixture.effects.isEmpty)
  }

  @Test("what runs begins with its first heading, also where the list was drawn alone before")
  func firstHeading() {
    var fixture = SettingsFixture(size: Size(width: 80, height: 24))
    fixture.type("S")
    _ = fixture.text()
    fixture.type("j k Tab")
    #expect(fixture.text().contains("\n MODELS"))
  }

  @Test("it is read while it is open, and again on r; the age is told")
  func reading() {
    var fixture = SettingsFixture(isLoaded: false)
    #expect(!fixture.shell.needs(fixture.facts()).contains(.settings(.load)))
    fixture.type("S")
    #expect(fixture.shell.needs(fixture.facts()).contains(.settings(.load)))
    #expect(fixture.text().contains("not read yet"))
    fixture.store.document = .loaded(SettingsFixture.document(), atMs: Fixture.nowMs - 12_000)
    #expect(fixture.text().contains("read 12s ago"))
    fixture.type("r")
    #expect(
      fixture.effects == [
        .settings(.dismiss), .settings(.load), .settings(.loadJournal),
      ])
  }

  @Test("search goes over path, meaning and value, and Esc shows all again")
  func search() {
    var fixture = SettingsFixture(size: Size(width: 120, height: 40))
    fixture.type("S /")
    fixture.write("starts the clock anew")
    #expect(fixture.text().contains("sessionLimits.maxSession"))
    fixture.type("Esc /")
    fixture.write("toaster")
    #expect(fixture.text().contains("flavor") && fixture.text().contains("1 found"))
    fixture.type("Enter Esc /")
    fixture.write("no such word anywhere")
    fixture.type("Enter")
    #expect(fixture.text().contains("No setting has these words"))
    fixture.type("Esc")
    #expect(fixture.shell.settings.search.isEmpty && fixture.text().contains("Minecraft"))
    fixture.paste("toaster")
    #expect(fixture.text().contains("press / first"))
  }

  @Test("f keeps only what differs, with the count")
  func differing() {
    var fixture = SettingsFixture(size: Size(width: 120, height: 40))
    fixture.type("S f")
    let shown = fixture.shell.settings.rows(fixture.facts()).compactMap { row in
      if case .setting(let entry) = row { entry.item.path.description } else { nil }
    }
    #expect(Set(shown) == Set(SettingsFixture.asked.map(\.0)))
    #expect(fixture.text().contains("6 of"))
    fixture.type("f")
    #expect(fixture.shell.settings.rows(fixture.facts()).count > 14)
  }

  @Test("sections fold, and braces walk them")
  func folding() {
    var fixture = SettingsFixture(size: Size(width: 120, height: 40))
    fixture.type("S Enter")
    #expect(fixture.text().contains("botNameAliases"))
    fixture.type("j j h")
    #expect(!fixture.text().contains("botNameAliases"))
    guard
      case .section(.persona, _, _, isOpen: false)? =
        fixture.shell.settings.current(fixture.facts())
    else { Issue.record("not on the section"); return }
    fixture.type("l }")
    guard case .section(let section, _, _, _)? = fixture.shell.settings.current(fixture.facts())
    else { Issue.record("no section"); return }
    #expect(section == .permissions)
  }

  @Test("Enter on what runs goes to the setting that made it so, whatever narrows the list")
  func fromRuntime() {
    var fixture = SettingsFixture(size: Size(width: 120, height: 40))
    fixture.type("S f g e")
    let lines = fixture.shell.settings.runtimeLines(fixture.facts(), width: 48)
    for (index, line) in lines.enumerated() {
      guard let path = line.path else { continue }
      fixture.shell.settings.open(.runtime)
      fixture.shell.settings.runtimeCursor.put(line: index)
      fixture.type("Enter")
      let entry = fixture.shell.settings.currentEntry(fixture.facts())
      #expect(entry?.item.path.touches(path) == true, "\(path)")
      #expect(fixture.shell.settings.focus == .list)
    }
    #expect(lines.contains { $0.line.spans.contains { $0.text == "no account" } })
    #expect(fixture.effects.isEmpty)
  }

  @Test("a backend without the route says so once, and the keys say that it is not served")
  func notServed() {
    var fixture = SettingsFixture()
    fixture.store.document = .notServed
    fixture.type("S")
    #expect(fixture.text().contains("does not serve its settings"))
    #expect(!fixture.text().contains("e edit"))
    for key in ["e", "D", "u", "f", "/"] {
      fixture.type(key)
      #expect(fixture.text().contains("this backend does not serve its settings"), "\(key)")
    }
    fixture.type("q")
    #expect(fixture.text().contains("not served"))
    #expect(fixture.effects.isEmpty)
  }

  @Test("a document that cannot be read whole is shown and never written")
  func flawed() {
    var fixture = SettingsFixture()
    var document = SettingsFixture.document()
    document.flaw = "A section of the settings names a member twice."
    fixture.store.document = .loaded(document, atMs: Fixture.nowMs)
    fixture.find("maxSessionMinutes")
    #expect(fixture.text().contains("shown and not written"))
    fixture.type("e")
    #expect(fixture.text().contains("[CLOSE]") && !fixture.text().contains("[REVIEW]"))
    fixture.type("C-s y Enter")
    fixture.type("D u")
    #expect(fixture.saves.isEmpty)
  }

  @Test("secrets are shown nowhere: list, detail, form, review, what is copied")
  func secrets() {
    var fixture = SettingsFixture(size: Size(width: 200, height: 60))
    fixture.find("rssFeeds")
    #expect(fixture.text().contains("[secret]"))
    fixture.type("e")
    var seen = fixture.text()
    fixture.type("Enter x C-s")
    seen += fixture.text()
    #expect(!seen.contains("hunter2"))
    #expect(seen.contains("stands for a secret"))
    fixture.type("Esc Esc D")
    #expect(!fixture.text().contains("hunter2") && fixture.text().contains("[secret]"))
    fixture.type("Esc")
    let copied = fixture.shell.settings.copyItems(fixture.facts())
    #expect(!copied.isEmpty && !copied.contains { $0.text.contains("hunter2") })
    #expect(fixture.saves.isEmpty)
  }

  @Test("read-only shows everything and sends nothing")
  func readOnly() {
    var fixture = SettingsFixture()
    fixture.command.isReadOnly = true
    fixture.shell.keys = KeyTable.standard.withoutMutations
    fixture.find("flavor")
    fixture.type("Enter")
    #expect(fixture.text().contains("read-only") && fixture.text().contains("toaster"))
    fixture.type("x C-s y Enter")
    for key in ["e", "D", "u", "E"] { fixture.type(key) }
    for command in KeyAction.allCases where command.isMutation {
      fixture.type("Esc")
      _ = fixture.shell.settings.perform(
        command, on: fixture.facts(), body: Rect(y: 1, width: 80, height: 22),
        screen: Size(width: 80, height: 24))
    }
    #expect(fixture.effects.isEmpty)
  }

  @Test("a click selects a row, a second one opens it; the wheel scrolls")
  func mouse() throws {
    var fixture = SettingsFixture(size: Size(width: 120, height: 40))
    fixture.type("S")
    func row(of words: String) throws -> Int {
      let lines = fixture.text().split(separator: "\n", omittingEmptySubsequences: false)
      return try #require(lines.firstIndex { $0.contains(words) })
    }
    let line = try row(of: "research and browser")
    fixture.click(x: 6, y: line)
    #expect(!fixture.text().contains("maxSearchesPerHour"))
    fixture.click(x: 6, y: line)
    #expect(fixture.text().contains("maxSearchesPerHour"))
    let setting = try row(of: "maxSearchesPerHour")
    fixture.click(x: 6, y: setting)
    fixture.click(x: 6, y: setting)
    guard case .form? = fixture.dialog else { Issue.record("no form"); return }
    fixture.type("Esc")
    let runtime = try row(of: "text replies")
    fixture.click(x: 90, y: runtime)
    #expect(fixture.shell.settings.focus == .runtime)
    #expect(fixture.effects.isEmpty)
  }

  @Test("a live session on another link than the settings name says so")
  func liveLink() {
    var fixture = SettingsFixture()
    func words() -> String {
      fixture.shell.settings.runtimeLines(fixture.facts(), width: 78)
        .map { $0.line.spans.map(\.text.description).joined(separator: " ") }
        .joined(separator: "\n")
    }
    fixture.type("g e")
    #expect(!words().contains("live now"))
    let asked =
      SettingsFixture.asked + [
        ("agentStack.runtimeConfig.voice.runtimeMode", "\"voice_agent\"")
      ]
    fixture.store.document = .loaded(
      SettingsFixture.document(asked, version: "2"), atMs: Fixture.nowMs)
    #expect(words().contains("openai_realtime until the bot leaves and joins again"))
  }

  @Test(
    "words of strangers and long texts keep to their cells, at every size", .timeLimit(.minutes(1)))
  func hostile() {
    let escape = "\u{1B}[31mred\u{1B}]0;title\u{7}\u{202E}evil\u{2066} \u{9B}2J"
    let wide = String(repeating: "長い文 👩‍👩‍👧\r\n", count: 400)
    func json(_ text: String) -> String { JSONValue.string(text).serialized() }
    let asked = [
      ("persona.flavor", json(wide)), ("identity.botName", json(escape)),
      ("persona.hardLimits", "[\(json(escape)), \(json(wide))]"),
      ("agentStack.preset", json(escape)), (SettingPath([escape, "x\ny"]).description, json(wide)),
      ("agentStack.overrides.orchestrator", #"{"provider": "\#\u001b[2J", "model": {"a": []}}"#),
    ]
    for size in [
      Size(width: 40, height: 10), Size(width: 80, height: 24), Size(width: 200, height: 60),
    ] {
      var fixture = SettingsFixture(size: size)
      fixture.store.document = .loaded(
        SettingsFixture.document(asked, version: escape), atMs: .min)
      fixture.type("S f")
      for _ in 0..<14 {
        fixture.type("j Enter")
        let text = fixture.text()
        #expect(
          !text.unicodeScalars.contains {
            $0.value < 0x20 && $0 != "\n" || $0.value == 0x9B || $0.value == 0x202E
          })
        fixture.type("C-s PgDn Esc Esc Esc")
        if !fixture.shell.settings.isOpen { fixture.type("S f") }
      }
      fixture.type("Tab j j j Enter")
      _ = fixture.text()
    }
  }

  @Test("a save without an outcome on record is told, with what the settings say now")
  func doubt() {
    var fixture = SettingsFixture(size: Size(width: 120, height: 40))
    let path = SettingPath(["permissions", "replies", "maxMessagesPerHour"])
    func entry(_ after: String) -> SettingsJournalEntry {
      SettingsJournalEntry(
        write: "w", atMs: Fixture.nowMs - 60_000, backend: "http://127.0.0.1:8787", verb: "set",
        outcome: .sending, version: "1",
        changes: [.init(path: path, before: nil, after: .number(JSONNumber(text: after)))])
    }
    fixture.store.journal = [entry("60")]
    fixture.type("S")
    #expect(fixture.text().contains("is not on record"))
    #expect(fixture.text().contains("say what was sent"))
    fixture.store.journal = [entry("70")]
    #expect(fixture.text().contains("something else"))
  }
}
