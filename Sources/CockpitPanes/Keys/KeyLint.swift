import TerminalCore

/// Finds keys that terminals do not deliver, and commands without a working key.
package struct KeyLint: Sendable {
  package struct Finding: Hashable, Sendable {
    /// None of the command's keys works; otherwise another one does.
    package var isProblem: Bool
    package var command: KeyAction?
    package var key: KeyChord?
    package var sentence: String

    package init(
      isProblem: Bool, command: KeyAction? = nil, key: KeyChord? = nil, sentence: String
    ) {
      self.isProblem = isProblem
      self.command = command
      self.key = key
      self.sentence = sentence
    }
  }

  let table: KeyTable
  let tmuxPrefixes: [KeyChord]

  /// - Parameter tmuxPrefixes: the keys that tmux keeps for itself.
  package init(table: KeyTable, tmuxPrefixes: [KeyChord]) {
    self.table = table
    self.tmuxPrefixes = tmuxPrefixes
  }

  package var findings: [Finding] { table.bindings.flatMap(findings) }

  private func findings(_ binding: KeyTable.Binding) -> [Finding] {
    let name = binding.command.rawValue
    guard !binding.keys.isEmpty else {
      return [
        Finding(
          isProblem: false, command: binding.command,
          sentence: "'\(name)' has no key; :\(name) is the way to it")
      ]
    }
    let doubts = binding.keys.map { ($0, doubt($0)) }
    let sure = doubts.first { $0.1 == nil }?.0
    return doubts.compactMap { key, doubt in
      guard let doubt else { return nil }
      let rest = sure.map { "; \"\($0)\" does the same" } ?? "; give it another key in [keys]"
      return Finding(
        isProblem: sure == nil, command: binding.command, key: key,
        sentence: "\"\(key)\" of '\(name)' \(doubt)\(rest)")
    }
  }

  /// Why a key may not arrive.
  private func doubt(_ chord: KeyChord) -> String? {
    for press in chord.presses {
      if tmuxPrefixes.contains(KeyChord([press])) {
        return "is the prefix of tmux, which keeps it"
      }
      if let reason = Self.reserved[KeyChord([press])] { return reason }
      if press.modifiers.contains(.alt) { return "needs Alt, which some terminals keep" }
      if case .function(let number) = press.key, number > 4 {
        return "needs a function key, which some keyboards and terminals have not"
      }
      if !press.modifiers.isEmpty, !press.isCharacter, press.key != .tab {
        return "needs a modifier that not every terminal sends with this key"
      }
    }
    return nil
  }

  /// Keys reserved by terminals and their drivers.
  private static let reserved: [KeyChord: String] = [
    "C-s": "stops the output of a terminal with flow control",
    "C-q": "goes on with the output of a terminal with flow control",
    "C-\\": "ends programs, by tradition",
    "C-PgUp": "changes the tab of many terminals",
    "C-PgDn": "changes the tab of many terminals",
    "S-PgUp": "scrolls back in most terminals",
    "S-PgDn": "scrolls back in most terminals",
    "F10": "opens the menu of some terminals",
    "F11": "is full screen in most terminals",
  ]
}

extension KeyPress {
  fileprivate var isCharacter: Bool { if case .char = key { true } else { false } }
}
