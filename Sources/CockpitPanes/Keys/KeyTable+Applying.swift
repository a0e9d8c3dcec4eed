import TerminalCore

/// The keys that a user gave to one command.
package struct KeyOverride: Hashable, Sendable {
  package var command: KeyAction
  /// Instead of all keys it had; empty leaves it without one.
  package var keys: [KeyChord]

  package init(_ command: KeyAction, _ keys: [KeyChord]) {
    self.command = command
    self.keys = keys
  }
}

/// Why keys cannot be used as they were given.
package enum KeyConflict: Hashable, Sendable, CustomStringConvertible {
  /// The same keys for two commands.
  case twice(KeyChord, KeyAction, KeyAction)
  /// `long` begins with `short`, which would be carried out first.
  case hidden(long: KeyChord, KeyAction, by: KeyChord, KeyAction)
  /// A key that cannot be bound, and why.
  case unusable(KeyChord, KeyAction, reason: String)
  /// A command that must be reached always.
  case missing(KeyAction)

  /// The commands it is about.
  package var commands: [KeyAction] {
    switch self {
    case .twice(_, let one, let other): [one, other]
    case .hidden(_, let one, _, let other): [one, other]
    case .unusable(_, let command, _), .missing(let command): [command]
    }
  }

  package var description: String {
    switch self {
    case .twice(let chord, let one, let other):
      "\"\(chord)\" is given to both '\(one.rawValue)' and '\(other.rawValue)'; give one of them another key"
    case .hidden(let long, let one, let short, let other):
      "\"\(long)\" of '\(one.rawValue)' cannot be typed, for \"\(short)\" is '\(other.rawValue)'; give one of them another key"
    case .unusable(let chord, let command, let reason):
      "\"\(chord)\" cannot be '\(command.rawValue)': \(reason)"
    case .missing(let command):
      "'\(command.rawValue)' needs a key; without one the cockpit could not be left as help says"
    }
  }
}

extension KeyTable {
  /// Esc goes back and C-c quits in every configuration, so that no user is locked in.
  package static let fixed: [(chord: KeyChord, command: KeyAction)] = [
    ("Esc", .back), ("C-c", .interrupt),
  ]

  /// The table of a preset.
  package static func preset(_ preset: KeyPreset) -> KeyTable {
    standard.applying(preset: preset, overrides: []).table
  }

  /// This table with the keys of a preset, overridden by the user's. A command named by the user
  /// has exactly the given keys, plus Esc and C-c where they are fixed.
  ///
  /// - Returns: the table, and its conflicts. Without conflicts no key means two things, and none
  ///   hides a longer one.
  package func applying(
    preset: KeyPreset, overrides: [KeyOverride]
  ) -> (table: KeyTable, conflicts: [KeyConflict]) {
    var keys = preset.keys
    for override in overrides { keys[override.command] = override.keys }
    let table = KeyTable(
      bindings: bindings.map { binding in
        guard var new = keys[binding.command] else { return binding }
        for fixed in Self.fixed where fixed.command == binding.command {
          if !new.contains(fixed.chord) { new.append(fixed.chord) }
        }
        var binding = binding
        binding.keys = new
        return binding
      })
    return (table, table.conflicts)
  }

  /// The conflicts of the table.
  package var conflicts: [KeyConflict] {
    let all = bindings.flatMap { binding in binding.keys.map { (binding.command, $0) } }
    var conflicts: [KeyConflict] = []
    for (index, (command, chord)) in all.enumerated() {
      if let reason = Self.reason(against: chord, for: command) {
        conflicts.append(.unusable(chord, command, reason: reason))
        continue
      }
      for (other, otherChord) in all[..<index] {
        if chord == otherChord {
          conflicts.append(.twice(chord, other, command))
        } else if chord.presses.starts(with: otherChord.presses) {
          conflicts.append(.hidden(long: chord, command, by: otherChord, other))
        } else if otherChord.presses.starts(with: chord.presses) {
          conflicts.append(.hidden(long: otherChord, other, by: chord, command))
        }
      }
    }
    if bindings.contains(where: { $0.command == .quit && $0.keys.isEmpty }) {
      conflicts.append(.missing(.quit))
    }
    return conflicts
  }

  /// Why a chord cannot be bound to a command; nil if it can.
  private static func reason(against chord: KeyChord, for command: KeyAction) -> String? {
    for press in chord.presses {
      if let twin = press.twin {
        return "a terminal sends the same for it as for \(twin); choose another key"
      }
    }
    for fixed in fixed where fixed.command != command || chord != fixed.chord {
      guard let press = fixed.chord.presses.first, chord.presses.contains(press) else { continue }
      return "\(fixed.chord) is always '\(fixed.command.rawValue)'; choose another key"
    }
    return nil
  }
}

extension KeyPress {
  /// The key that sends the same byte on terminals limited to ASCII.
  fileprivate var twin: String? {
    guard modifiers == .ctrl, case .char(let character) = key else { return nil }
    return switch character {
    case "h": "Backspace"
    case "i": "Tab"
    case "j", "m": "Enter"
    case "[": "Esc"
    default: nil
    }
  }
}

extension KeyTable {
  /// The first key of a command, or its name on the command line: for texts that name a key.
  package func text(_ command: KeyAction) -> PlainText {
    PlainText(binding(for: command)?.keyTexts.first ?? ":" + command.rawValue)
  }
}
