import ClankyWire
import CockpitAnswers
import CockpitStores
import CockpitText
import Foundation
import TerminalCore
import Testing

@testable import CockpitDemo

/// A demo night, compared with what really happened: counts are those of the truth file, and the changes of prompt
/// and model are found at their times.
@MainActor @Suite struct CompareNightTests {
  nonisolated private static let seeds: ClosedRange<UInt64> = 1...4

  /// What the truth file knows of a text exchange.
  private struct Told {
    var atMs: Int64
    var medium: String
    var outcome: String
  }

  private struct TrueNight {
    var night: DigestNight
    var units: CompareUnits
    var told: [Told]

    /// The moment of a change of the truth file, in ms since 1970.
    @MainActor func change(_ kind: String) throws -> Int64 {
      let found = night.list("changes").first { $0["kind"] as? String == kind }
      return try #require(night.ms(found?["at"]))
    }
  }

  private func night(_ seed: UInt64) throws -> TrueNight {
    let night = try DigestNight(seed: seed)
    var reader = CompareReader(night.input.rows)
    while reader.read(exchanges: 50) {}
    let told = night.exchanges.compactMap { item -> Told? in
      guard let atMs = night.ms(item["at"]), let medium = item["medium"] as? String,
        let outcome = item["outcome"] as? String
      else { return nil }
      return Told(atMs: atMs, medium: medium, outcome: outcome)
    }
    return TrueNight(night: night, units: reader.finish(), told: told)
  }

  @Test("a night of each seed is what the truth file says", arguments: seeds)
  func truth(seed: UInt64) throws {
    let night = try night(seed)
    try counts(night, seed)
    try skips(night, seed)
    try ledger(night, seed)
    try changePoint(night, seed)
  }

  /// counts of each half are those of the truth file.
  private func counts(_ night: TrueNight, _ seed: UInt64) throws {
    let promptMs = try night.change("prompt")
    let ranges = [night.night.fromMs..<promptMs, promptMs..<night.night.nowMs + 1]
    let sides = ranges.map { CompareSide("half", [$0], of: night.units) }
    let comparison = CompareBuilder.compare(sides[0], sides[1])
    for (range, place) in zip(ranges, [\Comparison.Figure.a, \.b]) {
      let told = night.told.filter { range.contains($0.atMs) }
      func count(_ medium: String, _ outcomes: Set<String>) -> Int {
        told.count { $0.medium == medium && outcomes.contains($0.outcome) }
      }
      let skips = try #require(comparison["text_skips"])[keyPath: place]
      let decided = count("text", ["replied", "reacted", "skipped", "not_sent", "superseded"])
      #expect(skips.n == decided, "seed \(seed)")
      #expect(skips.evidence.count == count("text", ["skipped"]), "seed \(seed)")
      let voice = try #require(comparison["voice_skips"])[keyPath: place]
      #expect(
        voice.n
          == count(
            "voice", ["spoken", "interrupted", "skipped", "not_admitted", "not_sent", "superseded"]),
        "seed \(seed)")
      let errors = try #require(comparison["errors"])[keyPath: place]
      #expect(errors.n == count("text", ["replied"]) + count("voice", ["spoken", "interrupted"]))
    }
  }

  /// The truth file has the share of each side; the program's word must be the one that an independent computation
  /// of the interval gives.
  /// more skips after the prompt are found where the numbers allow it.
  private func skips(_ night: TrueNight, _ seed: UInt64) throws {
    let promptMs = try night.change("prompt")
    let a = CompareSide("before", [night.night.fromMs..<promptMs], of: night.units)
    let b = CompareSide("after", [promptMs..<night.night.nowMs + 1], of: night.units)
    let figure = try #require(CompareBuilder.compare(a, b)["text_skips"])
    let difference = try #require(figure.difference)
    let (p, q) = (try #require(figure.a.value), try #require(figure.b.value))
    #expect(abs((difference.value ?? 9) - (q - p)) < 1e-12)
    // Wald's interval is another formula: it agrees in the large.
    let (n, m) = (Double(figure.a.n), Double(figure.b.n))
    let half = 2.576 * (p * (1 - p) / n + q * (1 - q) / m).squareRoot()
    #expect(abs(difference.low - (q - p - half)) < 0.08)
    #expect(abs(difference.high - (q - p + half)) < 0.08)
    #expect((figure.verdict == .worse) == (difference.low > 0 && q - p >= 0.05))
    #expect(figure.verdict != .better)
  }

  /// the ledger has the changes of the truth file at their first rows.
  private func ledger(_ night: TrueNight, _ seed: UInt64) throws {
    for kind in ["prompt", "model"] {
      let truth = try #require(
        night.night.list("changes").first { $0["kind"] as? String == kind })
      let first = (truth["rows"] as? [[String: Any]])?.first?["id"] as? Int
      let found = night.units.changes.filter {
        $0.kind.rawValue == kind && $0.role == "message_event"
      }
      #expect(found.count == 1, "seed \(seed) \(kind): \(found.map(\.words))")
      #expect(found.first?.evidence.actionID == first, "seed \(seed) \(kind)")
    }
    // Discord was lost once, and a login ends it.
    let others = night.units.changes.filter { $0.kind == .prompt && $0.role != "message_event" }
    #expect(others.isEmpty, "seed \(seed): \(others.map(\.words))")
  }

  /// the faster model shows as a change point, with the model at the same time.
  private func changePoint(_ night: TrueNight, _ seed: UInt64) throws {
    let modelMs = try night.change("model")
    // Some sixty replies show a step of 1.5 in four nights of ten; a step elsewhere would be false.
    for point in ChangeFinding.all(in: night.units) where point.figure == "text_reply_p50" {
      #expect(abs(point.timeMs - modelMs) <= 60 * 60_000, "seed \(seed)")
      #expect(point.after < point.before)
    }
    let before = CompareSide("before", [night.night.fromMs..<modelMs], of: night.units)
    let after = CompareSide("after", [modelMs..<night.night.nowMs + 1], of: night.units)
    let comparison = CompareBuilder.compare(before, after)
    #expect(comparison["text_reply_p50"]?.verdict == .better, "seed \(seed)")
    #expect(comparison["cost"]?.verdict == .better || comparison["cost"]?.verdict == .same)
  }

  @Test("no difference in what is the same, and no figure of few turns")
  func smallAndSame() throws {
    let night = try night(2)
    let from = night.night.fromMs
    let side = CompareSide("all", [from..<night.night.nowMs + 1], of: night.units)
    let same = CompareBuilder.compare(side, side)
    #expect(!same.isWorse)
    #expect(same.figures.allSatisfy { $0.verdict == .same || $0.verdict == .tooLittle })
    #expect(same.answer.sentence.hasPrefix("No difference that these turns could show"))
    let a = CompareSide("a", [from..<from + 600_000], of: night.units)
    let b = CompareSide("b", [from + 600_000..<from + 1_200_000], of: night.units)
    let few = CompareBuilder.compare(a, b)
    #expect(few["text_reply_p50"]?.a.value == nil)
    #expect(few["text_reply_p95"]?.a.note?.hasPrefix("worst of ") == true)
    #expect(few.figures.allSatisfy { $0.a.value == nil || $0.a.low != nil && $0.a.n > 0 })
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(CompareJSON(same).line)) as? [String: Any])
    #expect(json["sentence"] as? String == same.answer.sentence)
    #expect((json["figures"] as? [Any])?.count == same.figures.count)
    let lines = CompareText(same, clock: ClockFormat(zone: .gmt)).lines(width: 100)
    #expect(lines.count > 20)
  }

  @Test("no figure without its n and its interval, nor below the least n, in windows of any length")
  func numbers() throws {
    let night = try night(3)
    let from = night.night.fromMs
    var told = 0
    for minutes in [1, 5, 10, 20, 30, 45, 60, 90, 120, 180, 240, 360] {
      let ms = Int64(minutes) * 60_000
      let comparison = CompareBuilder.compare(
        CompareSide("a", [from..<from + ms], of: night.units),
        CompareSide("b", [from + ms..<from + 2 * ms], of: night.units))
      for figure in comparison.figures {
        for value in [figure.a, figure.b] where value.value != nil {
          told += 1
          let least =
            figure.id.hasSuffix("p95")
            ? 59
            : figure.id.hasSuffix("p50")
              ? 6
              : figure.unit == .share ? 5 : 1
          #expect(value.n >= least, "\(figure.id), \(minutes) min: n \(value.n)")
          #expect(value.low != nil && value.high != nil, "\(figure.id), \(minutes) min")
          for isShort in [true, false] {
            let text = String(describing: CompareText.value(value, figure.unit, isShort: isShort))
            let n: String = isShort ? String(describing: Figures.count(value.n)) : "\(value.n)"
            #expect(text.contains("n \(n)"), "\(figure.id): \(text)")
          }
        }
        if figure.difference != nil {
          #expect(figure.a.n > 0 && figure.b.n > 0, "\(figure.id), \(minutes) min")
        }
      }
    }
    #expect(told > 50, "\(told) figures")
  }
}
