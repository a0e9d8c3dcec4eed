/// The files that an agent remembers by, and what its memory search looks through.
enum GatewayFiles {
  struct File {
    var name: String
    /// nil for a file that the gateway looks for and does not find.
    var text: String?
    var ageMs: Int64 = 0

    func json(_ agent: String, withText: Bool, nowMs: Int64) -> DemoJSON {
      let json: DemoJSON = [
        "name": .string(name), "path": .string("\(Cast.Gateway.home)/agents/\(agent)/\(name)"),
        "missing": .bool(text == nil),
      ]
      guard let text else { return json }
      let whole = json.setting("size", .int(text.utf8.count))
        .setting("updatedAtMs", .int(Int(nowMs - ageMs)))
      return withText ? whole.setting("content", .string(text)) : whole
    }
  }

  /// A passage that a search found.
  struct Passage {
    var path: String
    /// Counted from 1.
    var line: Int
    var text: String
    var score: Double
  }

  static func all(_ agent: String) -> [File] {
    let name = Cast.Gateway.agent(agent)?.name ?? agent
    return [
      File(
        name: "AGENTS.md", text: "# \(name)\nAnswer shortly. Ask before you delete anything.\n",
        ageMs: 40 * DemoTime.day),
      File(
        name: "MEMORY.md",
        text: "# What \(name) remembers\n- Ines is allergic to walnuts.\n- The attic key hangs "
          + "behind the calendar.\n- Rent is due on the third.\n", ageMs: 3 * 3_600_000),
      File(
        name: "HEARTBEAT.md", text: "Look at the rain barrel and the inbox.\n",
        ageMs: 9 * DemoTime.day),
      File(name: "USER.md", text: nil),
    ]
  }

  /// What `agents.workspace.list` walks: the files of the list that are there, the notes, and a picture.
  static func workspace(_ agent: String) -> [File] {
    all(agent).filter { $0.text != nil } + notes(agent) + [
      File(name: "drafts/letter.md", text: "Dear neighbours,\nthank you for the walnuts.\n"),
      File(name: "drafts/attic.png", text: Picture.onePixel),
    ]
  }

  /// A file in base64.
  enum Picture {
    static let suffix = ".png"
    /// A PNG of one white pixel.
    static let onePixel =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg=="
  }

  /// Notes that are not in the list, as those of each day are on a gateway.
  private static func notes(_ agent: String) -> [File] {
    let lines = (1...40).map { "- Entry \($0): nothing to remember.\n" }.joined()
    return [
      File(
        name: "memory/2026-05-06.md",
        text: "# Wednesday\n\(lines)- Oskar brought walnuts; they went to the neighbours.\n")
    ]
  }

  /// The text that `memory_get` answers; empty for a file that is not there.
  static func text(_ agent: String, _ path: String) -> String {
    (all(agent) + notes(agent)).first { $0.name == path }?.text ?? ""
  }

  /// Lines with the words, the best first: as a gateway searches that has no model for embeddings.
  static func search(_ agent: String, _ query: String, most: Int) -> [Passage] {
    let words = query.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    guard !words.isEmpty else { return [] }
    var found: [Passage] = []
    for file in all(agent) + notes(agent) {
      let lines = (file.text ?? "").split(separator: "\n", omittingEmptySubsequences: false)
      for (index, line) in lines.enumerated() {
        let hits = words.count { line.lowercased().contains($0) }
        guard hits > 0 else { continue }
        let score = Double(hits) / Double(words.count) * (file.name == "MEMORY.md" ? 0.92 : 0.61)
        found.append(
          Passage(path: file.name, line: index + 1, text: String(line), score: score))
      }
    }
    return Array(found.sorted { $0.score > $1.score }.prefix(most))
  }
}
