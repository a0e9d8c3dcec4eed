import CockpitDemo
import CockpitHistory
import Foundation
import Testing

@testable import CockpitSession

/// A folder that is removed with its test.
final class BundlePlaceForTests {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/bundle-\(UInt64.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    if getenv("KEEP_BUNDLES") == nil { try? FileManager.default.removeItem(atPath: path) }
  }

  var source: String { path + "/source" }
  var bundle: String { path + "/x.flight" }
}

enum DemoBundles {
  static let startMs: Int64 = 1_795_600_000_000

  /// A recorded demo, and the stretch of it that is exported.
  static func record(
    _ scenario: DemoScenario, seed: UInt64 = 1, forMs ms: Int64 = 120_000,
    in place: BundlePlaceForTests
  ) async throws -> ClosedRange<Int64> {
    let range = try await DemoHistory.write(
      DemoOptions(seed: seed, scenario: scenario), startMs: startMs, forMs: ms, into: place.source,
      version: "0")
    let from = scenario == .night ? startMs - 90 * 60_000 : startMs
    return max(range.lowerBound, from)...range.upperBound
  }

  static func request(
    _ range: ClosedRange<Int64>, _ level: RedactionLevel = .people
  ) -> BundleRequest {
    BundleRequest(
      fromMs: range.lowerBound, toMs: range.upperBound, redaction: level, version: "0.1",
      createdMs: startMs)
  }
}
