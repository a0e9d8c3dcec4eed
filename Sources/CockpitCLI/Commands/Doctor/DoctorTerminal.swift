import CockpitSession
import Foundation
import TerminalCore
import TerminalCurses

/// The checks of terminal, colours, locale and glyphs.
@MainActor
struct DoctorTerminal {
  private var environment: [String: String]
  private let identity: TerminalIdentity
  private let terminfo: TerminfoFacts?
  private let isTerminal: Bool
  private let interview: TerminalInterview?
  /// The cockpit that runs this as one of its verbs; nil in a shell.
  private let screen: RunningScreen?

  private static let patienceMs = 700

  /// Glyphs that the cockpit draws with, each one cell wide; which of them a terminal for CJK makes
  /// two cells wide depends on its font settings.
  private static let glyphs: [Symbol] = [
    .accent, .dot, .ring, .bullet, .ellipsis, .arrowRight, .up, .check, .running, .gapMark,
    .block(4), .spark(4), .shade, .horizontal, .cornerTopLeft, .separator,
  ]

  /// Untrusted text samples, and the cells that the cockpit assigns to them.
  private static let samples: [(name: String, text: String)] = [
    ("Chinese", "漢"), ("Korean", "한"), ("an emoji", "🎧"), ("a letter with an accent", "e\u{301}"),
    ("Hebrew", "ש"), ("Hindi", "ह"),
  ]

  init(environment process: Environment) {
    let environment = process.variables
    screen = process.screen
    self.environment = environment
    // A cockpit asks every verb for text without colours, whatever the user wants.
    if let screen, !screen.prefersNoColor { self.environment["NO_COLOR"] = nil }
    isTerminal = process.terminals.input && process.terminals.output
    if let known = screen?.identity {
      terminfo = TerminfoFacts()
      identity = known
    } else {
      terminfo = CursesScreen.terminfo(of: environment["TERM"] ?? "")
      identity = TerminalIdentity(environment: self.environment, terminfo: terminfo)
    }
    // Elsewhere the bytes of a glyph may be controls (promise P1), and none is drawn.
    let texts =
      TextEncoding(environment: environment) != .utf8
      ? [] : Self.glyphs.map { Self.text($0) } + Self.samples.map { PlainText($0.text) }
    interview =
      isTerminal && identity.abilities.questions != .none
      ? TerminalInterview(
        identity.abilities.questions, measuring: texts, patienceMs: Self.patienceMs) : nil
  }

  private static func text(_ symbol: Symbol) -> PlainText {
    let scalar = Unicode.Scalar(SymbolSet.unicode.glyph(symbol).base) ?? "?"
    return PlainText(String(Character(scalar)))
  }

  func checks() -> [DoctorCheck] {
    [terminal(), colors(), frames(), locale(), glyphs()] + remote()
  }

  private func terminal() -> DoctorCheck {
    let term = identity.term
    let shown =
      term.isEmpty
      ? "TERM is not set"
      : "TERM=\(term)" + (terminfo == nil ? "" : " (\(identity.kind.name))")
    if screen?.isLinear == true {
      return DoctorCheck("terminal", .ok, "\(shown); linear mode writes lines and needs no more")
    }
    guard !term.isEmpty else {
      return DoctorCheck(
        "terminal", isTerminal ? .fail : .warn, shown,
        "set it to what the terminal is, such as TERM=xterm-256color; --linear needs none")
    }
    guard let terminfo else {
      // Whatever this output goes to: no screen opens under this name.
      return DoctorCheck(
        "terminal", .fail, "\(shown): there is no terminfo entry for it",
        TerminalFailure.advice(term: term, hasOthers: CursesScreen.isKnown("xterm-256color")))
    }
    guard terminfo.canDraw else {
      return DoctorCheck(
        "terminal", isTerminal ? .fail : .warn, "\(shown) cannot show full screens",
        "use --linear or 'clanky-cockpit tail', or another terminal")
    }
    if let screen { return size(shown, screen.size) }
    guard isTerminal else {
      return DoctorCheck("terminal", .ok, "\(shown); input or output is no terminal here")
    }
    var rows = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &rows) == 0, rows.ws_col > 0 else {
      return DoctorCheck("terminal", .ok, "\(shown); it does not say its size")
    }
    return size(shown, Size(width: Int(rows.ws_col), height: Int(rows.ws_row)))
  }

  private func size(_ shown: String, _ size: Size) -> DoctorCheck {
    let isSmall = size.width < 40 || size.height < 10
    return DoctorCheck(
      "terminal", isSmall ? .warn : .ok, "\(shown), \(size.width)x\(size.height)",
      isSmall ? "make it at least 40x10" : "")
  }

  private func colors() -> DoctorCheck {
    if screen?.isLinear == true {
      return DoctorCheck("colours", .ok, "none: linear mode writes no colours")
    }
    let depth = screen?.depth ?? identity.depth
    var said: [String] = []
    for name in ["COLORTERM", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
      if let value = environment[name], !value.isEmpty { said.append("\(name)=\(value)") }
    }
    if let isDark = interview?.facts.isDark ?? screen?.isDark {
      said.append(isDark ? "dark background" : "light background")
    }
    let name =
      switch depth {
      case .mono: "none"
      case .ansi8: "8"
      case .ansi16: "16"
      case .indexed256: "256"
      case .direct: "24-bit"
      }
    let detail = said.isEmpty ? "" : " (\(said.joined(separator: ", ")))"
    let isOff = ["NO_COLOR", "CLICOLOR"].contains { !(environment[$0] ?? "").isEmpty }
    let advice =
      switch depth {
      case .direct: ""
      case .mono where isOff || terminfo == nil: ""
      case .mono: "set TERM to an entry with colours, such as xterm-256color"
      case .indexed256 where identity.kind == .screen: ""
      case _ where identity.kind == .screen:
        "'term screen-256color' in ~/.screenrc gives 256"
      case _ where !identity.abilities.hasDirectColor: ""
      default: "set COLORTERM=truecolor if the terminal shows 24-bit colours"
      }
    return DoctorCheck(
      "colours", depth == .mono && !isOff && (isTerminal || screen != nil) ? .warn : .ok,
      name + detail, advice)
  }

  private func frames() -> DoctorCheck {
    guard let isWhole = (interview?.facts.hasSynchronizedOutput ?? screen?.hasSynchronizedOutput)
    else { return notAsked("frames") }
    if screen?.isLinear == true {
      return DoctorCheck("frames", .ok, "none: linear mode writes lines")
    }
    return isWhole
      ? DoctorCheck("frames", .ok, "synchronized output: frames appear whole")
      : DoctorCheck(
        "frames", .ok, "no synchronized output: frames are written in one piece all the same")
  }

  private func locale() -> DoctorCheck {
    let name = ["LC_ALL", "LC_CTYPE", "LANG"].first { !(environment[$0] ?? "").isEmpty }
    let value = name.flatMap { environment[$0] } ?? ""
    let folded = value.lowercased()
    guard folded.contains("utf-8") || folded.contains("utf8") else {
      return DoctorCheck(
        "locale", .warn,
        value.isEmpty ? "no locale is set" : "\(name ?? "")=\(value) is not UTF-8",
        "set LANG to a UTF-8 locale, such as C.UTF-8; until then fewer glyphs are used")
    }
    return DoctorCheck("locale", .ok, "\(name ?? "")=\(value)")
  }

  private func glyphs() -> DoctorCheck {
    if let screen {
      return DoctorCheck(
        "glyphs", .ok,
        screen.isLinear
          ? "none: linear mode writes letters"
          : "\(screen.glyphs.rawValue); their widths can only be measured without a screen",
        screen.isLinear ? "" : "run 'clanky-cockpit doctor' in a shell to measure them")
    }
    guard let interview else { return notAsked("glyphs") }
    let columns = interview.columns
    guard !columns.isEmpty else {
      return DoctorCheck("glyphs", .ok, "not measured: the locale does not name UTF-8")
    }
    guard columns.contains(where: { $0 != nil }) else {
      return DoctorCheck(
        "glyphs", .warn, "the terminal did not say where its cursor is",
        "where borders look shifted use --glyphs safe, or glyphs = \"safe\" in the configuration")
    }
    let wide = columns.prefix(Self.glyphs.count).compactMap { $0 }.count { $0 != 1 }
    if wide > 0 {
      return DoctorCheck(
        "glyphs", .warn,
        "\(wide) of \(Self.glyphs.count) glyphs of the cockpit are not one cell wide",
        "use --glyphs safe, or glyphs = \"safe\" in the configuration")
    }
    let odd = zip(Self.samples, columns.dropFirst(Self.glyphs.count)).filter { sample, width in
      width.map { $0 != PlainText(sample.text).columns } ?? false
    }
    if !odd.isEmpty {
      let names = odd.map(\.0.name).joined(separator: ", ")
      return DoctorCheck(
        "glyphs", .warn, "other widths than usual for: \(names)",
        "rows with such text may be shifted; another font or terminal may be better")
    }
    return DoctorCheck("glyphs", .ok, "every glyph has the width it should have")
  }

  private func remote() -> [DoctorCheck] {
    guard ["SSH_TTY", "SSH_CONNECTION"].contains(where: { !(environment[$0] ?? "").isEmpty }) else {
      return []
    }
    return [DoctorCheck("ssh", .ok, "over SSH: copied text goes to your terminal by OSC 52")]
  }

  private func notAsked(_ name: String) -> DoctorCheck {
    DoctorCheck(name, .ok, "not measured: there is no terminal to ask")
  }
}
