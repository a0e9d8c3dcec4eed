import CockpitAnswers
import CockpitDemo
import CockpitHistory
import CockpitStores
import Foundation
import Testing

@testable import CockpitSession

/// The bundle in the repository: the sample of format 1, which every later version must read.
@MainActor @Suite struct SampleBundleTests {
  private static let path = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../docs/samples/demo-1.flight").standardizedFileURL
    .path(percentEncoded: false)

  @Test("the sample of format 1 opens, and says what it is")
  func manifest() throws {
    let history = try HistoryFolder(Self.path)
    let manifest = try #require(try history.manifest())
    #expect(manifest.redaction == .people && !manifest.hasPrompts)
    #expect(manifest.note == "a minute of the demo")
    #expect(manifest.toMs - manifest.fromMs == 60_000)
    #expect(manifest.rows == (try history.rowCount()))
    #expect(manifest.rows > 100 && manifest.documents > 10)
    #expect(manifest.dialect == "May")
    #expect(HistoryUpkeepFindings.isSound(Self.path))
    let size = try FileManager.default.attributesOfItem(atPath: Self.path)[.size] as? Int
    #expect(try #require(size) <= 200_000)
  }

  @Test("the sample has answers, each with rows that are in it")
  func verdicts() throws {
    let history = try HistoryFolder(Self.path)
    let manifest = try #require(try history.manifest())
    let verdicts = try Verdicts.of(history, manifest.fromMs...manifest.toMs)
    #expect(verdicts.contains { $0.outcome == "replied" || $0.outcome == "spoken" })
    #expect(verdicts.allSatisfy { !$0.evidence.isEmpty })
  }
}

/// What `why` says about the exchanges of a time, without words and names.
struct Verdicts: Hashable {
  var medium: String
  var outcome: String
  var reason: String?
  var rule: String
  var state: String
  var evidence: [Int?]
  var startMs: Int64

  @MainActor static func of(
    _ history: HistoryFolder, _ range: ClosedRange<Int64>
  ) throws -> [Verdicts] {
    let log = ActionLog(memory: 256 << 20)
    let endMs = range.upperBound + BundleRequest.tailMs
    for row in try history.rows(notAfterMs: endMs, limit: 100_000, skipping: 0).reversed() {
      _ = try row.json.withUnsafeBytes {
        try log.restore($0, actionID: row.actionID, origins: row.channels, nowMs: row.receivedMs)
      }
    }
    let voice = VoiceStore()
    _ = voice.follow(log)
    let rows = ExchangeRows(
      log, voice: voice, names: NameTable(), facts: [], hasNewest: true, nowMs: endMs
    ).indexed()
    var verdicts: [Verdicts] = []
    for entry in rows.entries() {
      guard let exchange = rows.exchange(entry.key), range.contains(exchange.startMs) else {
        continue
      }
      let why = Why(exchange)
      verdicts.append(
        Verdicts(
          medium: exchange.medium.rawValue, outcome: why.outcome.rawValue, reason: why.reason,
          rule: why.rule, state: why.answer.state.rawValue,
          evidence: why.answer.evidence.map(\.actionID), startMs: exchange.startMs))
    }
    return verdicts.sorted { ($0.startMs, $0.rule) < ($1.startMs, $1.rule) }
  }
}

@MainActor @Suite struct BundleVerdictTests {
  @Test(
    "why says the same of a bundle as of its source",
    arguments: [RedactionLevel.none, .people, .words])
  func same(level: RedactionLevel) async throws {
    let place = try BundlePlaceForTests()
    let range = try await DemoBundles.record(.night, forMs: 1000, in: place)
    let source = try HistoryFolder(place.source)
    _ = try BundleExport.write(source, DemoBundles.request(range, level), to: place.bundle)
    let wanted = try Verdicts.of(source, range)
    let found = try Verdicts.of(try HistoryFolder(place.bundle), range)
    #expect(wanted.count > 10)
    for (one, other) in zip(wanted, found) {
      var (one, other) = (one, other)
      if level == .words {
        // Words that are not there are no evidence.
        #expect(Set(other.evidence).isSubset(of: one.evidence))
        (one.evidence, other.evidence) = ([], [])
      }
      #expect(one == other)
    }
    #expect(wanted.count == found.count)
  }
}
