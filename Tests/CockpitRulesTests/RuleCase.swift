import CockpitRules
import Testing

/// A recording, and what one rule must say of it.
struct RuleCase: Sendable, CustomTestStringConvertible {
  var rule: RuleID
  var name: String
  /// The levels of the incidents of the rule, in any order; empty where it must not fire.
  var levels: [RuleLevel]
  var settings = RuleSettings()
  var write: @Sendable (inout RuleTape) -> Void

  var testDescription: String { "\(rule.rawValue): \(name)" }

  static func fires(
    _ rule: RuleID, _ name: String, _ levels: [RuleLevel],
    _ settings: RuleSettings = RuleSettings(),
    _ write: @escaping @Sendable (inout RuleTape) -> Void
  ) -> RuleCase {
    RuleCase(rule: rule, name: name, levels: levels, settings: settings, write: write)
  }

  static func quiet(
    _ rule: RuleID, _ name: String, _ settings: RuleSettings = RuleSettings(),
    _ write: @escaping @Sendable (inout RuleTape) -> Void
  ) -> RuleCase { RuleCase(rule: rule, name: name, levels: [], settings: settings, write: write) }

  var tape: RuleTape {
    var tape = RuleTape()
    write(&tape)
    return tape
  }
}
