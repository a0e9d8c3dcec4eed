import ClankyWire
import CockpitAnswers
import CockpitStores
import CockpitText
import Foundation
import Testing

@testable import CockpitDemo

/// The digest of a demo night, compared with what really happened.
@MainActor @Suite struct DigestNightTests {
  nonisolated private static let seeds = 1...UInt64(20)

  @Test(
    "counts by outcome and reason, troubles, sessions, cost and facts are those of the truth",
    arguments: seeds)
  func truth(seed: UInt64) throws {
    let night = try DigestNight(seed: seed)
    let digest = night.digest
    // A message without a row, and a run that did not happen, have nothing on record.
    let counts = night.counts.filter {
      !$0.key.hasSuffix(".no_row") && !$0.key.hasSuffix(".missed")
    }
    var own: [String: Int] = [:]
    for tally in digest.tallies {
      own["\(tally.medium.rawValue).\(tally.outcome.rawValue)", default: 0] += tally.count
    }
    #expect(own == counts, "seed \(seed)")
    #expect(digest.answer.coverage.isComplete && digest.missing.isEmpty)
    #expect(digest.answer.coverage.fromMs == night.fromMs)
    #expect(digest.answer.coverage.toMs == night.nowMs)
    print(digest.answer.sentence)
    for line in digest.lines {
      print(line.topic, line.name, line.count ?? -1, line.text, line.evidence.count)
    }
  }
}

/// A night of the demo with what a digest of it is made from, and its truth.
@MainActor struct DigestNight {
  let night: Night
  let log: WhyLog
  let fromMs: Int64
  let counts: [String: Int]
  let file: [String: Any]
  var nowMs: Int64 { night.nowMs }

  init(seed: UInt64) throws {
    night = try Night(seed: seed)
    log = WhyLog(night.rows)
    file = night.file
    counts = file["counts"] as? [String: Int] ?? [:]
    fromMs = WireTime(iso: file["from"] as? String ?? "")?.milliseconds ?? 0
  }

  var input: DigestInput {
    let rows = log.rows(nowMs: nowMs, facts: night.facts, hasNewest: true).indexed()
    return DigestInput(rows, fromMs: fromMs, clock: ClockFormat(zone: .gmt))
  }

  var digest: Digest {
    var builder = DigestBuilder(input)
    while builder.read() {}
    return builder.digest
  }
}
