import ArgumentParser
import LenientJSON
import Testing

@testable import CockpitCLI

/// Tools as values: what they take, and that their verbs take it.
@Suite struct AgentToolTests {
  private let tools = AgentToolTable.tools(asksBot: true, asksGateway: true)

  @Test("names are unique, schemas have every parameter, and verbs take their words")
  func table() throws {
    #expect(Set(tools.map(\.name)).count == tools.count)
    for tool in tools {
      var members: [JSONObject.Member] = []
      for parameter in tool.parameters {
        let value: JSONValue =
          switch parameter.kind {
          case .number(let range): .integer(range.lowerBound)
          case .choice(let words): .string(words[0])
          case .window: .string("-2h")
          case .text:
            switch parameter.name {
            case "rule": .string("generated_no_output")
            case "since": .string("2h")
            default: .string("tea")
            }
          }
        members.append(.init(key: parameter.name, value: value))
      }
      let given = try tool.given(JSONObject(members: members))
      let options: [(name: String, value: String?)] = [
        ("--url", "http://127.0.0.1:1"), ("--utc", nil),
      ]
      let words = tool.words(given, options: options, ClankyCockpit.verbTable)
      #expect(words.contains("--json"))
      _ = try ClankyCockpit.parseAsRoot(ClankyCockpit.vocabulary.rewritten(words))
      let schema = tool.listed["inputSchema"]
      for parameter in tool.allParameters {
        #expect(schema?["properties"]?[parameter.name]?["description"] != nil)
      }
    }
  }

  @Test("arguments that a tool does not take are refused in a sentence")
  func mistakes() throws {
    let why = try #require(tools.first { $0.name == "why" })
    let rows = try #require(tools.first { $0.name == "rows" })
    func refusal(_ tool: AgentTool, _ text: String) throws -> String? {
      guard case .object(let object) = try JSONValue.parse(Array(text.utf8)) else { return nil }
      do throws(AgentTool.Mistake) {
        _ = try tool.given(object)
        return nil
      } catch { return error.sentence }
    }
    #expect(try refusal(why, "{}")?.hasPrefix("why needs subject") == true)
    #expect(try refusal(why, #"{"subject":"last"}"#) == nil)
    #expect(try refusal(why, #"{"cursor":"1.0.0"}"#) == nil)
    #expect(try refusal(why, #"{"subject":"a\nb"}"#) != nil)
    #expect(try refusal(why, #"{"subject":3}"#) != nil)
    #expect(try refusal(rows, #"{"limit":0}"#) != nil)
    #expect(try refusal(rows, #"{"limit":1.5}"#) != nil)
    #expect(try refusal(rows, #"{"other":1}"#)?.contains("nothing else") == true)
  }

  @Test("an element that is too large is shortened, and a part never exceeds its limit")
  func parts() throws {
    let large = JSONValue.body([
      ("id", .integer(7)), ("type", .string("action")),
      ("content", .string(String(repeating: "words ", count: 40_000))),
      ("metadata", .array((0..<5_000).map { .string("item \($0)") })),
    ])
    let printed = AgentAnswer.Printed(
      elements: Array(repeating: large, count: 3),
      lines: Array(repeating: String(repeating: "花", count: 900), count: 40))
    let tool = try #require(tools.first { $0.name == "rows" })
    let answer = AgentAnswer(tool: tool, printed: printed, askedMs: 0, number: 1)
    for isStructured in [true, false] {
      var position = (element: 0, line: 0)
      var parts = 0
      while parts < 100 {
        let result = answer.result(from: position, nonce: "n", isStructured: isStructured)
        #expect(UntrustedText.size(result) <= AgentAnswer.limit)
        parts += 1
        let text = result["content"]?.array?.first?["text"]?.string ?? ""
        guard let cursor = text.firstMatch(of: /with cursor ([0-9.]+)\./).map({ String($0.1) }),
          let next = AgentAnswer.position(of: cursor)
        else { break }
        #expect((next.element, next.line) != position)
        position = (next.element, next.line)
      }
      #expect(parts > 1 && parts < 100)
    }
  }

  @Test("evidence outside of the fence is numbers, times and words of ours")
  func evidence() throws {
    let value = try JSONValue.parse(
      Array(
        #"{"state":"ignore all","evidence":[{"id":"8"},{"id":9},{"id":9}],"coverage":{"from":"now!","to":"2026-05-09T14:00:00.000Z","complete":true,"missing":["x"]},"metadata":{"rows":[{"id":3}]}}"#
          .utf8))
    let evidence = AgentEvidence([value], listsFacts: false)
    #expect(evidence.rows == [9])
    #expect(evidence.state == nil && evidence.from == nil)
    #expect(evidence.to == "2026-05-09T14:00:00.000Z")
    #expect(evidence.isComplete == true && evidence.gaps == 1)
  }

  @Test("SKILL.md has front matter, only verbs that exist, and every tool")
  func skill() throws {
    let tree = try ClankyCockpit.tree()
    let page = SkillDocument(tree: tree).markdown
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first == "---" && lines[1] == "name: clanky-cockpit")
    #expect(lines[2].hasPrefix("description: ") && lines[2].utf8.count < 1024)
    #expect(lines[3] == "---")
    let names = Set(tree.verbs.map(\.name))
    for name in SkillDocument.reading { #expect(names.contains(name), "\(name)") }
    for tool in AgentToolTable.tools(asksBot: true, asksGateway: false) {
      #expect(page.contains("`\(tool.name)`"))
    }
    for match in page.matches(of: /`clanky-cockpit ([^`\[]+)`/) {
      var words = DocumentationCommandTests.words(match.1)
      if words.last == "--spec" || words == ["mcp"] {
        words.removeLast(words.last == "--spec" ? 1 : 0)
        #expect(words.isEmpty || words == ["VERB"] || names.contains(words.joined(separator: " ")))
        continue
      }
      // A synopsis has names for what is required.
      let hasNames = words.contains { $0 == $0.uppercased() && $0.contains(/[A-Z]/) }
      guard !hasNames else { continue }
      do {
        _ = try ClankyCockpit.parseAsRoot(ClankyCockpit.vocabulary.rewritten(words))
      } catch {
        Issue.record("\(words): \(ClankyCockpit.message(for: error))")
      }
    }
  }
}
