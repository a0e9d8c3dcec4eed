import CockpitDemo
import CockpitDomain
import CockpitHistory
import Foundation
import LenientJSON
import Testing

@testable import CockpitSession

/// A bundle is read with a reader of its own, and looked through for everybody in its source.
@MainActor @Suite struct BundleSecrecyTests {
  /// Every string of a bundle: keys and values of rows, documents and link records, and its other texts.
  static func strings(_ path: String) throws -> [String] {
    let history = try HistoryFolder(path)
    var strings: [String] = []
    func add(_ bytes: [UInt8]) throws {
      func walk(_ value: Any) {
        if let text = value as? String { strings.append(text) }
        for value in value as? [Any] ?? [] { walk(value) }
        for (key, value) in value as? [String: Any] ?? [:] {
          strings.append(key)
          walk(value)
        }
        if let number = value as? NSNumber { strings.append(number.stringValue) }
      }
      let options = JSONSerialization.ReadingOptions.fragmentsAllowed
      if let json = try? JSONSerialization.jsonObject(with: Data(bytes), options: options) {
        return walk(json)
      }
      // Hostile rows have halves of surrogates, which Foundation takes for no JSON.
      func walk(_ value: JSONValue) {
        if let text = value.string { strings.append(text) }
        for value in value.array ?? [] { walk(value) }
        for member in value.object?.members ?? [] {
          strings.append(member.key)
          walk(member.value)
        }
      }
      walk(try bytes.withUnsafeBytes { try JSONValue.parse($0) })
    }
    for row in try history.rows(notAfterMs: .max, limit: .max / 2, skipping: 0) {
      try add(row.json)
    }
    for document in try history.documents(after: .min, through: .max) {
      try add(document.body)
      strings.append(document.name)
    }
    for link in try history.links(after: .min, through: .max) { try add(link.value) }
    strings += try history.marks().map(\.note)
    if let manifest = try history.manifest() { try add(manifest.json) }
    return strings
  }

  @Test(
    "no id and no name of anybody in the demo is left",
    arguments: [
      DemoScenario.hostile, .story, .voice, .failing, .night,
    ])
  func nobody(scenario: DemoScenario) async throws {
    let place = try BundlePlaceForTests()
    let range = try await DemoBundles.record(scenario, in: place)
    let history = try HistoryFolder(place.source)
    let report = try BundleExport.write(history, DemoBundles.request(range), to: place.bundle)
    #expect(report.manifest.rows > 0)
    let people = DemoRecording.everybody
    // A name that stands in no field of the source is not known to anybody: texts may have it.
    let known = Set(try Self.strings(place.source))
    let strings = try Self.strings(place.bundle)
    let all = strings.joined(separator: "\n")
    let raw = try Data(contentsOf: URL(filePath: place.bundle))
    for (id, name) in people where all.contains(id) || raw.range(of: Data(id.utf8)) != nil {
      Issue.record("\(scenario): the id of \(name) is left")
    }
    // Names as whole words; what the demo's own bot is called is the program's name.
    for (_, name) in people where name != "clanky" && known.contains(name) {
      let pattern =
        "(?i)(?<![\\p{L}\\p{N}_])" + NSRegularExpression.escapedPattern(for: name)
        + "(?![\\p{L}\\p{N}_])"
      if let found = all.range(of: pattern, options: .regularExpression) {
        let line = all[found.lowerBound...].prefix(60)
        Issue.record("\(scenario): \(name) is left: \(line)")
      }
    }
  }

  @Test(
    "a guild, a channel and a person that are called like words of the format keep nothing from being exported",
    arguments: [false, true])
  func wordsOfTheFormat(isLines: Bool) throws {
    let place = try BundlePlaceForTests()
    let ms = DemoBundles.startMs
    let recorder = HistoryRecorder(
      folder: place.source,
      RecorderSettings(
        keepMs: nil, maxBytes: nil, windowMs: 5, what: "test", version: "0", bot: "b")
    ) { ms }
    let time = Date(timeIntervalSince1970: Double(ms) / 1000).formatted(.iso8601)
    let guild = "900000000000000101"
    Array(
      """
      {"id":1,"kind":"text_runtime","createdAt":"\(time)","guildId":"\(guild)","userId":"810000000000000001",\
      "content":"seen: stats, links and rows","metadata":{"userId":"810000000000000001","userName":"stats"}}
      """.utf8
    ).withUnsafeBytes {
      recorder.row(number: 0, receivedMs: ms, channels: .activity, json: $0)
    }
    let documents = [
      "GET /api/guilds": #"[{"id":"\#(guild)","name":"guilds"}]"#,
      "GET /api/guilds/\(guild)/channels":
        #"[{"id":"910000000000000011","name":"links"},{"id":"910000000000000012","name":"rows"}]"#,
      "GET /api/memory/facts?guildId=\(guild)&limit=500": #"{"facts":[]}"#,
      "stats": "{}",
    ]
    for (name, body) in documents {
      Array(body.utf8).withUnsafeBytes {
        recorder.document(name: name, atMs: ms, receivedMs: ms, body: $0)
      }
    }
    #expect(recorder.stop(waiting: 60))
    let (history, request) = (
      try HistoryFolder(place.source), DemoBundles.request(ms - 60_000...ms + 60_000)
    )
    guard !isLines else {
      let report = try BundleExport.writeLines(history, request, to: place.bundle)
      #expect(report.manifest.rows == 1 && report.manifest.documents == documents.count)
      return
    }
    let report = try BundleExport.write(history, request, to: place.bundle)
    #expect(report.manifest.rows == 1 && report.manifest.documents == documents.count)
    let names = try HistoryFolder(place.bundle).documentNames(notAfterMs: .max)
    #expect(names.contains("GET /api/guilds") && names.contains("stats"))
    #expect(names.contains { $0.hasPrefix("GET /api/guilds/") && $0.hasSuffix("/channels") })
    #expect(names.contains { $0.hasPrefix("GET /api/memory/facts?guildId=") })
    #expect(!names.contains { $0.contains(guild) })
    let text = try Self.strings(place.bundle).joined(separator: " ")
    #expect(!text.contains("seen: stats, links and rows"))
  }
}
