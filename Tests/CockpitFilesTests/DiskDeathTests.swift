import Foundation
import Testing
import disk_probe

@testable import CockpitFiles

/// A process is killed before, after and in the middle of each call: the content is the old or the
/// new one, and the next process goes on from there (promise P7).
@Suite("disk: death at each call (promise P7)") struct DiskDeathTests {
  /// The probe, beside the test bundle.
  private static let probe: URL = {
    let beside = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    return (beside ?? URL(filePath: CommandLine.arguments.first ?? "")).deletingLastPathComponent()
      .appending(path: "disk-probe")
  }()

  private static func start(_ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = probe
    process.arguments = arguments
    try process.run()
    return process
  }

  @Test("killed at each call", arguments: DiskFaultTests.cases)
  func killed(test: DiskFaultTests.Case) throws {
    let dry = ScriptedDisk()
    let fixture = try StateFixture()
    if !test.isFresh { try fixture.prepare(for: test.operation) }
    try test.operation.run(in: fixture.state, disk: dry)
    for (index, call) in dry.calls.enumerated() {
      for position in ["before", "halfway", "after"]
      where position != "halfway" || call == "write" {
        try kill(test, at: index, position, "\(position) call \(index), \(call)")
      }
    }
  }

  private func kill(
    _ test: DiskFaultTests.Case, at index: Int, _ position: String, _ comment: Comment
  ) throws {
    let fixture = try StateFixture()
    if !test.isFresh { try fixture.prepare(for: test.operation) }
    let process = try Self.start([fixture.state, test.operation.rawValue, "\(index)", position])
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal, comment)
    #expect(process.terminationStatus == SIGKILL, comment)
    try fixture.expectOldOrNew(test.operation, isFresh: test.isFresh, isDone: nil, comment)
    try goOn(test, fixture, comment)
    // Half a file is never taken for a draft, and does not stay.
    let later = Int(Date().timeIntervalSince1970) + 90_000
    _ = try fixture.shelf.list(nowSeconds: later)
    #expect(fixture.temporaries.isEmpty, comment)
  }

  /// The next process does the same again.
  private func goOn(
    _ test: DiskFaultTests.Case, _ fixture: StateFixture, _ comment: Comment
  ) throws {
    let before = try fixture.words()
    try test.operation.run(in: fixture.state, disk: SystemDisk())
    switch test.operation {
    case .replace, .remove: try fixture.expectOldOrNew(test.operation, isDone: true, comment)
    case .setAside:
      #expect(fixture.bytes("drafts/draft.json") == nil, comment)
      let kept = fixture.names(fixture.drafts).filter {
        fixture.bytes("drafts/\($0)") == DiskOperation.draft("old")
      }
      #expect(kept.count == 1, comment)
    case .append: #expect(try fixture.words() == before + ["new"], comment)
    case .rotate:
      // Four files with a line each: the oldest goes when the fifth line comes.
      let after = try fixture.words()
      #expect(after.last == "new", comment)
      #expect(after.dropLast().elementsEqual(before.suffix(after.count - 1)), comment)
      #expect(after.count >= 4, comment)
    }
  }

  @Test("four processes append at once and every line is whole, in rotated files too")
  func concurrent() throws {
    for (limit, count) in [(8 << 20, 50), (100_000, 100)] {
      let fixture = try StateFixture()
      let names = ["a", "b", "c", "d"]
      let processes = try names.map {
        try Self.start([fixture.state, "lines", $0, "\(count)", "\(limit)"])
      }
      for process in processes {
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
      }
      #expect(try fixture.journal.last(10_000).count == names.count * count)
      let words = try fixture.words()
      for name in names {
        #expect(
          words.filter { $0.hasPrefix("\(name)-") } == (0..<count).map { "\(name)-\($0)" })
      }
      if limit < 1 << 20 { #expect(fixture.bytes("journal.1.jsonl") != nil) }
    }
  }
}
