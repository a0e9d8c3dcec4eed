/// A memory of any size, for trying how the screen bears it.
extension World {
  /// As many facts of one subject as one request returns with room to spare (contract 3.2).
  private static let factsPerSubject = 400

  func seedManyFacts(_ count: Int) {
    guard count > 0 else { return }
    let things = [
      "tea", "rope", "rye", "chess", "kites", "maps", "drums", "moss", "trains", "soup", "stoves",
      "fonts", "tides", "bees", "clay", "modems",
    ]
    let ways = [
      "likes", "is tired of", "asked about", "collects", "lent somebody", "writes about",
      "is learning about", "never mentions",
    ]
    let types = ["preference", "profile", "project", "relationship", "behavioral", "other"]
    let rows = (0..<count).map { index -> FactRow in
      let user = "6000000000000\(10_000 + index / Self.factsPerSubject)"
      let ms = startMs - Int64(index) * 600_000 - 60_000
      let text =
        "\(ways[index % ways.count].capitalizedFirst) \(things[index / 7 % things.count]) "
        + "and \(things[index / 3 % things.count]), note \(index + 1)"
      return FactRow(
        id: 0, createdMs: ms, updatedMs: ms, scope: isMay ? "user" : "guild",
        guild: isMay ? nil : Cast.ridge.id, channel: Cast.ridge.channels[0].id,
        user: isMay ? user : nil, subject: user, fact: text, factType: types[index % types.count],
        evidence: index % 3 == 0 ? "said so on day \(index % 365)" : nil, sourceMessage: nil,
        confidence: Double(index * 37 % 100) / 100)
    }
    store.facts.add(rows)
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
