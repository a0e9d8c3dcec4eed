/// How a role looks where colours are 24 bits wide, or 256.
package struct Style: Hashable, Sendable {
  /// 0xRRGGBB; nil is the terminal's own colour.
  package var foreground: UInt32?
  /// 0xRRGGBB; nil is the terminal's own colour.
  package var background: UInt32?
  /// Emphasis.
  package var attributes: Attributes

  /// Colours and emphasis; nothing special when left out.
  package init(
    foreground: UInt32? = nil, background: UInt32? = nil, attributes: Attributes = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }
}

/// How a role looks with the sixteen colours users choose themselves: designed, not quantised.
package struct AnsiStyle: Hashable, Sendable {
  /// 0...15; nil is the terminal's own colour.
  package var foreground: UInt8?
  /// 0...15; nil is the terminal's own colour.
  package var background: UInt8?
  /// Emphasis.
  package var attributes: Attributes

  /// Colours of the sixteen and emphasis; nothing special when left out.
  package init(foreground: UInt8? = nil, background: UInt8? = nil, attributes: Attributes = []) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }
}

/// The looks of all roles, at every colour depth.
package struct Theme: Hashable, Sendable {
  /// What a theme says about one role.
  package struct Entry: Hashable, Sendable {
    /// For 24-bit and 256 colours.
    package var style: Style
    /// For sixteen and eight colours.
    package var ansi: AnsiStyle
    /// Without any colour: `NO_COLOR`, vt100.
    package var mono: Attributes

    /// The looks of one role at all depths.
    package init(style: Style = Style(), ansi: AnsiStyle = AnsiStyle(), mono: Attributes = []) {
      self.style = style
      self.ansi = ansi
      self.mono = mono
    }
  }

  /// The name in lists and in configuration files.
  package let name: String
  /// Whether it is made for a dark background.
  package let isDark: Bool
  /// Painted behind everything, 0xRRGGBB; nil leaves the terminal's own background.
  package let background: UInt32?
  /// What the colours were chosen against: the painted background, or one like the terminal's.
  package let assumedBackground: UInt32
  /// What it says about roles.
  package private(set) var entries: [Role: Entry]

  /// A theme; without a painted background it needs the one it was made for.
  package init(
    name: String, isDark: Bool, background: UInt32? = nil, assumedBackground: UInt32,
    entries: [Role: Entry]
  ) {
    self.name = name
    self.isDark = isDark
    self.background = background
    self.assumedBackground = background ?? assumedBackground
    self.entries = entries
  }

  /// The look of a role in full colour; a role the theme leaves out looks like text.
  package subscript(role: Role) -> Style { entry(role).style }

  /// What it says about a role; what it says about text when it leaves the role out.
  package func entry(_ role: Role) -> Entry {
    entries[role] ?? entries[.text] ?? Entry()
  }

  /// No colours at all, only emphasis; what is shown until a theme is loaded.
  package static let plain = Theme(
    name: "plain", isDark: true, assumedBackground: 0,
    entries: [
      .heading: Entry(mono: .bold), .title: Entry(mono: .bold), .focus: Entry(mono: .bold),
      .negative: Entry(mono: .bold), .error: Entry(mono: .bold), .warning: Entry(mono: .bold),
      .selection: Entry(mono: .reverse), .fresh: Entry(mono: .bold),
      .match: Entry(mono: .underline), .currentMatch: Entry(mono: .reverse),
      .chipActive: Entry(mono: .reverse), .header: Entry(mono: .reverse),
      .muted: Entry(mono: .dim), .faint: Entry(mono: .dim), .border: Entry(mono: .dim),
    ].mapValues { entry in
      var entry = entry
      entry.style.attributes = entry.mono
      entry.ansi.attributes = entry.mono
      return entry
    })
}
