import CockpitHistory
import Foundation
import HistoryTestKit
import Synchronization

/// Rows, documents and a folder for tests.
struct HistorySamples {
  private(set) var state: UInt64

  init(seed: UInt64 = 1) { state = seed }

  mutating func random(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % limit
  }

  static let words = [
    "hello", "night", "music", "Käse", "channel", "why", "silent", "bot", "später", "我喜欢",
    "queue", "error", "again", "please",
  ]

  static func iso(_ ms: Int64) -> String {
    let seconds = ms / 1000
    let date = Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
    let rest = String(ms % 1000)
    return date.dropLast() + "." + String(repeating: "0", count: 3 - rest.count) + rest + "Z"
  }

  struct Row {
    var json: [UInt8]
    var atMs: Int64
    var words: [String]
    var session: String?
    var durationMs: Int?
    var isFailure: Bool
    var isVoice: Bool
  }

  mutating func row(_ number: Int, atMs: Int64, padding: Int = 400) -> Row {
    let isVoice = random(3) > 0
    let isFailure = !isVoice && random(10) == 0
    let session = isVoice ? "session-\(random(4))" : nil
    let kind = isVoice ? "voice_runtime" : isFailure ? "llm_error" : "llm_call"
    let spoken = (0..<1 + random(5)).map { _ in Self.words[random(Self.words.count)] }
    let text = "row\(number) " + spoken.joined(separator: " ")
    let filling = String(
      repeating: "all of the prompt \(random(50)) ", count: 1 + random(padding) / 20)
    let durationMs = isVoice ? nil : random(60_000)
    let metadata =
      (session.map { "\"sessionId\":\"\($0)\"," } ?? "")
      + (durationMs.map { "\"durationMs\":\($0)," } ?? "") + "\"systemPrompt\":\"\(filling)\""
    let json = """
      {"kind":"\(kind)","content":"\(text)","createdAt":"\(Self.iso(atMs))",\
      "userId":"u\(random(5))","guildId":"g1","metadata":{\(metadata)}}
      """
    let words = HistoryWords.split(text)
    return Row(
      json: Array(json.utf8), atMs: atMs, words: words, session: session,
      durationMs: durationMs, isFailure: isFailure, isVoice: isVoice)
  }
}

/// A folder that is removed with the test.
final class HistoryPlaceForTests {
  let path: String

  init() {
    path = FileManager.default.temporaryDirectory.path + "/history-\(UInt64.random(in: 0 ... .max))"
  }

  deinit { if getenv("KEEP_HISTORY") == nil { try? FileManager.default.removeItem(atPath: path) } }
}

/// A clock that tests set.
final class TestClock: Sendable {
  private let ms: Mutex<Int64>

  init(_ ms: Int64) { self.ms = Mutex(ms) }

  var now: Int64 { ms.withLock(\.self) }
  func set(_ new: Int64) { ms.withLock { $0 = new } }
}

extension RecorderSettings {
  static func test(
    keepMs: Int64? = nil, maxBytes: Int? = nil, windowMs: Int = 5, bufferBytes: Int = 256 << 20
  ) -> RecorderSettings {
    RecorderSettings(
      keepMs: keepMs, maxBytes: maxBytes, bufferBytes: bufferBytes, windowMs: windowMs,
      syncMs: nil, what: "test", version: "0", bot: "test")
  }
}
