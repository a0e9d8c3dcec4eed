import CockpitFiles
import CockpitPanes
import TerminalCore

/// The key table from preset and `[keys]`, and the problems found: names of commands and keys are
/// checked here, with their line in the file.
package struct Keymap {
  package private(set) var table: KeyTable
  /// In line order; use the table only if this is empty.
  package private(set) var problems: [FileError]
  package let preset: KeyPreset

  /// - Parameter preset: instead of that of the configuration.
  package init(_ configuration: Configuration, preset: KeyPreset? = nil) {
    self.preset =
      preset ?? configuration.preset.flatMap(KeyPreset.init(rawValue:)) ?? .standard
    var found: [(line: Int, problem: FileError)] = []
    func complain(_ commands: [String], _ sentence: String) {
      let line = commands.compactMap { configuration.keyLines[$0] }.max()
      let place = [configuration.path, line.map { "\($0)" }].compactMap(\.self)
      let start = place.isEmpty ? "" : place.joined(separator: ":") + ": "
      found.append((line ?? 0, FileError(start + sentence)))
    }

    let names = KeyAction.allCases.map(\.rawValue)
    var overrides: [KeyOverride] = []
    for (name, texts) in configuration.keys.sorted(by: { $0.key < $1.key }) {
      guard let command = KeyAction(rawValue: name) else {
        let nearest = name.nearest(of: names).map { "; did you mean '\($0)'?" } ?? ""
        complain(
          [name],
          "'keys.\(name)' is the name of no command\(nearest) 'clanky-cockpit keys list' shows them"
        )
        continue
      }
      var keys: [KeyChord] = []
      for text in texts {
        do throws(KeyChordError) {
          let chord = try KeyChord(parsing: text)
          if !keys.contains(chord) { keys.append(chord) }
        } catch {
          complain([name], "'keys.\(name)': \(error.description)")
        }
      }
      overrides.append(KeyOverride(command, keys))
    }
    if self.preset == .standard, overrides.isEmpty {
      // A test says that these keys are in order: most starts need not look again.
      table = .complete
      problems = found.map(\.problem)
      return
    }
    let (table, conflicts) = KeyTable.complete.applying(preset: self.preset, overrides: overrides)
    for conflict in conflicts {
      complain(conflict.commands.map(\.rawValue), "\(conflict)")
    }
    self.table = table
    problems = found.enumerated()
      .sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }
      .map(\.element.problem)
  }

  /// The table of a configuration that is in order.
  ///
  /// - Throws: `Failure` with exit code 2 and the first problem.
  package static func table(_ configuration: Configuration) throws(Failure) -> KeyTable {
    let keymap = Keymap(configuration)
    guard let first = keymap.problems.first else { return keymap.table }
    let more = keymap.problems.count - 1
    let rest = more == 0 ? "" : " (and \(more) more: 'clanky-cockpit config validate' lists them)"
    throw Failure(.usage, first.description + rest)
  }
}
