import CockpitDomain
import CockpitHistory
import Foundation
import Networking
import Testing

@testable import CockpitSession

/// A bundle of the recorded backend is looked through for every id and name that stands in a field of its source; the
/// fields are found by a reader that shares nothing with the redaction.
@MainActor @Suite(.enabled(if: Recorded.folder != nil)) struct CaptureSecrecyTests {
  private struct Identities {
    var ids: Set<String> = []
    var names: Set<String> = []

    mutating func walk(_ value: Any, key: String = "") {
      if let text = value as? String {
        if Self.isID(key), text.count >= 17, text.allSatisfy(\.isNumber) { ids.insert(text) }
        if Self.isName(key), !text.isEmpty { names.insert(text) }
      }
      for value in value as? [Any] ?? [] { walk(value, key: key) }
      for (key, value) in value as? [String: Any] ?? [:] { walk(value, key: key) }
    }

    private static let owners = [
      "author", "actor", "actordisplay", "actoruser", "channel", "display", "guild", "member",
      "speaker", "textchannel", "user", "voicechannel",
    ]

    /// `authorId`, `author_id`
    private static func isID(_ key: String) -> Bool { Self.is(key, endings: ["id", "ids"]) }

    private static func isName(_ key: String) -> Bool { Self.is(key, endings: ["name", "tag"]) }

    private static func `is`(_ key: String, endings: [String]) -> Bool {
      let key = key.lowercased().filter { $0 != "_" }
      return endings.contains { ending in
        key.hasSuffix(ending) && owners.contains(String(key.dropLast(ending.count)))
      }
    }
  }

  /// Rows, documents and answers of the recordings as a history.
  private func record(in place: BundlePlaceForTests) throws -> (Identities, ClosedRange<Int64>) {
    var identities = Identities()
    let events = try Recorded.events("activity") + Recorded.events("voice")
    let startMs = try #require(events.map(\.atMs).min())
    let recorder = HistoryRecorder(
      folder: place.source,
      RecorderSettings(
        keepMs: nil, maxBytes: nil, windowMs: 5, what: "test", version: "0", bot: "b")
    ) { startMs }
    // Of documents, which repeat most of what they say, one in so long.
    var lastMs: [String: Int64] = [:]
    for (number, event) in events.enumerated() {
      if event.name == "stats_update" || event.name == "voice_state" {
        guard event.atMs - lastMs[event.name, default: 0] >= 15_000 else { continue }
        lastMs[event.name] = event.atMs
      }
      if let json = try? JSONSerialization.jsonObject(with: Data(event.data)) {
        identities.walk(json)
      }
      event.data.withUnsafeBytes { bytes in
        switch event.name {
        case "action_event", "voice_event":
          recorder.row(
            number: number, receivedMs: event.atMs,
            channels: event.name == "voice_event" ? .voice : .activity, json: bytes)
        case "voice_state", "stats_update":
          recorder.document(
            name: event.name == "voice_state" ? "voice_state" : "stats", atMs: event.atMs,
            receivedMs: event.atMs, body: bytes)
        default: break
        }
      }
    }
    var answers = 0
    for (path, body) in Recorded.answers {
      guard let url = URLComponents(string: path) else { continue }
      let segments = url.path.split(separator: "/").map(String.init)
      let query = (url.queryItems ?? []).map { RequestTarget.QueryItem($0.name, $0.value ?? "") }
      let request = RestRequest(.get, RequestTarget(segments, query: query))
      guard let name = RecordedRoutes.name(of: request, recordsOwnerPrivate: false) else {
        continue
      }
      answers += 1
      if let json = try? JSONSerialization.jsonObject(with: Data(body)) { identities.walk(json) }
      body.withUnsafeBytes {
        recorder.document(name: name, atMs: startMs, receivedMs: startMs, body: $0)
      }
    }
    #expect(answers > 5)
    #expect(recorder.stop(waiting: 60))
    let endMs = try #require(events.map { max($0.atMs, $0.createdMs ?? 0) }.max())
    return (identities, startMs - 60_000...endMs + 60_000)
  }

  @Test(
    "no id and no name of the recorded backend is left in a bundle of it",
    arguments: ProcessInfo.processInfo.environment["CLANKY_LONG_TESTS"] == nil
      ? [RedactionLevel.people] : [.people, .words])
  func nobody(level: RedactionLevel) throws {
    let place = try BundlePlaceForTests()
    let (identities, range) = try record(in: place)
    #expect(identities.ids.count > 10 && identities.names.count > 5)
    let report = try BundleExport.write(
      try HistoryFolder(place.source), DemoBundles.request(range, level), to: place.bundle)
    #expect(report.manifest.rows > 300 && report.manifest.documents > 10)
    // Documents repeat most of their texts.
    let all = Set(try BundleSecrecyTests.strings(place.bundle)).joined(separator: "\n")
    let raw = try Data(contentsOf: URL(filePath: place.bundle))
    for id in identities.ids.sorted()
    where all.contains(id) || raw.range(of: Data(id.utf8)) != nil {
      Issue.record("\(level): the id \(id) is left")
    }
    // The program's name, and whom a prompt addresses.
    for name in identities.names.sorted() where !["clanky", "YOU", "ME", "ALL"].contains(name) {
      let pattern =
        "(?i)(?<![\\p{L}\\p{N}_])" + NSRegularExpression.escapedPattern(for: name)
        + "(?![\\p{L}\\p{N}_])"
      if let found = all.range(of: pattern, options: .regularExpression) {
        Issue.record("\(level): \(name) is left: \(all[found.lowerBound...].prefix(60))")
      }
    }
  }
}
