import CockpitAnswers
import CockpitFiles
import CockpitSession
import Foundation
import Testing

@Suite struct TriageSettingsTests {
  @Test("the keys of [triage] are the rules of the program")
  func rules() {
    #expect(Configuration.Triage.Rule.allCases.map(\.rawValue) == TriageRule.names)
  }

  @Test("[triage] switches rules off, sets levels and a budget")
  func settings() throws {
    let text = """
      [triage]
      search = "off"
      mcp = false
      models = "warning"
      tunnel = true
      budget_usd = 5
      """
    let triage = try Configuration(toml: text, path: "c").triage
    let settings = TriageSettings(words: triage.rules, budgetUSD: triage.budgetUSD)
    #expect(settings.denied == ["search", "mcp"])
    #expect(settings.levels == ["models": .warning])
    #expect(settings.budgetUSD == 5)
  }

  @Test("an unknown rule and a wrong word are named with the nearest one")
  func problems() {
    let problems = Configuration.problems(
      toml: "[triage]\nserch = \"off\"\nmodels = \"loud\"\nbudget_usd = -1\n", path: "c"
    ).map(\.description)
    #expect(problems.count == 3)
    #expect(problems.first?.contains("did you mean 'search'") == true)
  }

  @Test("the page of the triage has every rule with its condition")
  func page() throws {
    let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/triage.md")
    let text = try String(contentsOf: url, encoding: .utf8)
    for rule in TriageRule.all {
      #expect(
        text.contains("| `\(rule.name)` | \(rule.level.rawValue) | \(rule.condition) |"),
        "\(rule.name)")
    }
  }
}
