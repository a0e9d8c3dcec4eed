import CockpitDemo
import CockpitHistory
import Foundation
import LenientJSON
import Testing

@testable import CockpitSession

/// A bundle is read with a reader of its own, and looked through for everybody in its source.
@MainActor @Suite struct BundleSecrecyTests {
  /// Every string of a bundle: keys and values of rows, documents and link records, and its other texts.
  private static func strings(_ path: String) throws -> [String] {
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
}
