/// The part of the bot an action belongs to; it decides the colour of a row.
package enum Domain: String, CaseIterable, Sendable {
  case llm, voice, asr, tts, text, memory, browser, media, code, discovery, automation, initiative
  case system, tool, error, game
}

/// The severity of a row. `voice_error` rows also carry warnings (contract 9.3), so the kind alone
/// does not decide it.
package enum Severity: UInt8, Comparable, Sendable {
  case info, warning, error

  package static func < (left: Severity, right: Severity) -> Bool { left.rawValue < right.rawValue }
}

/// The quick filters above the feed.
package enum ChipGroup: UInt8, CaseIterable, Sendable {
  case all, llm, voice, tool, memory, error, text, media, browser, system
  case code, discovery, automation, initiative, game

  /// The label of the chip.
  package var title: String {
    switch self {
    case .all: "ALL"
    case .llm: "LLM"
    case .voice: "VOICE"
    case .tool: "TOOL"
    case .memory: "MEMORY"
    case .error: "ERR"
    case .text: "TEXT"
    case .media: "MEDIA"
    case .browser: "BROWSER"
    case .system: "SYS"
    case .code: "CODE"
    case .discovery: "DISCOVERY"
    case .automation: "AUTO"
    case .initiative: "INITIATIVE"
    case .game: "GAME"
    }
  }

  /// The name in a query: `chip:err` is `chip:error`.
  package var name: String { String(describing: self) }

  /// The chips that are always shown; the others stand behind "+5".
  package static let primary: [ChipGroup] = [
    .all, .llm, .voice, .tool, .memory, .error, .text, .media, .browser, .system,
  ]

  /// The chip by its name or title, whatever the case.
  package init?(name: some StringProtocol) {
    let name = name.lowercased()
    guard
      let chip = Self.allCases.first(where: { $0.name == name || $0.title.lowercased() == name })
    else { return nil }
    self = chip
  }
}

/// The chips a row counts under.
package struct ChipSet: OptionSet, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package init(_ chip: ChipGroup) { rawValue = 1 << UInt16(chip.rawValue) }

  package func contains(_ chip: ChipGroup) -> Bool { contains(ChipSet(chip)) }

  package mutating func insert(_ chip: ChipGroup) { formUnion(ChipSet(chip)) }
}

extension Domain {
  /// The chip of the domain. VOICE holds the whole path of speech, as in the reference client
  /// (contract 8.1); TOOL and ERR cut across domains and are decided per label.
  var chip: ChipGroup? {
    switch self {
    case .llm: .llm
    case .voice, .asr, .tts: .voice
    case .text: .text
    case .memory: .memory
    case .browser: .browser
    case .media: .media
    case .code: .code
    case .discovery: .discovery
    case .automation: .automation
    case .initiative: .initiative
    case .system: .system
    case .tool: .tool
    case .error: .error
    case .game: .game
    }
  }
}
