import CockpitStores
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell

@MainActor
@Suite struct LineCompletionTests {
  private func offer(_ line: String, tab: Tab = .pulse) -> LineCompletion.Offer {
    var fixture = Fixture()
    var facts = fixture.facts()
    facts.setup.themes = ["auto", "mono"]
    facts.setup.profiles = [.init(name: "my prod", url: "", isReadOnly: false)]
    let reader = LineReader(
      verbs: LineFixture.table, keys: .standard, facts: facts, tab: tab)
    return LineCompletion(reader).offer(for: line, cursor: line.count)
  }

  private func titles(_ line: String) -> [String] { offer(line).items.map(\.title) }

  @Test("verbs, nested verbs, options, values")
  func items() {
    #expect(titles("fac") == ["facts"])
    #expect(titles("facts s") == ["search", "show"])
    #expect(titles("facts list --j") == ["--json"])
    #expect(titles("tail --stream ") == ["activity", "voice"])
    #expect(titles("tab m") == ["memory"])
    #expect(titles("theme ") == ["auto", "mono"])
    #expect(titles("themes show m") == ["mono"])
    #expect(
      titles("set slash=fi") == ["slash=filter", "slash=find"])
    #expect(titles("facts list --guild the") == ["The Workshop"])
    #expect(offer("facts list --guild the").items.first?.insert == "500000000000000001")
    #expect(titles("guild work") == ["The Workshop"])
    #expect(offer("profile m").items.first?.insert == "'my prod'")
    #expect(titles("actions --kinds llm_call,llm_e") == ["llm_error"])
    #expect(titles("filter kind:llm_e") == ["llm_error"])
    #expect(titles("tail --filter kind:llm_e") == ["llm_error"])
    #expect(titles("facts list --subject ") == [])
  }

  @Test("options of the connection and verbs that make no sense here are not offered")
  func left() {
    #expect(!titles("status --").contains { $0.hasPrefix("--url") || $0.hasPrefix("--profile") })
    #expect(titles("status --").contains("--json"))
    #expect(titles("dem") == [])
    #expect(titles("ope") == ["open"])  // the command behind Enter
  }

  @Test("only the word under the cursor is replaced")
  func replaced() {
    #expect(offer("facts li").replaced == 2)
    #expect(offer("facts ").replaced == 0)
    #expect(offer("tail --filter 'kind:llm_e").replaced == 11)
    #expect(offer("fac").items.first?.insert == "facts ")
    #expect(offer("pau").items.first?.insert == "pause")
  }

  @Test("completion never breaks, whatever was typed")
  func robust() {
    for line in [
      "'", "\\", "facts '", "facts list --guild '", "filter \"", "filter ", "  ", "--",
      "facts -- x",
      "a b c d e f", "作者 ", "tail --filter=", "set", "tab \u{1B}",
    ] {
      for tab in Tab.allCases {
        for length in 0...line.count {
          _ = offer(String(line.prefix(length)), tab: tab)
        }
      }
    }
  }
}
