import CockpitThemes
import TerminalCore
import Testing

@Suite struct ThemeTests {
  /// Roles that only draw lines or lie behind text.
  private let silent: Set<Role> = [.border, .selection, .fresh, .header]

  @Test("all themes parse and name every role", arguments: EmbeddedThemes.names)
  func complete(name: String) throws {
    let source = try #require(EmbeddedThemes.source(name))
    let theme = try ThemeFile.parse(source, name: name)
    #expect(theme.name == name)
    #expect(Set(theme.entries.keys) == Set(Role.allCases))
    #expect(EmbeddedThemes.named(name) == theme)
  }

  @Test("there are as many themes as names")
  func all() {
    #expect(EmbeddedThemes.all.map(\.name) == EmbeddedThemes.names)
    #expect(EmbeddedThemes.named("nothing") == nil)
  }

  @Test("text can be read, also where a row is selected, fresh or the header")
  func contrast() {
    for theme in EmbeddedThemes.all where theme.name != "mono" {
      let usual = theme.name == "high-contrast" ? 7.0 : 4.5
      for role in Role.allCases where !silent.contains(role) {
        // What is faint is of little weight, but it is text: placeholders, marks, figures of 0.
        let needed = role == .faint ? 3 : usual
        for background in [nil, Role.selection, .fresh, .header] {
          let look = theme.look(role, attributes: [], background: background, depth: .direct)
          guard case .rgb(let front) = look.foreground else {
            Issue.record("\(theme.name): \(role) has no colour")
            continue
          }
          var ground = theme.assumedBackground
          if case .rgb(let color) = look.background { ground = color }
          let contrast = Palette.contrast(front, ground)
          #expect(
            contrast >= needed,
            "\(theme.name): \(role) on \(String(describing: background)) is \(contrast)")
        }
      }
    }
  }

  @Test("without colours: focus, selection, errors and hits still differ from text")
  func mono() {
    for theme in EmbeddedThemes.all {
      for role in [Role.focus, .selection, .negative, .error, .match, .currentMatch, .chipActive] {
        #expect(!theme.entry(role).mono.isEmpty, "\(theme.name): \(role)")
      }
      #expect(theme.entry(.match).mono != theme.entry(.currentMatch).mono)
    }
  }

  private func problem(_ toml: String) -> ThemeError? {
    do {
      _ = try ThemeFile.parse(toml, name: "mine")
      return nil
    } catch {
      return error
    }
  }

  @Test("mistakes are named, with their line")
  func mistakes() {
    let head = "dark = true\nagainst = \"#000000\"\n[roles]\n"
    let cases: [(String, Int?, String)] = [
      (head + "text = \"#ffffff\"\nmutted = \"#888888\"", 5, "did you mean \"muted\""),
      (head + "\"domain.lm\" = \"#888888\"", 4, "did you mean \"domain.llm\""),
      (head + "text = \"#ffff\"", 4, "no colour"),
      (head + "text = { colour = \"#ffffff\" }", 4, "did you mean \"color\""),
      (head + "text = { ansi = \"brigth-red\" }", 4, "did you mean \"bright-red\""),
      (head + "text = { ansi = \"#ffffff\" }", 4, "not #RRGGBB"),
      (head + "text = \"red\"", 4, "#RRGGBB"),
      (head + "text = { mono = \"red\" }", 4, "no colours"), (head + "text = 3", 4, "must be"),
      ("dark = 1\n", 1, "true or false"),
      ("dark = true\nagainst = \"#000\"\n[roles]", 2, "must be a colour"),
      ("dark = true\n[roles]", nil, "against"),
      ("dark = true\nagainst = \"#000000\"", nil, "[roles]"),
      ("dark = true\ncolour = 1", 2, "no key"), ("dark = = true", 1, ""), ("\u{1B}[2J", 1, ""),
      ("dark = true\n[[[", 2, "name"), (head + "\0", 4, "NUL"),
    ]
    for (toml, line, words) in cases {
      let error = problem(toml)
      #expect(error != nil, "\(toml)")
      #expect(error?.line == line, "\(toml): \(String(describing: error))")
      #expect(error?.description.contains(words) ?? false, "\(String(describing: error))")
      #expect(!(error?.description.contains("\u{1B}") ?? true))
    }
  }

  @Test("a short theme is enough")
  func short() throws {
    let theme = try ThemeFile.parse(
      "dark = false\nbackground = \"#FFFFFF\"\n[roles]\ntext = \"#111111\"\nfocus = \"#0000AA on #EEEEEE bold underline\"",
      name: "mine")
    #expect(theme[.voice] == Style(foreground: 0x111111))
    #expect(
      theme[.focus]
        == Style(foreground: 0xAA, background: 0xEEEEEE, attributes: [.bold, .underline]))
    #expect(theme.assumedBackground == 0xFFFFFF)
    #expect(!theme.isDark)
  }
}
