import ClankySource
import CockpitDomain
import ClankyWire
import Foundation
import LenientJSON
import Testing

@Suite struct FillPlanTests {
  /// Names that the specification lists and no release writes (wire contract 4.4).
  private static let unwritten: Set<String> = [
    "speech", "direct", "browser_session", "tiktok", "youtube", "url", "daily", "generic",
    "interval", "membership", "effect", "visualizer",
  ]
  /// The table of the wire contract, which lies beside the repository.
  private static let table: URL? = {
    var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    while folder.path != "/" {
      folder.deleteLastPathComponent()
      let file = folder.appendingPathComponent("shared/wire/action-kinds.json")
      if FileManager.default.fileExists(atPath: file.path) { return file }
    }
    return nil
  }()

  @Test("every kind that a release writes is asked for, each once (promise P4)")
  func kinds() {
    let asked = ActionsRoute.kindGroups.flatMap { $0 }
    #expect(asked.count == Set(asked).count)
    #expect(Set(asked) == Set(ActionKind.known.keys).subtracting(Self.unwritten))
  }

  @Test(
    "the same by the table of the wire contract (promise P4)",
    .enabled(if: table != nil))
  func kindsOfTheContract() throws {
    let table = try Data(contentsOf: try #require(Self.table))
    let rows = try #require(try JSONValue.parse(Array(table)).array)
    let written = rows.filter { row in
      row["seen_in"]?.array?.contains { $0.string != "spec" } ?? true
    }.compactMap { $0["kind"]?.string }
    #expect(written.count == 99)
    #expect(Set(written) == Set(ActionsRoute.kindGroups.joined()))
  }

  private func parts(_ plan: inout FillPlan, _ seen: SeenParts) -> [FillPart] {
    var parts: [FillPart] = []
    while let part = plan.next(seen) { parts.append(part) }
    return parts
  }

  @Test("all rows: known kinds, then those that were seen, then guilds")
  func all() {
    let seen = SeenParts(kinds: ["llm_call", "lantern", "a,b"], guilds: ["2", "1"])
    var plan = FillPlan()
    plan.divide(FillPart(), by: seen)
    let asked = parts(&plan, seen)
    #expect(
      asked
        == ActionsRoute.kindGroups.map { FillPart(kinds: $0) } + [
          FillPart(kinds: ["lantern"]), FillPart(guild: "1"), FillPart(guild: "2"),
        ])
    // A part too long for one answer is too long for a guild too.
    var long = FillPlan()
    long.divide(FillPart(), by: seen, isTooLarge: true)
    let askedInLong = parts(&long, seen)
    #expect(askedInLong.count == ActionsRoute.kindGroups.count + 1)
  }

  @Test("rows of one guild stay rows of one guild")
  func guild() {
    let seen = SeenParts(kinds: ["lantern"], guilds: ["1", "2"])
    var plan = FillPlan(FillPart(guild: "1"))
    plan.divide(FillPart(guild: "1"), by: seen)
    let parts = parts(&plan, seen)
    #expect(parts.count == ActionsRoute.kindGroups.count + 1)
    #expect(parts.allSatisfy { $0.guild == "1" && !$0.kinds.isEmpty })
  }

  @Test("kinds are halved, one kind goes by guilds, and one kind of one guild is the end")
  func kindsAndGuilds() {
    let seen = SeenParts(kinds: ["lantern"], guilds: ["1", "2"])
    var plan = FillPlan(FillPart(kinds: ["a", "b", "c"]))
    let isHalved = plan.divide(FillPart(kinds: ["a", "b", "c"]), by: seen)
    let first = plan.next(seen)
    #expect(isHalved && first == FillPart(kinds: ["a"]))
    let hasGuilds = plan.divide(FillPart(kinds: ["a"]), by: seen)
    let hasMore = plan.divide(FillPart(kinds: ["a"], guild: "1"), by: seen)
    #expect(hasGuilds && !hasMore)
    let rest = parts(&plan, seen)
    #expect(
      rest == [
        FillPart(kinds: ["a"], guild: "1"), FillPart(kinds: ["a"], guild: "2"),
        FillPart(kinds: ["b", "c"]),
      ])
  }

  @Test("any number of odd kinds goes into requests of a bounded length")
  func manyKinds() {
    let kinds = (0..<100).map { "\(String(repeating: "k", count: 70))\($0)" }
    let seen = SeenParts(kinds: Set(kinds))
    var plan = FillPlan()
    plan.divide(FillPart(), by: seen)
    let others = parts(&plan, seen).dropFirst(ActionsRoute.kindGroups.count)
    #expect(others.map(\.kinds.count) == [40, 40, 20])
    #expect(Set(others.flatMap(\.kinds)) == Set(kinds))
  }
}
