import Foundation
import TOMLKit
import Testing

@testable import TOML

@Suite struct TOMLEditTests {
  private static let file = """
    # The bot at home.
    theme   = 'okabe'   # the one I can read

    profile = "prod"
    token_command = \"\"\"
    pass show clanky
    theme = "no key, a line of text"
    \"\"\"

    # Production: careful.
    [profiles.prod]
      url = "https://bot.example"  # behind the proxy
      "theme" = "mono"

    [profiles."a b"]
    url = "http://127.0.0.1:1"
    alerts.every = 30
    list = [
      "one", # the first
      "]", # no end
    ]

    [keys]
    quit = ["q", "F10"]
    """

  private func edited(
    _ text: String = file, _ change: (inout TOMLEdit) throws -> Void
  ) throws -> String {
    var edit = try TOMLEdit(text)
    try change(&edit)
    return edit.text
  }

  @Test("a value is replaced where it stands, and the comment behind it stays")
  func replace() throws {
    let text = try edited { try $0.set("theme", .string("mono")) }
    #expect(
      text
        == Self.file.replacing("theme   = 'okabe'   #", with: "theme   = \"mono\"   #"))
  }

  @Test("a value of several lines is one value")
  func multiline() throws {
    let text = try edited { try $0.set("token_command", .string("x")) }
    #expect(text.contains("profile = \"prod\"\ntoken_command = \"x\"\n\n# Production"))
    let list = try edited { try $0.set("list", .strings(["a"]), in: "profiles.\"a b\"") }
    #expect(list.contains("every = 30\nlist = [\"a\"]\n\n[keys]"))
  }

  @Test("a quoted key is the key, and a table's key is not the top level's")
  func tables() throws {
    let text = try edited { try $0.set("theme", .string("auto"), in: "profiles.prod") }
    #expect(text == Self.file.replacing("\"theme\" = \"mono\"", with: "\"theme\" = \"auto\""))
  }

  @Test("a new key goes to the end of its table, indented like its neighbour")
  func insertion() throws {
    let text = try edited { try $0.set("guild", .string("1"), in: "profiles.prod") }
    #expect(
      text
        == Self.file.replacing(
          "\"theme\" = \"mono\"\n", with: "\"theme\" = \"mono\"\n  guild = \"1\"\n"))
    let end = try edited { try $0.set("zoom", .strings(["z"]), in: "keys") }
    #expect(end == Self.file + "\nzoom = [\"z\"]")
  }

  @Test("a new key of the top level stays above the tables and their comments")
  func topLevel() throws {
    #expect(
      try edited("# mine\n\n# prod\n[profiles.prod]\nurl = \"x\"\n") {
        try $0.set("utc", .bool(true))
      }
        == "# mine\n\nutc = true\n\n# prod\n[profiles.prod]\nurl = \"x\"\n")
    #expect(try edited("") { try $0.set("utc", .bool(true)) } == "utc = true\n")
    #expect(
      try edited("# only words") { try $0.set("utc", .bool(true)) }
        == "# only words\n\nutc = true\n")
  }

  @Test("a missing table is added at the end, with the line ends of the file")
  func newTable() throws {
    #expect(
      try edited("utc = true\r\n") { try $0.set("tab", .string("voice"), in: "layout") }
        == "utc = true\r\n\r\n[layout]\r\ntab = \"voice\"\r\n")
    #expect(
      try edited("[alerts.classes]\nerror = \"off\"\n") {
        try $0.set("every", .integer(30), in: "alerts")
      } == "[alerts.classes]\nerror = \"off\"\n\n[alerts]\nevery = 30\n")
    let name = "it's \"x\".y"
    let text = try edited("") {
      try $0.set("url", .string("u"), in: "profiles.\(TOMLEdit.quoted(name))")
    }
    let profile = try TOMLDocument.table(text)["profiles"]?.table?[name]?.table
    #expect(profile?["url"]?.string == "u")
  }

  @Test("a table of dotted keys gets one more of them")
  func dotted() throws {
    #expect(
      try edited("alerts.bell = \"on\" # loud\nutc = true\n") {
        try $0.set("flash", .string("off"), in: "alerts")
      } == "alerts.bell = \"on\" # loud\nalerts.flash = \"off\"\nutc = true\n")
    #expect(
      try edited("alerts.bell = \"on\" # loud\n") {
        try $0.set("bell", .string("off"), in: "alerts")
      } == "alerts.bell = \"off\" # loud\n")
  }

  @Test("a key goes with its line; a missing one is no change")
  func removal() throws {
    let text = try edited { try $0.remove("url", in: "profiles.prod") }
    #expect(
      text
        == Self.file.replacing("  url = \"https://bot.example\"  # behind the proxy\n", with: ""))
    #expect(try edited { try $0.remove("utc") } == Self.file)
    #expect(try edited { try $0.set("profile", .string("prod")) } == Self.file)
  }

  @Test("texts come back as they were, whatever is in them")
  func values() throws {
    for value in ["", "a\"b\\c", "line\nline\r\ttab", "\u{1}\u{7F}\u{85}", "é😀\u{202E}", "#]'}"] {
      let text = try edited { try $0.set("token_command", .string(value)) }
      #expect(
        try TOMLDocument.table(text.prefixBeforeTables)["token_command"]?.string == value)
    }
  }

  @Test(
    "what is no line of its own is refused, and nothing changes",
    arguments: [
      (
        "profiles = { prod = { url = \"x\" } }", "profiles.prod", "url",
        "is a part of line 1, which sets 'profiles' as a whole"
      ),
      ("[[profiles]]\nurl = \"x\"", "profiles", "url", "belongs to an array of tables"),
      ("[profiles.prod]\nurl = \"x\"", "profiles", "prod", "is a table"),
      ("alerts.bell = \"on\"", "", "alerts", "is a table"),
    ])
  func refusals(toml: String, table: String, key: String, words: String) throws {
    var edit = try TOMLEdit(toml)
    #expect {
      try edit.set(key, .string("y"), in: table.isEmpty ? nil : table)
    } throws: {
      "\($0)".contains(words) && "\($0)".hasSuffix("; change it in an editor")
    }
    #expect(edit.text == toml)
  }

  @Test("a value that TOML cannot hold is refused")
  func nul() throws {
    #expect(throws: TOMLEditError.self) { try edited { try $0.set("theme", .string("a\0b")) } }
    #expect(throws: TOMLEditError.self) { try TOMLEdit("a = 1\n\0b = 2") }
    #expect(throws: TOMLEditError.self) { try TOMLEdit("a = ") }
  }

  @Test("random edits keep every other line, and say what was asked for")
  func randomEdits() throws {
    var generator = SplitMix(state: 7)
    let keys = ["theme", "url", "guild", "a b", "é", "list", "every"]
    let tables = [nil, "profiles.prod", "profiles.\"a b\"", "keys", "new", "new.inner", "alerts"]
    for round in 0..<300 {
      let newline = round % 2 == 0 ? "\n" : "\r\n"
      var edit = try TOMLEdit(Self.file.replacing("\n", with: newline))
      for _ in 0..<8 {
        let key = keys.randomElement(using: &generator) ?? ""
        let table = tables.randomElement(using: &generator) ?? nil
        let before = edit.text
        let oldLines = before.components(separatedBy: newline)
        if Bool.random(using: &generator) {
          let value = "v\(Int.random(in: 0..<3, using: &generator))"
          try edit.set(key, .string(value), in: table)
        } else {
          try edit.remove(key, in: table)
        }
        // Nothing but lines around one place is different.
        let newLines = edit.text.components(separatedBy: newline)
        let prefix = zip(oldLines, newLines).prefix { $0 == $1 }.count
        let suffix = zip(oldLines.reversed(), newLines.reversed()).prefix { $0 == $1 }.count
        #expect(oldLines.count - prefix - suffix <= 5, "\(key) in \(table ?? "-")")
        #expect(newLines.count - prefix - suffix <= 4, "\(key) in \(table ?? "-")")
        for comment in ["# The bot at home.", "# Production: careful."] {
          #expect(edit.text.contains(comment))
        }
      }
    }
  }

  /// Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014.
  private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }
}

extension String {
  fileprivate var prefixBeforeTables: String {
    range(of: "\n# Production").map { String(self[..<$0.lowerBound]) } ?? self
  }
}
