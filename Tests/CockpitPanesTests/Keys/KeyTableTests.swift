import CockpitAnswers
import TerminalUI
import CockpitDomain
import CockpitStores
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell

@MainActor
@Suite struct KeyTableTests {
  @Test("every command has a key, and no key means two things")
  func complete() {
    let table = KeyTable.complete
    #expect(Set(table.bindings.map(\.command)) == Set(KeyAction.allCases))
    #expect(table.bindings.count == KeyAction.allCases.count)
    let chords = table.bindings.flatMap(\.keys)
    #expect(Set(chords).count == chords.count)
    for chord in chords {
      for other in chords where other != chord {
        #expect(!other.presses.starts(with: chord.presses), "\(chord) hides \(other)")
      }
    }
  }

  @Test("keys that terminals cannot tell apart, or take for themselves, are not used")
  func reserved() {
    let reserved: [KeyChord] = ["C-h", "C-i", "C-j", "C-m", "C-s", "C-q"]
    for chord in KeyTable.complete.bindings.flatMap(\.keys) {
      #expect(!reserved.contains(chord))
      for press in chord.presses { #expect(!press.modifiers.contains(.alt), "\(chord) needs Alt") }
    }
  }

  @Test("every command works without Alt and without a function key")
  func legacyKeyboards() {
    for binding in KeyTable.complete.bindings where !binding.keys.isEmpty {
      #expect(
        binding.keys.contains { chord in
          chord.presses.allSatisfy { press in
            if case .function = press.key { return false }
            return true
          }
        }, "\(binding.command)")
    }
  }

  @Test("no key but quit ends the program, and keys asked for an effect give it")
  func effects() {
    for binding in KeyTable.complete.bindings where !binding.keys.isEmpty {
      var fixture = Fixture()
      var shell = CockpitShell(size: Size(width: 120, height: 40))
      var effects: [Effect] = []
      for press in binding.keys[0].presses {
        effects += shell.send(.key(press.key, press.modifiers), &fixture)
      }
      // Keys that go past the oldest row ask for older ones.
      effects.removeAll { if case .history = $0 { true } else { false } }
      let expected: [Effect] =
        switch binding.command {
        case .quit, .interrupt: [.quit]
        case .suspend: [.suspend]
        case .repaint: [.repaint]
        case .mouse: [.toggleMouse]
        case .refresh: [.reconnect]
        case .journal: [.memory(.loadJournal)]
        case .timeLine: [.replay(.open)]
        case .digest: [.digest(.load(fromMs: nil))]
        case .nextMark: [.replay(.jump(.mark, isOlder: true))]
        case .previousMark: [.replay(.jump(.mark, isOlder: false))]
        case .compare:
          [
            .compare(
              .load(CompareWindow(.sameHoursBefore), CompareWindow(.last(ms: 3_600_000))))
          ]
        case .bundle: [.bundle(.preview(lengthMs: 600_000, note: ""))]
        case .copyJSON: [.copy(text: Fixture.story[0], what: "JSON")]
        default: []
        }
      #expect(effects == expected, "\(binding.command)")
    }
  }

  @Test(
    "the screen is painted anew and the program suspended from every window, which stays as it is",
    arguments: ["f", "/", "?", ":", "C-p", "y"])
  func throughWindows(key: String) {
    var fixture = Fixture()
    let size = Size(width: 120, height: 40)
    var shell = CockpitShell.withVerbs(tab: .pulse, size: size)
    let before = shell.render(fixture.facts(), size: size).canvas.text
    shell.type(key, &fixture)
    if key == "f" { shell.type("g", &fixture) }
    let open = shell.render(fixture.facts(), size: size).canvas.text
    #expect(open != before)
    #expect(shell.send(.key(.char("l"), .ctrl), &fixture) == [.repaint])
    #expect(shell.send(.key(.char("z"), .ctrl), &fixture) == [.suspend])
    #expect(shell.render(fixture.facts(), size: size).canvas.text == open)
  }

  @Test("help lists every key")
  func help() {
    var fixture = Fixture()
    let size = Size(width: 100, height: 130)
    var shell = CockpitShell(size: size)
    shell.type("?", &fixture)
    let text = shell.render(fixture.facts(), size: size).canvas.text
    for binding in KeyTable.standard.bindings {
      #expect(text.contains(binding.help.cut(to: 50).description.prefix(40)), "\(binding.command)")
    }
  }

  @Test("help begins with the keys of the open tab, and cuts nothing", arguments: [60, 80, 200])
  func helpHere(width: Int) throws {
    for tab in Tab.allCases {
      var fixture = Fixture()
      let size = Size(width: width, height: 220)
      var shell = CockpitShell(tab: tab, size: size)
      shell.type("?", &fixture)
      let text = shell.render(fixture.facts(), size: size).canvas.text
      for binding in KeyTable.standard.bindings {
        for word in binding.help.description.split(separator: " ") {
          #expect(text.contains(word), "\(binding.command)")
        }
      }
      let rows = text.split(separator: "\n")
      let search = try #require(rows.firstIndex { $0.contains("type a word or a key") })
      #expect(rows[search + 1].contains(tab.keyGroup.rawValue), "\(tab)")
    }
  }

  @Test("a key that means nothing on a tab says so, and one that only moves does not")
  func missingKeys() {
    for (tab, keys, words) in [
      (Tab.voice, "/", "no find on VOICE"), (.voice, "n", "no find on VOICE"),
      (.voice, "f", "no filter on VOICE"),
      (.voice, "O", "no other order on VOICE"), (.voice, "o", "nothing for the pager here"),
      (.voice, "p", "no detail with pages here"), (.cmd, "/", "no find on CMD"),
      (.cmd, "f", "no filter on CMD"),
      (.cmd, "W", "nothing on record of why"), (.cmd, "l", nil), (.voice, "Esc", nil),
    ] {
      var fixture = Fixture()
      let size = Size(width: 80, height: 24)
      var shell = CockpitShell(tab: tab, size: size)
      shell.type(keys, &fixture)
      let line = shell.render(fixture.facts(), size: size).canvas.text(row: size.height - 2)
      if let words {
        #expect(line.hasPrefix("  " + words), "\(tab) \(keys): \(line)")
      } else {
        #expect(!line.contains("here") && !line.contains(" on "), "\(tab) \(keys): \(line)")
      }
      shell.type("Down", &fixture)
      #expect(shell.alert(fixture.facts()) == nil, "it is gone with the next key")
    }
  }

  @Test("help does not scroll beyond its end")
  func helpEnd() {
    var fixture = Fixture()
    let size = Size(width: 80, height: 24)
    var shell = CockpitShell(size: size)
    shell.type("? PgDn PgDn PgDn PgDn PgDn PgDn PgDn PgDn PgDn PgDn PgDn PgDn PgDn", &fixture)
    let end = shell.render(fixture.facts(), size: size).canvas.text
    #expect(end.contains("suspend"))
    shell.type("Up", &fixture)
    #expect(shell.render(fixture.facts(), size: size).canvas.text != end)
  }

  @Test("a started sequence shows what can follow, and Esc leaves it")
  func pending() {
    var fixture = Fixture()
    let size = Size(width: 120, height: 30)
    var shell = CockpitShell(size: size)
    shell.type("g", &fixture)
    #expect(shell.render(fixture.facts(), size: size).canvas.text(row: 29).contains("g …"))
    shell.type("Esc", &fixture)
    #expect(shell.pending.isEmpty)
    shell.type("g v", &fixture)
    #expect(shell.tab == .voice)
  }
}
