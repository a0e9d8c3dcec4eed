import CockpitAnswers
import CockpitRules
import Foundation
import Testing

/// What is written about the rules is what they are.
@Suite struct RuleDocumentTests {
  private static let page = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/rules.md")
  private static let begin = "<!-- begin: written by RuleDocumentTests -->\n"
  private static let end = "<!-- end -->\n"

  private static func figure(_ limit: RuleLimit) -> String {
    switch limit.unit {
    case .ms:
      limit.standard.truncatingRemainder(dividingBy: 60_000) == 0
        ? "\(Int(limit.standard / 60_000)) min" : "\(limit.standard / 1000) s"
    case .usd: limit.standard == 0 ? "none" : "$\(limit.standard)"
    case .count: "\(Int(limit.standard))"
    case .ratio: "\(limit.standard)"
    }
  }

  /// One section a rule: what the code says, and the recordings on which it must not fire.
  static var sections: String {
    RuleTable.all.map { rule in
      var lines = ["### `\(rule.id.rawValue)`: \(rule.level.rawValue)", ""]
      lines.append("Fires when \(rule.condition). What to do: \(rule.advice)")
      let limits = rule.limits.map { "`\($0.name)` \(figure($0)) (\($0.meaning))" }
      if !limits.isEmpty { lines += ["", "Thresholds: " + limits.joined(separator: ", ") + "."] }
      let quiet = RuleCaseTests.all.filter { $0.rule == rule.id && $0.levels.isEmpty }
      lines += ["", "No anomaly: " + quiet.map(\.name).joined(separator: "; ") + "."]
      return lines.joined(separator: "\n") + "\n"
    }.joined(separator: "\n")
  }

  @Test("docs/rules.md has every rule as it is; RECORD_GOLDENS=1 writes it") func page() throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let head = try #require(text.range(of: Self.begin))
    let tail = try #require(text.range(of: Self.end, range: head.upperBound..<text.endIndex))
    let written = String(text[head.upperBound..<tail.lowerBound])
    let wanted = "\n" + Self.sections + "\n"
    if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] != nil {
      try text.replacingCharacters(in: head.upperBound..<tail.lowerBound, with: wanted)
        .write(to: Self.page, atomically: true, encoding: .utf8)
    } else {
      #expect(written == wanted)
    }
  }

  @Test("every rule has a text for 'explain', and every name is in the table") func explained() {
    for rule in RuleID.allCases {
      let meanings = Explanations.meanings(of: rule.rawValue, as: [.word])
      #expect(meanings.contains { $0.text.hasPrefix("Rule: ") }, "\(rule.rawValue)")
      #expect(RuleTable.rule(rule) != nil, "\(rule.rawValue)")
    }
  }

  @Test("condition and advice are short, thresholds have a name and a meaning") func form() {
    for rule in RuleTable.all {
      #expect(rule.condition.count <= 100, "\(rule.id.rawValue): \(rule.condition.count)")
      #expect(rule.advice.count <= 100, "\(rule.id.rawValue): \(rule.advice.count)")
      #expect(rule.advice.last == "." || rule.advice.last == "'", "\(rule.id.rawValue)")
      for limit in rule.limits {
        #expect(!limit.meaning.isEmpty && limit.name == limit.name.lowercased())
        if limit.unit == .ms { #expect(limit.name.hasSuffix("_ms"), "\(limit.name)") }
      }
    }
  }
}
