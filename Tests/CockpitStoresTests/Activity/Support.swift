import ClankyWire
import Foundation
import LenientJSON
import Testing

@testable import CockpitStores

/// A generator with a seed, so that a failure can be repeated (xorshift64*).
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = (seed &+ 1) &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return state &* 0x2545_F491_4F6C_DD1D
  }
}

/// One action of a made-up bot, in both spellings.
struct Fact: Hashable {
  var id: Int
  var timeMs: Int64
  var kind: String
  var content: String
  var user: String?
  var channel: String?
  var metadata = "{}"
  var cost: String?

  private var quotedContent: String { String(decoding: JSONText.quote(content), as: UTF8.self) }

  /// As `action_event` sends it.
  var live: String {
    var text = "{\"kind\":\"\(kind)\",\"guildId\":\"1\""
    if let channel { text += ",\"channelId\":\"\(channel)\"" }
    if let user { text += ",\"userId\":\"\(user)\"" }
    text += ",\"content\":\(quotedContent),\"metadata\":\(metadata)"
    if let cost { text += ",\"usdCost\":\(cost)" }
    return text + ",\"createdAt\":\"\(WireTime(milliseconds: timeMs).iso)\"}"
  }

  /// As REST sends it: with an id, and cut at 2,000 units.
  var stored: String {
    let cut = String(decoding: Array(content.utf16.prefix(2000)), as: UTF16.self)
    let text = content.isEmpty ? "null" : String(decoding: JSONText.quote(cut), as: UTF8.self)
    return
      "{\"id\":\(id),\"created_at\":\"\(WireTime(milliseconds: timeMs).iso)\",\"guild_id\":\"1\""
      + ",\"channel_id\":\(channel.map { "\"\($0)\"" } ?? "null"),\"message_id\":null"
      + ",\"user_id\":\(user.map { "\"\($0)\"" } ?? "null"),\"kind\":\"\(kind)\""
      + ",\"content\":\(text),\"metadata\":\(metadata),\"usd_cost\":\(cost ?? "0")}"
  }

  var isVoice: Bool { kind.hasPrefix("voice_") }
}

let startMs: Int64 = 1_778_350_000_000

extension ActionLog {
  @discardableResult
  func live(_ json: String, _ source: ActionSource = .activity) throws -> RowID? {
    try Array(json.utf8).withUnsafeBytes { bytes in
      try ingestLive(bytes, from: source, nowMs: startMs)
    }
  }

  @discardableResult
  func rows(_ json: String) -> IngestReport {
    Array(json.utf8).withUnsafeBytes { ingestRows($0, nowMs: startMs) }
  }

  @discardableResult
  func rows(_ facts: [Fact]) -> IngestReport {
    rows("[" + facts.map(\.stored).joined(separator: ",") + "]")
  }

  /// All rows, the newest first.
  var all: [ActionRowView] { rows(in: 0..<count) }

  /// Whether counters, indices and rows agree with each other.
  func checkInvariants(_ comment: String = "") {
    let views = all
    #expect(views.count == count && count == endRow - firstRow, "\(comment)")
    let keys = views.map { key($0.id) }
    #expect(zip(keys, keys.dropFirst()).allSatisfy { $0 > $1 }, "display order \(comment)")
    let actions = views.filter { !$0.isGap && !$0.isOfFormerLog }
    let kept = totals.retained
    #expect(kept.actions == actions.count, "\(comment)")
    #expect(kept.failures == actions.filter(\.isFailure).count, "\(comment)")
    var chips: [ChipSet: Int] = [:]
    var domains: [Domain: Int] = [:]
    for row in actions {
      chips[row.chips, default: 0] += 1
      domains[row.domain, default: 0] += 1
    }
    for chip in ChipGroup.allCases {
      let expected = chips.reduce(0) { $0 + ($1.key.contains(chip) ? $1.value : 0) }
      #expect(kept[chip] == expected, "\(chip) \(comment)")
    }
    for domain in Domain.allCases {
      #expect(kept[domain] == domains[domain, default: 0], "\(domain) \(comment)")
    }
    #expect(totals.seen.actions == kept.actions + totals.evicted)
    var labels: [ActionLabel: Int] = [:]
    for row in actions { labels[row.label, default: 0] += 1 }
    #expect(Dictionary(uniqueKeysWithValues: self.labels().map { ($0.label, $0.count) }) == labels)
    #expect(users().reduce(0) { $0 + $1.count } == actions.filter { $0.userID != nil }.count)
    #expect(twins.count(of: firstRow..<endRow) == views.count { !$0.isGap }, "\(comment)")
    for (index, row) in views.enumerated() where index % 97 == 0 {
      #expect(self.index(of: row.id) == index)
    }
  }
}

/// The reference documents beside the repository; tests that need them are skipped without.
enum Shared {
  static let folder: URL? = {
    var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    while folder.path != "/" {
      folder.deleteLastPathComponent()
      let candidate = folder.appendingPathComponent("shared")
      if FileManager.default.fileExists(atPath: candidate.appendingPathComponent("wire").path) {
        return candidate
      }
    }
    return nil
  }()

  static var exists: Bool { folder != nil }

  static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: try #require(folder).appendingPathComponent(path)))
  }

  /// The payloads of the events with these names in a recorded stream, in order.
  static func events(_ names: Set<String>, in path: String) throws -> [(
    name: String, data: [UInt8]
  )] {
    var events: [(String, [UInt8])] = []
    var name = ""
    for line in try bytes(path).split(separator: 0x0A, omittingEmptySubsequences: false) {
      if line.starts(with: Array("event: ".utf8)) {
        name = String(decoding: line.dropFirst(7), as: UTF8.self)
      } else if line.starts(with: Array("data: ".utf8)), names.contains(name) {
        events.append((name, Array(line.dropFirst(6))))
      }
    }
    return events
  }
}
