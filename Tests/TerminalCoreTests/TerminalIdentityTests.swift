import Foundation
import Testing

@testable import TerminalCore

/// What a terminal is taken for, and what it gets.
@Suite struct TerminalIdentityTests {
  private static let direct = ["COLORTERM": "truecolor"]

  private func identity(
    _ term: String, colors: Int?, _ more: [String: String] = [:]
  ) -> TerminalIdentity {
    TerminalIdentity(
      environment: more.merging(["TERM": term]) { $1 },
      terminfo: colors.map { TerminfoFacts(colors: $0) })
  }

  @Test(
    "F04: inside GNU screen COLORTERM is inherited and not believed",
    arguments: [
      ("screen", 8, ["STY": "1.pts"], ColorDepth.ansi8),
      ("screen-256color", 256, ["STY": "1.pts"], .indexed256),
      ("screen.xterm-256color", 256, ["STY": "1.pts"], .indexed256),
      // TERM set by hand within it.
      ("xterm-256color", 256, ["STY": "1.pts"], .indexed256),
      // Over SSH the variable is not handed on.
      ("screen-256color", 256, [:], .indexed256), ("screen", 8, [:], .ansi8),
      ("screen-16color", 16, [:], .ansi16),
      // Within tmux, or around it: nobody can tell.
      ("screen-256color", 256, ["STY": "1.pts", "TMUX": "/t,1,0"], .indexed256),
    ])
  func screen(term: String, colors: Int, more: [String: String], depth: ColorDepth) {
    let known = identity(term, colors: colors, more.merging(Self.direct) { $1 })
    #expect(known.kind == .screen && known.depth == depth && !known.wantsDirect)
    #expect(known.abilities.notifications == .none && known.abilities.questions == .withoutModes)
  }

  @Test(
    "F04: 24-bit colours where they are promised by who can keep it",
    arguments: [
      ("xterm-256color", 256, [:], ColorDepth.direct), ("xterm", 8, [:], .direct),
      ("xterm-kitty", nil, [:], .direct), ("konsole", 8, [:], .direct),
      ("tmux-256color", 256, ["TMUX": "/t,1,0"], .direct),
      ("tmux-256color", 256, ["TMUX": "/t,1,0", "STY": "1.pts"], .direct),
      ("screen-256color", 256, ["TMUX": "/t,1,0"], .direct), ("screen", 8, ["TMUX": "x"], .direct),
      ("xterm-mono", 0, [:], .mono), ("xterm-16color", 16, [:], .ansi16),
      ("xterm-color", 8, [:], .ansi8), ("xterm-88color", 88, [:], .ansi16),
      ("xterm-256color", 256, ["TERM_PROGRAM": "Apple_Terminal"], .indexed256),
      ("nsterm-256color", 256, [:], .indexed256), ("linux", 8, [:], .ansi8),
      ("vt100", 0, [:], .mono), ("vt220", 0, [:], .mono), ("rxvt", 8, [:], .ansi8),
      ("Eterm-256color", 256, [:], .indexed256), ("eterm-color", 8, [:], .ansi8),
      ("cygwin", 8, [:], .ansi8), ("strange-256color", 256, [:], .indexed256),
      ("xterm-256color", 256, ["NO_COLOR": "1"], .mono),
      ("xterm-256color", 256, ["CLICOLOR": "0"], .mono),
    ] as [(String, Int?, [String: String], ColorDepth)])
  func depth(term: String, colors: Int?, more: [String: String], depth: ColorDepth) {
    let known = identity(term, colors: colors, more.merging(Self.direct) { $1 })
    #expect(known.depth == depth)
    // Without the promise what terminfo says, and never more.
    let plain = identity(term, colors: colors, more)
    #expect(plain.depth <= depth && !plain.wantsDirect)
  }

  @Test(
    "which of two multiplexers reads what is written",
    arguments: [
      ("tmux-256color", ["TMUX": "x", "STY": "y"], TerminalIdentity.Kind.tmux),
      ("screen.tmux-256color", ["TMUX": "x", "STY": "y"], .screen),
      ("screen", ["TMUX": "x", "STY": "y"], .screen), ("screen", ["TMUX": "x"], .tmux),
      ("screen", [:], .screen), ("tmux", [:], .tmux), ("xterm-256color", ["TMUX": "x"], .tmux),
      ("xterm-256color", ["STY": "x"], .screen), ("xterm-256color", ["STY": ""], .xterm),
      ("vt100", ["TMUX": "x"], .vt), ("linux", ["STY": "x"], .linux), ("", [:], .vt),
      ("dumb", ["TMUX": "x"], .vt), ("eterm-color", ["TMUX": "x"], .emacs),
      ("rxvt-unicode-256color", [:], .xterm), ("putty", [:], .xterm), ("st-256color", [:], .xterm),
      ("strange", [:], .other), ("stv52", [:], .other),
    ])
  func inner(term: String, more: [String: String], kind: TerminalIdentity.Kind) {
    #expect(identity(term, colors: 256, more).kind == kind)
  }

  @Test("a terminal of no known kind gets what terminfo names")
  func stranger() {
    let plain = identity("strange", colors: 256)
    #expect(plain.abilities == TerminalAbilities(.emacs, terminfo: nil))
    var facts = TerminfoFacts(colors: 256)
    (facts.hasTitles, facts.hasMouse, facts.hasPaste, facts.hasClipboard) = (true, true, true, true)
    let rich = TerminalIdentity(environment: ["TERM": "strange"], terminfo: facts).abilities
    #expect(rich.hasTitle && rich.hasMouse && rich.hasModes && rich.clipboard == .direct)
    #expect(rich.questions == .none && !rich.hasDirectColor && rich.notifications == .none)
  }

  @Test("docs/terminal.md says what each kind gets", arguments: TerminalIdentity.Kind.allCases)
  func page(kind: TerminalIdentity.Kind) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "docs/terminal.md")
    let name = kind.name.description
    let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
      $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    let row = try #require(rows.first { $0.first == name }, "\(name) is not in the table")
    guard kind != .other else {
      #expect(Set(row.dropFirst(2)) == ["terminfo", "no", "bell"])
      return
    }
    let abilities = TerminalAbilities(kind, terminfo: nil)
    func word(_ isSo: Bool) -> String { isSo ? "yes" : "no" }
    func word(_ strings: TerminalAbilities.Strings) -> String {
      switch strings {
      case .none: "no"
      case .direct: "yes"
      case .throughTmux: "through tmux"
      case .throughScreen: "through screen"
      }
    }
    let questions =
      switch abilities.questions {
      case .none: "no"
      case .withoutModes: "not for modes"
      case .all: "yes"
      }
    #expect(
      Array(row.dropFirst(2)) == [
        word(abilities.hasDirectColor), word(abilities.hasTitle), word(abilities.hasMouse),
        word(abilities.hasModes), questions, word(abilities.clipboard),
        abilities.notifications == .none ? "bell" : word(abilities.notifications),
      ])
  }
}
