/// The style of a role with 24-bit or 256 colours.
package struct Style: Hashable, Sendable {
  /// 0xRRGGBB; nil means the terminal's default.
  package var foreground: UInt32?
  /// 0xRRGGBB; nil means the terminal's default.
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

/// The style of a role with the user's sixteen colours: designed, not quantised.
package struct AnsiStyle: Hashable, Sendable {
  /// 0...15; nil means the terminal's default.
  package var foreground: UInt8?
  /// 0...15; nil means the terminal's default.
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
  /// A theme's entry for one role.
  package struct Entry: Hashable, Sendable {
    /// For 24-bit and 256 colours.
    package var style: Style
    /// For sixteen and eight colours.
    package var ansi: AnsiStyle
    /// Without colours: `NO_COLOR`, vt100.
    package var mono: Attributes

    /// The styles of one role at all depths.
    package init(style: Style = Style(), ansi: AnsiStyle = AnsiStyle(), mono: Attributes = []) {
      self.style = style
      self.ansi = ansi
      self.mono = mono
    }
  }

  /// The name in lists and in configuration files.
  package let name: String
  /// Whether it is designed for a dark background.
  package let isDark: Bool
  /// Painted behind everything, 0xRRGGBB; nil keeps the terminal's background.
  package let background: UInt32?
  /// The background the colours were chosen for: the painted one, or an assumed one.
  package let assumedBackground: UInt32
  /// The entries by role.
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

  /// The entry of a role; falls back to that of `text`.
  package func entry(_ role: Role) -> Entry {
    entries[role] ?? entries[.text] ?? Entry()
  }

  /// No colours, only emphasis; used until a theme is loaded.
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
