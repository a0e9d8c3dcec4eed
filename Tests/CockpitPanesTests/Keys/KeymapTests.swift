import TerminalUI
import CockpitStores
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell

/// Presets, and the keys of users.
@MainActor
@Suite struct KeymapTests {
  @Test(
    "no preset has a conflict, and each has a key for whatever has one by default",
    arguments: KeyPreset.allCases)
  func presets(preset: KeyPreset) {
    let (table, conflicts) = KeyTable.complete.applying(preset: preset, overrides: [])
    #expect(conflicts.map(\.description) == [])
    for (binding, standard) in zip(table.bindings, KeyTable.complete.bindings)
    where !standard.keys.isEmpty {
      #expect(!binding.keys.isEmpty, "\(binding.command)")
    }
  }

  @Test(
    "every key that help shows asks for its command, and help shows every key that works",
    arguments: KeyPreset.allCases)
  func helpIsTrue(preset: KeyPreset) {
    let table = KeyTable.preset(preset)
    var fixture = Fixture()
    let size = Size(width: 100, height: 140)
    var shell = CockpitShell(keys: table, size: size)
    _ = shell.perform(.help, fixture.facts())
    let help = shell.render(fixture.facts(), size: size).canvas.text
    for binding in table.bindings {
      for text in binding.keyTexts.map({ " " + PlainText($0).cut(to: 18).description + " " }) {
        #expect(help.contains(text), "\(binding.command)")
      }
      for chord in binding.keys {
        for count in 1..<max(1, chord.presses.count) {
          #expect(table.match(Array(chord.presses.prefix(count))) == .prefix, "\(chord)")
        }
        #expect(table.match(chord.presses) == .command(binding.command), "\(chord)")
      }
    }
  }

  @Test("pressing a key does the same in every preset", arguments: KeyPreset.allCases)
  func effects(preset: KeyPreset) {
    // KeyTableTests presses the standard keys.
    var fixture = Fixture()
    for binding in KeyTable.preset(preset).bindings where preset.keys[binding.command] != nil {
      var wanted = CockpitShell(size: Size(width: 120, height: 40))
      let effects = wanted.perform(binding.command, fixture.facts())
      for chord in binding.keys {
        var shell = CockpitShell(
          keys: .preset(preset), size: Size(width: 120, height: 40))
        var got: [Effect] = []
        for press in chord.presses {
          got += shell.send(.key(press.key, press.modifiers), &fixture)
        }
        #expect(got == effects, "\(chord) for \(binding.command)")
        #expect(shell.tab == wanted.tab)
        #expect((shell.help == nil) == (wanted.help == nil))
        #expect((shell.overlay == nil) == (wanted.overlay == nil))
        #expect((shell.commandLine == nil) == (wanted.commandLine == nil))
      }
    }
  }

  @Test("with arrows nothing needs a letter")
  func arrows() {
    for binding in KeyTable.preset(.arrows).bindings
    where !binding.keys.isEmpty && binding.command != .interrupt {
      #expect(
        binding.keys.contains { chord in
          chord.presses.allSatisfy { press in
            if case .char(let character) = press.key { return !character.isLetter }
            return true
          }
        },
        """
        .\(binding.command) needs a key without letters: add its line to `withoutLetters` in \
        Sources/CockpitPanes/Keys/KeyPreset.swift; "\(Self.freeChord)" is free
        """)
    }
  }

  /// A key without letters that a new command can have in the preset `arrows`.
  private static var freeChord: KeyChord {
    let chords = ["F11", "9", "8", "7", "6"].flatMap { group in
      "1234567890".map { KeyChord(stringLiteral: "\(group) \($0)") }
    }
    return chords.first(where: isFree) ?? "F11 F11"
  }

  /// Neither the chord nor a beginning of it is another command's.
  private static func isFree(_ chord: KeyChord) -> Bool {
    let (_, conflicts) = KeyTable.complete.applying(
      preset: .arrows, overrides: [.init(.zoom, [chord])])
    return conflicts.isEmpty
  }

  @Test("the key that is proposed for a new command is free")
  func proposal() {
    let table = KeyTable.preset(.arrows)
    let chord = Self.freeChord
    #expect(table.match(chord.presses) == .none)
    #expect(!table.bindings.contains { $0.keys.contains { $0.presses == [chord.presses[0]] } })
  }

  @Test("a key of the user takes the place of all keys that the command had")
  func overrides() {
    let (table, conflicts) = KeyTable.complete.applying(
      preset: .standard,
      overrides: [.init(.zoom, ["x", "F5"]), .init(.suspend, []), .init(.back, ["F6"])])
    #expect(conflicts.isEmpty)
    #expect(table.match(KeyChord("x").presses) == .command(.zoom))
    #expect(table.match(KeyChord("z").presses) == .none)
    #expect(table.match(KeyChord("C-z").presses) == .none)
    #expect(table.text(.zoom) == "x")
    #expect(table.text(.suspend) == ":suspend")
    // Esc and C-c always work.
    #expect(table.match(KeyChord("Esc").presses) == .command(.back))
    #expect(table.match(KeyChord("C-o").presses) == .none)
  }

  @Test(
    "what cannot be is said with both commands and what to do",
    arguments: [
      (
        KeyOverride(.zoom, ["f"]),
        "\"f\" is given to both 'zoom' and 'filter'; give one of them another key"
      ),
      (
        KeyOverride(.zoom, ["g"]),
        "\"gp\" of 'tab-pulse' cannot be typed, for \"g\" is 'zoom'; give one of them another key"
      ),
      (
        KeyOverride(.zoom, ["z z", "f x"]),
        "\"fx\" of 'zoom' cannot be typed, for \"f\" is 'filter'; give one of them another key"
      ),
      (
        KeyOverride(.zoom, ["C-i"]),
        "\"C-i\" cannot be 'zoom': a terminal sends the same for it as for Tab; choose another key"
      ),
      (
        KeyOverride(.zoom, ["C-["]),
        "\"C-[\" cannot be 'zoom': a terminal sends the same for it as for Esc; choose another key"
      ),
      (
        KeyOverride(.zoom, ["C-c"]),
        "\"C-c\" cannot be 'zoom': C-c is always 'interrupt'; choose another key"
      ),
      (
        KeyOverride(.zoom, ["z Esc"]),
        "\"z Esc\" cannot be 'zoom': Esc is always 'back'; choose another key"
      ),
      (
        KeyOverride(.quit, []),
        "'quit' needs a key; without one the cockpit could not be left as help says"
      ),
    ])
  func conflicts(override: KeyOverride, sentence: String) {
    let conflicts = KeyTable.complete.applying(preset: .standard, overrides: [override]).conflicts
    #expect(conflicts.first?.description == sentence)
  }

  @Test("lint finds what may not arrive, and tells what is lost from what is not")
  func lint() {
    let (table, _) = KeyTable.complete.applying(
      preset: .standard,
      overrides: [.init(.zoom, ["A-z"]), .init(.wrap, ["C-a", "w"]), .init(.pause, [])])
    let findings = KeyLint(table: table, tmuxPrefixes: ["C-a"]).findings
    let problems = findings.filter(\.isProblem)
    #expect(problems.map(\.command) == [.zoom])
    #expect(problems[0].sentence.contains("needs Alt"))
    let wrap = findings.first { $0.command == .wrap }
    #expect(wrap?.key == "C-a")
    #expect(
      wrap?.sentence.hasSuffix("is the prefix of tmux, which keeps it; \"w\" does the same") == true
    )
    #expect(findings.contains { $0.command == .pause && $0.key == nil })
    #expect(!findings.contains { $0.command == .pageUp })
    for preset in KeyPreset.allCases {
      let problems = KeyLint(table: .preset(preset), tmuxPrefixes: ["C-b"]).findings
        .filter(\.isProblem)
      #expect(problems.allSatisfy { preset == .arrows && $0.command == .follow }, "\(problems)")
    }
  }

  @Test("texts on the screen name the keys that work")
  func texts() {
    let (table, _) = KeyTable.complete.applying(
      preset: .standard,
      overrides: [.init(.find, ["x"]), .init(.quit, ["Q"]), .init(.findNext, ["F8"])])
    var fixture = Fixture()
    var shell = CockpitShell(keys: table, size: Size(width: 120, height: 40))
    _ = shell.send(.paste("a"), &fixture)
    let size = Size(width: 120, height: 40)
    #expect(shell.render(fixture.facts(), size: size).canvas.text.contains("press f or x first"))
    shell.type("x", &fixture)
    #expect(shell.render(fixture.facts(), size: size).canvas.text.contains("then F8 N walk"))
    let small = Size(width: 20, height: 8)
    #expect(shell.render(fixture.facts(), size: small).canvas.text.contains("Q quits"))
  }

  @Test("help closes with the keys of help and quit, wherever they are")
  func helpCloses() {
    let (table, _) = KeyTable.complete.applying(
      preset: .standard, overrides: [.init(.help, ["F5"]), .init(.quit, ["x"])])
    for key in ["F5", "x", "Esc"] {
      var fixture = Fixture()
      var shell = CockpitShell(keys: table, size: Size(width: 120, height: 40))
      shell.type("F5", &fixture)
      #expect(shell.help != nil)
      shell.type("q", &fixture)
      #expect(shell.help != nil)
      shell.type("Backspace", &fixture)
      shell.type(key, &fixture)
      #expect(shell.help == nil, "\(key)")
    }
  }
}
