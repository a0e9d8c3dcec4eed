import ArgumentParser
import Foundation
import LenientJSON
import Testing

@testable import CockpitCLI

/// `--spec` has what the parser takes and what the pages name.
@Suite struct SpecTests {
  private func spec(_ path: [String] = []) throws -> JSONValue {
    let line = SpecDocument(tree: try ClankyCockpit.tree()).line(path)
    #expect(line.allSatisfy { (0x20..<0x7F).contains($0) })
    return try JSONValue.parse(line)
  }

  private func strings(_ value: JSONValue?) -> [String] {
    (value?.array ?? []).compactMap(\.string)
  }

  @Test("every documented verb is in it, sorted, with its usage")
  func verbs() throws {
    let spec = try spec()
    #expect(spec["schema"]?.double == Double(SpecDocument.schema))
    let verbs = spec["verbs"]?.array ?? []
    let names = verbs.compactMap { $0["name"]?.string }
    #expect(names == names.sorted())
    let page = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "docs/commands.md"), encoding: .utf8)
    let documented = page.matches(of: /(?m)^## ([a-z].*)$/).map { String($0.1) }
    #expect(documented.count > 60)
    #expect(Set(documented) == Set(names))
    for verb in verbs {
      let abstract = verb["abstract"]?.string ?? ""
      let usage = verb["usage"]?.string ?? ""
      #expect(!abstract.isEmpty)
      #expect(usage.hasPrefix("clanky-cockpit"))
      let codes = (verb["exit_codes"]?.array ?? []).compactMap { $0["code"]?.double }
      #expect(codes == codes.sorted() && codes.first == 0)
    }
  }

  @Test("the parser knows each option that is listed")
  func options() throws {
    let spec = try spec()
    let everywhere = spec["everywhere"]?.array ?? []
    #expect(everywhere.count > 8)
    for verb in spec["verbs"]?.array ?? [] {
      let path = strings(verb["path"])
      let type = path.reduce(ClankyCockpit.self as any ParsableCommand.Type) { type, name in
        type.configuration.subcommands.first { $0._commandName == name } ?? type
      }
      // They are the same everywhere.
      let shared = path == ["tail"] || path == ["facts", "list"] ? everywhere : []
      for option in (verb["options"]?.array ?? []) + shared {
        for name in strings(option["names"]) {
          let value = strings(option["values"]).first ?? "1"
          let words = [name] + (option["kind"]?.string == "option" ? [value] : [])
          do {
            _ = try type.parseAsRoot(words)
          } catch {
            // Arguments may be missing, and 1 may be no such value; an option that is not known
            // has these words.
            let message = type.message(for: error)
            #expect(!message.contains("Unknown option"), "\(path) \(words): \(message)")
          }
        }
      }
    }
  }

  @Test("one verb, one family, and what is neither")
  func paths() throws {
    let tail = try spec(["tail"])["verbs"]?.array ?? []
    #expect(tail.compactMap { $0["name"]?.string } == ["tail"])
    let facts = try spec(["facts"])["verbs"]?.array ?? []
    #expect(facts.count > 5)
    let names = facts.compactMap { $0["name"]?.string }
    #expect(names.allSatisfy { $0.hasPrefix("facts ") })
    #expect(try SpecDocument.path(["--spec"], ClankyCockpit.tree) == [])
    #expect(try SpecDocument.path(["facts", "list", "--spec"], ClankyCockpit.tree) != nil)
    #expect(try SpecDocument.path(["fact", "--spec"], ClankyCockpit.tree) == nil)
    #expect(try SpecDocument.path(["tail", "--spec", "--json"], ClankyCockpit.tree) == nil)
  }

  @Test("exit codes are those of the help, also where it refers to another verb or to the family")
  func exits() throws {
    func meaning(_ path: String, _ code: Double) throws -> String? {
      let verbs = try spec()["verbs"]?.array ?? []
      let verb = verbs.first { $0["name"]?.string == path }
      return verb?["exit_codes"]?.array?.first { $0["code"]?.double == code }?["meaning"]?.string
    }
    #expect(try meaning("status", 1) == "degraded")
    #expect(try meaning("widget", 1) == "degraded")
    #expect(try meaning("facts list", 2) == "refused before anything was sent")
    #expect(try meaning("keys list", 1) == ExitMeanings.general[1].meaning)
    let why = try spec(["why"])["verbs"]?.array?.first
    #expect(strings(why?["exit_notes"]) == ["Exits with 1 when nothing is on record."])
    // Every sentence of a help about exit codes is in one of the two.
    for verb in try ClankyCockpit.tree().verbs {
      let help = verb.command.discussion ?? ""
      guard help.contains(/\b[Ee]xits?\b/) else { continue }
      let meanings = ExitMeanings([help]) { _ in help }
      let isRead =
        !meanings.notes.isEmpty
        || !meanings.codes.elementsEqual(ExitMeanings.general) { $0 == $1 }
        || help.contains("those of 'status'")
      #expect(isRead, "\(verb.name)")
    }
  }
}
