import ArgumentParser
import CockpitDemo
import CockpitPanes
import Foundation
import Testing

@testable import CockpitCLI

/// The pages name only commands that the parser takes, and the manual comes from the parser.
@Suite struct DocumentationCommandTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static let pages: [String] = ["", "docs/"].flatMap { folder in
    let names =
      (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path()))
      ?? []
    // The synopses of commands.md are no commands; it comes from the parser itself.
    return names.filter { $0.hasSuffix(".md") && $0 != "commands.md" }.sorted().map { folder + $0 }
  }

  private func text(_ page: String) throws -> String {
    try String(contentsOf: Self.root.appending(path: page), encoding: .utf8)
  }

  /// The words of a shell command from the start of `text` to its end: an operator, a comment, an
  /// unmatched quote or bracket around it, or the end of the line.
  static func words(_ text: Substring) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in text {
      if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
        continue
      }
      switch character {
      case "'", "\"":
        // A quote in the middle of nothing opens; behind a word it closes what is around us.
        guard word == nil || word?.last == "=" else { return words + [word ?? ""] }
        quote = character
        word = word ?? ""
      case " ", "\t":
        if let whole = word { words.append(whole) }
        word = nil
      case "#" where word == nil: return words
      case "|", ";", "&", ">", "<", ")", "`", "\n": return words + (word.map { [$0] } ?? [])
      default: word = (word ?? "") + String(character)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }

  /// The commands of ours in a page: in code blocks, and in code in a sentence.
  private func commands(in text: String) -> [[String]] {
    // A word of a verb or an option follows; in a drawing it is an arrow.
    let starts = /(?:clanky-cockpit|scripts\/cockpit)(?= +[a-z-])/
    var found: [[String]] = []
    for block in text.matches(of: /(?ms)^```\w*\n(.*?)^```/) {
      let code = block.1.replacing("\\\n", with: " ")
      for line in code.split(separator: "\n") where !line.drop(while: { $0 == " " }).hasPrefix("#")
      {
        for match in line.matches(of: starts) {
          found.append(Self.words(line[match.range.upperBound...]))
        }
      }
    }
    let prose = text.replacing(/(?ms)^```.*?^```/, with: "")
    for match in prose.matches(of: /`clanky-cockpit ([^`]+)`/) {
      found.append(Self.words(match.1.replacing("\n", with: " ")[...]))
    }
    return found
  }

  private func rewritten(_ words: [String]) -> [String] {
    ClankyCockpit.vocabulary.rewritten(words)
  }

  @Test("every command in the pages is understood", arguments: pages)
  func parse(page: String) throws {
    for words in commands(in: try text(page)) {
      // Such as `clanky-cockpit facts`: the whole family is meant.
      if words.count == 1, !words[0].hasPrefix("-") {
        let names = ClankyCockpit.configuration.subcommands.map { $0._commandName }
        #expect(names.contains(words[0]), "\(page): clanky-cockpit \(words[0])")
        continue
      }
      // It stands alone or after a verb, and the parser never sees it.
      if try SpecDocument.path(words, ClankyCockpit.tree) != nil { continue }
      do {
        _ = try ClankyCockpit.parseAsRoot(rewritten(words))
      } catch {
        #expect(
          ClankyCockpit.exitCode(for: error) == .success,
          "\(page): \(words.joined(separator: " ")): \(ClankyCockpit.message(for: error))")
      }
    }
  }

  @Test(
    "the commands of a page are found",
    arguments: [
      ("```sh\nclanky-cockpit tail --json | jq\n```", "tail --json"),
      ("```sh\n# clanky-cockpit nothing\nx && clanky-cockpit status; y\n```", "status"),
      ("```text\nset '#(clanky-cockpit widget small)'\n```", "widget small"),
      ("```json\n\"exec\": \"clanky-cockpit widget small\",\n```", "widget small"),
      ("```sh\nclanky-cockpit facts edit 3 --fact 'a b' # c\n```", "facts edit 3 --fact a b"),
      ("see `clanky-cockpit doctor` and\n", "doctor"),
    ])
  func extraction(text: String, expected: String) {
    #expect(commands(in: text).map { $0.joined(separator: " ") } == [expected])
  }

  // MARK: the manual

  @Test(
    "docs/commands.md is what the parser says; RECORD_GOLDENS=1 scripts/dev/docs-check writes it")
  func reference() throws {
    let file = Self.root.appending(path: "docs/commands.md")
    let reference = CommandReference(tree: try ClankyCockpit.tree()).markdown
    if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] != nil {
      try Data(reference.utf8).write(to: file)
      return
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == reference)
  }

  @Test("the manual page has every verb, every option and every key, in ASCII")
  func manual() throws {
    let tree = try ClankyCockpit.tree()
    let page = ManualPage(tree: tree, keys: .complete, date: "May 9, 2026").mdoc
    for verb in tree.verbs {
      #expect(page.contains(".Ss \(verb.name)\n"))
      for option in verb.shown {
        for name in option.spellings { #expect(page.contains(name.replacing("-", with: "\\-"))) }
      }
    }
    #expect(page.contains("Sy \"\\&?, F1\\&\""))
    #expect(page.utf8.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
    #expect(page.split(separator: "\n").allSatisfy { !$0.hasSuffix(" ") })
    // Nothing but the macros that are meant.
    let macros = Set(page.matches(of: /(?m)^\.([A-Za-z]+)/).map { String($0.1) })
    #expect(
      macros.isSubset(of: [
        "Dd", "Dt", "Os", "Sh", "Ss", "Nm", "Nd", "Op", "Bl", "It", "El", "Bd", "Ed", "Pp", "Xr",
      ]))
  }

  @Test("every option with a value is known to stand before a verb")
  func values() throws {
    let tree = try ClankyCockpit.tree()
    for verb in tree.verbs {
      for option in verb.shown where option.kind == .option {
        for name in option.spellings {
          // Were it not known, the value of the option would be taken for the verb.
          let words = rewritten([name, "tail", verb.path[0]])
          let isKnown = words.first == verb.path[0] || ["--demo", "--from-history"].contains(name)
          #expect(isKnown, "\(verb.name) \(name) is missing in Arguments.withValue")
        }
      }
    }
  }

  @Test("help of every verb fits 80 columns")
  func help() throws {
    for verb in try ClankyCockpit.tree().verbs {
      let type = verb.path.reduce(ClankyCockpit.self as any ParsableCommand.Type) { type, name in
        type.configuration.subcommands.first { $0._commandName == name } ?? type
      }
      for line in ClankyCockpit.helpMessage(for: type, columns: 80).split(separator: "\n") {
        #expect(line.count <= 80, "\(verb.name): \(line)")
      }
    }
  }

  @Test("completions answer with what is on this machine, and their words are not moved about")
  func completions() throws {
    #expect(
      rewritten(["---completion", "tail", "--", "--profile"]).first == "---completion")
    for shell in ["bash", "zsh", "fish"] {
      let script = ClankyCockpit.completionScript(
        for: try #require(CompletionShell(rawValue: shell)))
      #expect(script.contains("widget") && script.contains("---completion"), "\(shell)")
    }
  }
}
