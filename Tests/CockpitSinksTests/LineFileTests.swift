import CockpitHistory
import CockpitSinks
import Foundation
import LenientJSON
import Testing

@Suite struct LineFileTests {
  private static func run(
    _ place: SinkPlace, _ file: String, maxBytes: Int = 50 << 20, level: RedactionLevel = .none
  ) async {
    let sink = SinkThread(
      place.plan(level: level) { SinkTargets.ndjson(file: file, bot: "prod", maxBytes: maxBytes) },
      nowMs: { SinkPlace.nowMs })
    #expect(await sink.end())
  }

  private static func lines(_ path: String) throws -> [JSONValue] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      .map { try JSONValue.parse(Array($0.utf8)) }
  }

  @Test("lines have the members of the bot's own log, in their order")
  func shape() async throws {
    let place = SinkPlace()
    place.record([
      """
      {"kind":"voice_error","content":"socket_closed: gone","createdAt":"2026-05-09T18:22:41.307Z","usdCost":0.5,\
      "guildId":"812345678901234567","userId":"198765432109876543","metadata":{"a":[1,"x"],"b":null}}
      """,
      """
      {"id":7,"kind":"memory_fact","content":null,"created_at":"2026-05-09T18:22:42.000Z","usd_cost":0,\
      "channel_id":"812345678901234999","message_id":"1360000000000000001","metadata":{"agentId":"own"}}
      """,
    ])
    let file = place.path + "/lines.ndjson"
    await Self.run(place, file)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(
      text == """
        {"ts":"2026-05-09T18:22:41.307Z","instance":"prod","source":"store_action","level":"error",\
        "kind":"voice_error","event":"socket_closed: gone","agent":"voice","guild_id":"812345678901234567",\
        "channel_id":null,"message_id":null,"user_id":"198765432109876543","usd_cost":0.5,\
        "content":"socket_closed: gone","metadata":{"a":[1,"x"],"b":null}}
        {"ts":"2026-05-09T18:22:42.000Z","instance":"prod","source":"store_action","level":"info",\
        "kind":"memory_fact","event":"memory_fact","agent":"own","guild_id":null,\
        "channel_id":"812345678901234999","message_id":"1360000000000000001","user_id":null,"usd_cost":0.0,\
        "content":null,"metadata":{"agentId":"own"}}

        """)
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test("a full file is set aside, and no line is lost")
  func rotation() async throws {
    let place = SinkPlace()
    let file = place.path + "/lines.ndjson"
    for round in 0..<3 {
      place.record(
        (0..<10).map { SinkRows.plain(round * 10 + $0) }, first: round * 100)
      await Self.run(place, file, maxBytes: 5000)
    }
    let old = try Self.lines(file + ".1")
    let new = try Self.lines(file)
    let contents = (old + new).compactMap { $0["content"]?.string }
    #expect(contents == (10..<30).map { "row \($0)" } || contents == (0..<30).map { "row \($0)" })
    #expect(new.last?["content"]?.string == "row 29")
  }

  @Test("lines of a batch that a killed run did not keep are cut before they are written again")
  func killed() async throws {
    let place = SinkPlace()
    let file = place.path + "/lines.ndjson"
    place.record((0..<5).map { SinkRows.plain($0) })
    await Self.run(place, file)
    let notes = URL(filePath: place.path + "/notes.db")
    let before = try Data(contentsOf: notes)
    place.record((5..<9).map { SinkRows.plain($0) }, first: 50)
    await Self.run(place, file)
    try before.write(to: notes)
    await Self.run(place, file)
    #expect(
      try Self.lines(file).compactMap { $0["content"]?.string } == (0..<9).map { "row \($0)" })
    // Half a line.
    try before.write(to: notes)
    let handle = try FileHandle(forWritingTo: URL(filePath: file))
    try handle.truncate(atOffset: try handle.seekToEnd() - 7)
    try handle.close()
    await Self.run(place, file)
    #expect(
      try Self.lines(file).compactMap { $0["content"]?.string } == (0..<9).map { "row \($0)" })
  }

  @Test("hostile text stays in its line, and comes back whole")
  func hostile() async throws {
    let place = SinkPlace()
    let file = place.path + "/lines.ndjson"
    place.record(HostileTexts.contents.enumerated().map { HostileTexts.row($0.offset, $0.element) })
    await Self.run(place, file)
    let lines = try Self.lines(file)
    #expect(lines.count == HostileTexts.contents.count)
    for (line, content) in zip(lines, HostileTexts.contents) {
      let sent = try JSONValue.parse(Array(content.utf8)).string
      #expect(line["content"]?.string == (sent == "" ? nil : sent))
    }
  }
}
