import CockpitDemo
import CockpitDomain
import CockpitHistory
import CockpitStores
import Foundation
import Testing

@testable import CockpitSession

/// Exports and imports.
@MainActor @Suite struct BundleTests {
  private static func rows(_ path: String) throws -> [RecordedRow] {
    try HistoryFolder(path).rows(notAfterMs: .max, limit: 1_000_000, skipping: 0)
  }

  @Test("without redaction rows, documents and link records come back as they were")
  func exact() async throws {
    let place = try BundlePlaceForTests()
    let range = try await DemoBundles.record(.story, in: place)
    let history = try HistoryFolder(place.source)
    let report = try BundleExport.write(
      history, DemoBundles.request(range, .none), to: place.bundle)
    let context = report.manifest.contextFromMs...report.manifest.contextToMs
    let before = try Self.rows(place.source).filter { context.contains($0.atMs) }
    let after = try Self.rows(place.bundle).filter { context.contains($0.atMs) }
    #expect(before == after)
    #expect(report.manifest.rows == (try Self.rows(place.bundle)).count)
    let bundle = try HistoryFolder(place.bundle)
    for name in try history.documentNames(notAfterMs: range.upperBound) {
      #expect(
        try history.document(name, notAfterMs: range.upperBound)?.body
          == bundle.document(name, notAfterMs: range.upperBound)?.body, "\(name)")
    }
    #expect(try bundle.manifest() == report.manifest)
    #expect(HistoryUpkeepFindings.isSound(place.bundle))
    let mode = try FileManager.default.attributesOfItem(atPath: place.bundle)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    // Nothing is left beside it.
    let names = try FileManager.default.contentsOfDirectory(atPath: place.path)
    #expect(names.sorted() == ["source", "x.flight"])
  }

  @Test("kinds, times, costs, sessions and ids of rows are those of the source, redacted or not")
  func figures() async throws {
    let place = try BundlePlaceForTests()
    let range = try await DemoBundles.record(.voice, in: place)
    let history = try HistoryFolder(place.source)
    _ = try BundleExport.write(history, DemoBundles.request(range), to: place.bundle)
    struct Figures: Hashable {
      var atMs: Int64
      var id: Int?
      var kind: String
      var cost: Double?
    }
    func figures(_ path: String) throws -> [Figures] {
      let log = ActionLog(memory: 256 << 20)
      for row in try Self.rows(path).reversed() where range.contains(row.atMs) {
        _ = try row.json.withUnsafeBytes {
          try log.restore($0, actionID: row.actionID, origins: row.channels, nowMs: row.receivedMs)
        }
      }
      return (0..<log.count).map {
        let row = log.row(at: $0)
        return Figures(atMs: row.timeMs, id: row.actionID, kind: row.kind, cost: row.costUSD)
      }
    }
    let source = try figures(place.source)
    #expect(!source.isEmpty)
    #expect(try figures(place.bundle) == source)
  }

  @Test("an import gives the history of the bundle, from the file and from its JSON lines")
  func imports() async throws {
    let place = try BundlePlaceForTests()
    let range = try await DemoBundles.record(.story, in: place)
    let history = try HistoryFolder(place.source)
    var request = DemoBundles.request(range)
    request.seed = 7
    request.note = "why was Nadia Vale silent?"
    let report = try BundleExport.write(history, request, to: place.bundle)
    let lines = place.path + "/x.jsonl"
    _ = try BundleExport.writeLines(history, request, to: lines)
    #expect(report.manifest.note.hasPrefix("why was person-"))
    let copy = place.path + "/copy"
    let other = place.path + "/other"
    #expect(try HistoryImport.run(place.bundle, into: copy) == report.manifest.rows)
    #expect(try HistoryImport.run(lines, into: other) == report.manifest.rows)
    let wanted = try Self.rows(place.bundle)
    #expect(try Self.rows(copy) == wanted)
    // Lines have the shape of stored rows; what they say is the same.
    let read = try Self.rows(other)
    #expect(read.map(\.seq) == wanted.map(\.seq))
    #expect(read.map(\.actionID) == wanted.map(\.actionID))
    #expect(read.map(\.receivedMs) == wanted.map(\.receivedMs))
    #expect(read.map(\.channels) == wanted.map(\.channels))
    #expect(try HistoryFolder(other).manifest()?.fromMs == request.fromMs)
    for folder in [copy, other] {
      let bundle = try HistoryFolder(folder)
      let names = try bundle.documentNames(notAfterMs: .max)
      #expect(names == (try HistoryFolder(place.bundle).documentNames(notAfterMs: .max)))
      #expect(throws: HistoryError.self) { try HistoryImport.run(place.bundle, into: folder) }
    }
  }

  @Test("what is no bundle, is cut off, or was written by a newer version is told apart")
  func damaged() async throws {
    let place = try BundlePlaceForTests()
    let range = try await DemoBundles.record(.story, forMs: 30_000, in: place)
    _ = try BundleExport.write(
      try HistoryFolder(place.source), DemoBundles.request(range), to: place.bundle)
    let bytes = try Data(contentsOf: URL(filePath: place.bundle))
    func problem(_ bytes: Data) throws -> String {
      let path = place.path + "/bad.flight"
      try bytes.write(to: URL(filePath: path))
      do {
        let history = try HistoryFolder(path)
        let rows = try history.rows(notAfterMs: .max, limit: 10_000, skipping: 0)
        return rows.isEmpty || history.damage != HistoryDamage() ? "damaged" : "sound"
      } catch {
        return error.description
      }
    }
    #expect(try problem(Data("hello".utf8)).contains("bad.flight"))
    #expect(try problem(bytes.prefix(bytes.count / 3)) != "sound")
    var newer = bytes
    // `user_version`, big-endian, at byte 60 (SQLite file format, 1.3).
    newer[63] = 99
    #expect(
      try problem(newer).contains("written by a newer version (format 99), this one reads up to"))
    // A flipped byte never gives a wrong row.
    let sound = Set(try Self.rows(place.bundle).map(\.json))
    for at in stride(from: 200, to: bytes.count, by: max(1, bytes.count / 60)) {
      var flipped = bytes
      flipped[at] ^= 0x40
      let path = place.path + "/flipped.flight"
      try flipped.write(to: URL(filePath: path))
      guard let history = try? HistoryFolder(path),
        let rows = try? history.rows(notAfterMs: .max, limit: 10_000, skipping: 0)
      else { continue }
      #expect(rows.allSatisfy { sound.contains($0.json) }, "byte \(at)")
    }
  }

  @Test(
    "a file that is there is kept, a time without rows is said, the log of exports has the path")
  func refusals() async throws {
    let place = try BundlePlaceForTests()
    let range = try await DemoBundles.record(.story, forMs: 9000, in: place)
    let history = try HistoryFolder(place.source)
    try Data("mine".utf8).write(to: URL(filePath: place.bundle))
    #expect(throws: HistoryError.self) {
      try BundleExport.write(history, DemoBundles.request(range), to: place.bundle)
    }
    #expect(try Data(contentsOf: URL(filePath: place.bundle)) == Data("mine".utf8))
    #expect(throws: HistoryError.self) {
      try BundleExport.preview(history, DemoBundles.request(1_000_000...2_000_000))
    }
    let report = try BundleExport.preview(history, DemoBundles.request(range))
    #expect(report.bytes == nil && report.manifest.rows > 0 && !report.samples.isEmpty)
    try report.manifest.noteExport(to: "/tmp/a.flight", in: place.source)
    #expect(try HistoryNotes.pins(in: place.source).isEmpty)
  }

  @Test("the token is found in an export, and nothing is left of the file")
  func token() async throws {
    let place = try BundlePlaceForTests()
    let range = try await DemoBundles.record(.story, forMs: 9000, in: place)
    let history = try HistoryFolder(place.source)
    for level in RedactionLevel.allCases {
      var request = DemoBundles.request(range, level)
      let secret = Array("claude-opus".utf8)
      request.findsSecret = { bytes in Data(bytes).range(of: Data(secret)) != nil }
      #expect(throws: HistoryError.self) {
        try BundleExport.write(history, request, to: place.bundle)
      }
      #expect(!FileManager.default.fileExists(atPath: place.bundle))
    }
  }

  @Test("an export takes what was committed while somebody records")
  func whileRecording() async throws {
    let place = try BundlePlaceForTests()
    let range = try await DemoBundles.record(.story, forMs: 9000, in: place)
    let recorder = HistoryRecorder(
      folder: place.source,
      RecorderSettings(
        keepMs: nil, maxBytes: nil, windowMs: 1, syncMs: nil, what: "test", version: "0", bot: "b")
    ) { DemoBundles.startMs + 10_000 }
    let json = Array(
      #"{"kind":"sent_reply","content":"late","createdAt":"2026-11-25T09:46:42.000Z","userId":"198340027715584000"}"#
        .utf8)
    for number in 1...500 {
      json.withUnsafeBytes {
        recorder.row(number: number, receivedMs: DemoBundles.startMs, channels: .activity, json: $0)
      }
      if number == 250 {
        _ = try BundleExport.write(
          try HistoryFolder(place.source), DemoBundles.request(range), to: place.bundle)
      }
    }
    #expect(recorder.stop(waiting: 60))
    #expect(HistoryUpkeepFindings.isSound(place.bundle))
    #expect(HistoryUpkeepFindings.isSound(place.source))
  }
}

enum HistoryUpkeepFindings {
  static func isSound(_ path: String) -> Bool {
    guard let findings = try? HistoryUpkeep.verify(path) else { return false }
    return !findings.isEmpty && findings.allSatisfy(\.isSound)
  }
}
