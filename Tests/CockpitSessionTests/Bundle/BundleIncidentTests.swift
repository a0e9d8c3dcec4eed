import CockpitDemo
import CockpitHistory
import CockpitRules
import Foundation
import Testing

@testable import CockpitSession

/// What the rules find in a bundle is what they found in its source.
@Suite struct BundleIncidentTests {
  private static func found(_ path: String, _ range: ClosedRange<Int64>) throws -> [Incident] {
    try IncidentScan(RuleSettings()).report(
      try HistoryFolder(path), fromMs: range.lowerBound, toMs: range.upperBound
    ).incidents
  }

  @Test("a bundle has the same incidents by the same ids, redacted or not")
  func ids() async throws {
    let place = try BundlePlaceForTests()
    _ = try await DemoBundles.record(.night, in: place)
    let span = try #require(try HistoryFolder(place.source).span())
    let source = try Self.found(place.source, span)
    #expect(source.count > 10)
    func bundle(_ level: RedactionLevel) throws -> [Incident] {
      let file = "\(place.path)/\(level.rawValue).flight"
      _ = try BundleExport.write(
        try HistoryFolder(place.source), DemoBundles.request(span, level), to: file)
      return try Self.found(file, span)
    }
    #expect(try bundle(.none).map(\.id) == source.map(\.id))
    // Prompts are not in it.
    func told(_ incidents: [Incident]) -> [String] {
      incidents.filter { $0.rule != .promptJump }
        .map { "\($0.id) \($0.fromMs) \($0.rule.rawValue) \($0.level) x\($0.count)" }.sorted()
    }
    #expect(try told(bundle(.people)) == told(source))
  }
}
