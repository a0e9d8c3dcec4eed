/// What a terminal is and what may be sent to it, decided here from `TERM`, terminfo and the
/// environment. Its responses to queries are added by `TerminalFacts`.
///
/// Terminals claim more than they support: `COLORTERM` is inherited by every child, GNU screen
/// reads a 24-bit colour as five codes, and hardware terminals print unknown sequences. A sequence
/// is therefore sent only if it is known to be safe; docs/terminal.md has the table.
package struct TerminalIdentity: Hashable, Sendable {
  /// Families of terminals that behave alike.
  package enum Kind: String, CaseIterable, Sendable {
    /// xterm and compatible terminals.
    case xterm
    /// Terminal.app.
    case apple
    case tmux
    /// GNU screen.
    case screen
    /// rxvt before rxvt-unicode, and Eterm.
    case rxvt
    /// The console of Linux.
    case linux
    /// `M-x term` of Emacs.
    case emacs
    /// Hardware, consoles and imitations of them.
    case vt
    /// Everything else: terminfo decides.
    case other
  }

  /// `TERM`; empty where it is not set.
  package let term: String
  /// The terminal it behaves like.
  package let kind: Kind
  /// What may be sent to it.
  package let abilities: TerminalAbilities
  /// Whether it is known to take links (OSC 8). Others ignore them at best.
  package let takesLinks: Bool
  /// Whether it credibly claims 24-bit colours.
  package let hasDirectColor: Bool
  /// Whether the screen uses them by default.
  package var wantsDirect: Bool { hasDirectColor && Self.hasDirectEntry(term) }
  /// The default colour depth.
  package let depth: ColorDepth

  /// - Parameter terminfo: the entry of `TERM`; nil if there is none.
  package init(environment: [String: String], terminfo: TerminfoFacts?) {
    term = environment["TERM"] ?? ""
    kind = Kind(environment: environment)
    abilities = TerminalAbilities(kind, terminfo: terminfo)
    takesLinks = Self.takesLinks(kind, environment)
    hasDirectColor =
      (environment["NO_COLOR"] ?? "").isEmpty
      && (term.hasSuffix("-direct")
        || abilities.hasDirectColor && Self.promisesDirect(environment)
          && Self.isRich(term, terminfo))
    depth = ColorDepth.detect(
      environment: environment, colors: terminfo?.colors ?? 0,
      isDirect: hasDirectColor && Self.hasDirectEntry(term) || terminfo?.isDirect ?? false)
  }

  private static func promisesDirect(_ environment: [String: String]) -> Bool {
    environment["COLORTERM"] == "truecolor" || environment["COLORTERM"] == "24bit"
  }

  /// Whether the terminal may have more colours than its entry: `xterm-mono` and `xterm-16color`
  /// are chosen for their limits, while plain `xterm` is the default of terminals without a better
  /// name.
  private static func isRich(_ term: String, _ terminfo: TerminfoFacts?) -> Bool {
    guard let colors = terminfo?.colors else { return true }
    return colors >= 256 || colors >= 8 && !term.contains("-")
  }

  /// Terminals for which there is an entry with 24-bit colours (`DirectTerminfo`).
  package static func hasDirectEntry(_ term: String) -> Bool {
    ["tmux", "screen"].contains { term.hasPrefix($0) } || isLikeXterm(term)
  }

  /// Terminals compatible with xterm's entry, by the prefix of their `TERM`.
  package static func isLikeXterm(_ term: String) -> Bool {
    [
      "xterm", "alacritty", "contour", "foot", "ghostty", "gnome", "iterm", "kitty", "konsole",
      "mintty", "rio", "vte", "wezterm",
    ].contains { term.hasPrefix($0) }
  }
}

extension TerminalIdentity.Kind {
  /// The innermost terminal reads our output.
  package init(environment: [String: String]) {
    func has(_ name: String) -> Bool { !(environment[name] ?? "").isEmpty }
    let term = environment["TERM"] ?? ""
    let isMultiplexed = term.hasPrefix("screen") || term.hasPrefix("tmux")
    guard let own = Self.named(term) ?? (isMultiplexed ? .screen : nil) else {
      self = .other
      return
    }
    // Other names were chosen by hand, and are believed.
    guard isMultiplexed || own == .xterm || own == .apple else {
      self = own
      return
    }
    if term.hasPrefix("tmux") {
      self = .tmux  // screen never calls itself so: it is outside, if it is there at all
    } else if has("STY") || isMultiplexed && !has("TMUX") {
      // With both, either may be the inner one. Assume screen, which supports less.
      self = .screen
    } else if has("TMUX") {
      self = .tmux
    } else if environment["TERM_PROGRAM"] == "Apple_Terminal" {
      self = .apple
    } else {
      self = own
    }
  }

  private static func named(_ term: String) -> Self? {
    func begins(_ names: String...) -> Bool { names.contains { term.hasPrefix($0) } }
    if TerminalIdentity.isLikeXterm(term) || term == "st"
      || begins("st-", "stterm", "putty", "rxvt-unicode", "rxvt-256color")
    {
      return .xterm
    }
    if begins("nsterm") { return .apple }
    if begins("rxvt", "Eterm") { return .rxvt }
    if begins("linux") { return .linux }
    if begins("eterm") { return .emacs }
    let plain = begins(
      "vt", "cons", "wsvt", "sun", "ansi", "pcansi", "cygwin", "mach", "hurd", "minix", "dumb",
      "wy", "hp")
    return plain || term.isEmpty ? .vt : nil
  }

  /// Its name.
  package var name: PlainText {
    switch self {
    case .xterm: "xterm or like it"
    case .apple: "Terminal.app"
    case .tmux: "tmux"
    case .screen: "GNU screen"
    case .rxvt: "rxvt or Eterm"
    case .linux: "the Linux console"
    case .emacs: "Emacs"
    case .vt: "hardware or like it"
    case .other: "known by terminfo alone"
    }
  }
}

/// The terminfo data of a terminal.
package struct TerminfoFacts: Hashable, Sendable {
  /// 0 when it has none.
  package var colors = 0
  /// `RGB`: colours are 24-bit values.
  package var isDirect = false
  /// Whether the cursor can be moved and the screen cleared, the minimum for the cockpit.
  package var canDraw = true
  /// `XT`: it takes xterm's titles.
  package var hasTitles = false
  /// `kmous` or `XM`: it reports the mouse.
  package var hasMouse = false
  /// `BE`: it supports bracketed paste.
  package var hasPaste = false
  /// `Ms`: it puts text on the clipboard (OSC 52).
  package var hasClipboard = false
  /// `flash` is DECSCNM.
  package var hasFlash = false

  /// An entry with only a number of colours.
  package init(colors: Int = 0) { self.colors = colors }
}

/// What may be written to a terminal besides terminfo's sequences.
package struct TerminalAbilities: Hashable, Sendable {
  /// The queries it supports.
  package enum Questions: Hashable, Sendable {
    case none
    /// Background and attributes: it prints the end of a question about a mode (DECRQM).
    case withoutModes
    case all
  }

  /// How an OSC string reaches the terminal that acts on it.
  package enum Strings: Hashable, Sendable {
    case none, direct
    /// To tmux, and wrapped for the terminal below it.
    case throughTmux
    /// Wrapped for the terminal below screen, which keeps others to itself.
    case throughScreen
  }

  /// 24-bit colours, where `COLORTERM` promises them.
  package var hasDirectColor = false
  /// The window title, and its stack.
  package var hasTitle = false
  /// Buttons, dragging and the wheel, with SGR coordinates.
  package var hasMouse = false
  /// Bracketed paste (2004), focus (1004), changes between dark and light (2031).
  package var hasModes = false
  /// The supported queries.
  package var questions = Questions.none
  /// OSC 52.
  package var clipboard = Strings.none
  /// OSC 9, 99 and 777; a bell rings where there are none.
  package var notifications = Strings.none
  /// The screen in reverse video (DECSCNM).
  package var hasFlash = false

  /// - Parameter terminfo: the entry of a terminal of unknown kind.
  package init(_ kind: TerminalIdentity.Kind, terminfo: TerminfoFacts?) {
    switch kind {
    case .xterm, .tmux:
      let strings: Strings = kind == .tmux ? .throughTmux : .direct
      (hasDirectColor, hasTitle, hasMouse, hasModes, hasFlash) = (true, true, true, true, true)
      (questions, clipboard, notifications) = (.all, strings, strings)
    case .apple:
      (hasTitle, hasMouse, hasModes, hasFlash) = (true, true, true, true)
      questions = .withoutModes
    case .screen:
      (hasTitle, hasMouse, hasModes, hasFlash) = (true, true, true, true)
      (questions, clipboard) = (.withoutModes, .throughScreen)
    case .rxvt: (hasTitle, hasFlash) = (true, true)
    case .linux, .vt: hasFlash = true
    case .emacs: break
    case .other:
      guard let terminfo else { return }
      (hasTitle, hasMouse, hasModes) = (terminfo.hasTitles, terminfo.hasMouse, terminfo.hasPaste)
      clipboard = terminfo.hasClipboard ? .direct : .none
      hasFlash = terminfo.hasFlash
    }
  }
}
