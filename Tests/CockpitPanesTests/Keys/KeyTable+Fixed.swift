@testable import CockpitPanes

extension KeyTable {
  /// Some of the standard keys, for goldens that show or count all commands: a new command does not
  /// change them.
  static let fixed: KeyTable = {
    let commands: Set<KeyAction> = [
      .pulse, .voice, .brain, .memory, .cmd, .nextPanel, .zoom, .back, .help, .triage, .quit, .down,
      .up, .top, .open, .filter, .filterToggle, .find, .findNext, .findPrevious, .pause, .follow,
      .timeFormat, .nextError, .nextGap, .rawJSON, .profiles, .copy, .commandLine, .palette,
      .refresh, .mouse,
    ]
    return KeyTable(bindings: KeyTable.standard.bindings.filter { commands.contains($0.command) })
  }()
}
