import ArgumentParser
import ClankyWire
import CockpitDemo
import Foundation
import Testing

@testable import CockpitCLI

/// What `facts` understands, and what it refuses before it asks the backend for anything.
@Suite struct FactsArgumentsTests {
  private func parse(_ words: String) throws -> any ParsableCommand {
    // '' stands for an empty word, as in a shell.
    try ClankyCockpit.parseAsRoot(words.split(separator: " ").map { $0 == "''" ? "" : String($0) })
  }

  @Test(
    "options may stand before both verbs",
    arguments: [
      ("--demo facts list --json", "facts list --demo story --json"),
      ("facts --guild 1 list", "facts list --guild 1"),
      ("--url http://x facts --json search tea", "facts search --url http://x --json tea"),
      ("facts search list", "facts search list"),
      ("facts --subject list list", "facts list --subject list"),
      ("facts nonsense", "facts nonsense"), ("facts -- list", "facts -- list"),
    ])
  func order(words: String, expected: String) {
    let rewritten = Arguments.rewritten(
      words.split(separator: " ").map(String.init),
      isVerb: ["tail", "facts"].contains,
      nested: { $0 == "facts" ? ["list", "search"] : nil },
      scenarios: Set(DemoScenario.allCases.map(\.rawValue)),
      withValue: ClankyCockpit.vocabulary.withValue)
    #expect(rewritten.joined(separator: " ") == expected)
  }

  @Test("list reads its options")
  func list() throws {
    let list = try #require(
      try parse("facts list --guild 1 --subject lore --filter conf>0.8 --order type --limit 3")
        as? FactsListCommand)
    #expect(list.options.shared.guild == "1")
    #expect(list.selection.subject == "lore")
    #expect(list.selection.filter == "conf>0.8")
    #expect(list.selection.order == .type)
    #expect(list.selection.limit == 3)
    #expect(!list.options.ownerPrivate)
  }

  @Test("edit applies what is named and leaves the rest")
  func edit() throws {
    let edit = try #require(
      try parse("facts edit 7 --confidence 80% --evidence '' --type Profile") as? FactsEditCommand)
    #expect(edit.id.value == 7)
    let applied = edit.fields.applied(
      to: .init(
        factID: 7, target: .guild("1"), subject: "s", fact: "f", factType: "other",
        evidenceText: "e", confidence: 0.1))
    #expect(applied.subject == "s")
    #expect(applied.fact == "f")
    #expect(applied.factType == "Profile")
    #expect(applied.evidenceText == "")
    #expect(applied.confidence == 0.8)
  }

  @Test(
    "self and lore are the subjects that list knows by these words",
    arguments: [("self", "__self__"), ("Lore", "__lore__"), ("__lore__", "__lore__"), ("77", "77")])
  func subject(text: String, expected: String) throws {
    let edit = try #require(try parse("facts edit 7 --subject \(text)") as? FactsEditCommand)
    let applied = edit.fields.applied(
      to: .init(factID: 7, target: .guild("1"), subject: "s", fact: "f", confidence: 0.1))
    #expect(applied.subject == expected)
  }

  @Test("a text and a filter may begin with a dash")
  func dash() throws {
    let edit = try #require(try parse("facts edit 7 --fact -x") as? FactsEditCommand)
    #expect(edit.fields.fact == "-x")
    let list = try #require(
      try parse("facts list --filter -type:other --json") as? FactsListCommand)
    #expect(list.selection.filter == "-type:other")
    #expect(list.json)
  }

  @Test(
    "a confidence is a number or a percentage",
    arguments: [
      ("0.8", 0.8), (" 1 ", 1), ("80%", 0.8), ("1e-1", 0.1), ("nan", nil), ("inf", nil),
      ("0x1", nil), ("", nil), ("%", nil), ("٠", nil), ("0,8", nil),
    ] as [(String, Double?)])
  func confidence(text: String, expected: Double?) {
    #expect(FactFieldsOptions.number(text) == expected)
  }

  @Test(
    "what does not fit is refused, and the words say by how much",
    arguments: [
      ("--fact " + String(repeating: "x", count: 412), "12 characters too long"),
      ("--evidence " + String(repeating: "x", count: 241), "1 character too long"),
      ("--subject " + String(repeating: "x", count: 125), "5 characters too long"),
      ("--type " + String(repeating: "x", count: 41), "1 character too long"),
      ("--confidence 1.5", "between 0 and 1"), ("--confidence high", "number from 0 to 1"),
      ("--fact ''", "must not be empty"), ("--subject ''", "must not be empty"),
      ("--type ''", "must not be empty"),
    ])
  func refusedText(options: String, words: String) throws {
    let error = #expect(throws: (any Error).self) { try parse("facts edit 7 " + options) }
    let thrown = try #require(error)
    #expect(ClankyCockpit.exitCode(for: thrown) == .validationFailure)
    #expect(ClankyCockpit.message(for: thrown).contains(words))
  }

  @Test(
    "what makes no sense is refused",
    arguments: [
      "facts list --filter colour:red", "facts list --limit 0", "facts list --order size",
      "facts search", "facts search tea --limit 25", "facts show", "facts show x", "facts show -1",
      "facts edit --fact x", "facts export --spreadsheet", "facts export --format pdf",
      "facts journal -n 0", "facts nonsense", "facts show 99999999999999999999",
    ])
  func refused(words: String) {
    #expect(throws: (any Error).self) { try parse(words) }
  }

  @Test(
    "help fits 80 columns",
    arguments: ["list", "search", "show", "edit", "delete", "export", "journal"])
  func help(verb: String) throws {
    let type = try #require(
      FactsCommand.configuration.subcommands.first { $0._commandName == verb })
    for line in ClankyCockpit.helpMessage(for: type, columns: 80).split(separator: "\n") {
      #expect(line.count <= 80, "\(verb): \(line)")
    }
  }

  // MARK: The page about it

  /// The words of a shell line up to a pipe, a redirection or a comment; single quotes only.
  private static func words(_ line: Substring) -> [String] {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    for character in line {
      if character == "'" {
        isQuoted.toggle()
        word = word ?? ""
      } else if !isQuoted, character == " " {
        if let word { words.append(word) }
        word = nil
      } else if !isQuoted, word == nil, "|>#".contains(character) {
        return words
      } else {
        word = (word ?? "") + String(character)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }

  @Test("every example of docs/facts.md is understood")
  func examples() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "docs/facts.md")
    let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
    let examples = lines.filter { $0.hasPrefix("clanky-cockpit ") }
    #expect(examples.count > 10)
    for example in examples {
      let words = Arguments.rewritten(
        Array(Self.words(example).dropFirst()), isVerb: ["facts"].contains, nested: { _ in nil },
        scenarios: Set(DemoScenario.allCases.map(\.rawValue)),
        withValue: ClankyCockpit.vocabulary.withValue)
      #expect(throws: Never.self, "\(example)") { try ClankyCockpit.parseAsRoot(words) }
    }
  }
}
