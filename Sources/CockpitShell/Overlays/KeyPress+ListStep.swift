import TerminalCore

extension KeyPress {
  /// How many entries the key moves the cursor of an overlay's list; nil if it moves none. The caller clamps.
  var listStep: Int? {
    switch (key, modifiers) {
    case (.down, []), (.char("j"), []), (.tab, []): 1
    case (.up, []), (.char("k"), []), (.tab, .shift): -1
    case (.pageDown, _), (.char("d"), .ctrl): 10
    case (.pageUp, _), (.char("u"), .ctrl): -10
    case (.end, []), (.char("G"), _): 1_000_000
    case (.home, []), (.char("g"), []): -1_000_000
    default: nil
    }
  }
}
