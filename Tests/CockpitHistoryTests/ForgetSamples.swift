import CockpitDomain
import CockpitHistory
import HistoryTestKit
import Foundation

/// Rows and documents of two people, one of whom is to be forgotten.
struct ForgetSamples {
  static let id = "418293847561029384"
  static let other = "518293847561029385"
  /// All names that Anna ever had.
  static let names = ["Anna Käfer", "käferin", "AK"]
  static let startMs = RecorderTests.startMs

  /// What is recorded, in order: rows as JSON, and documents by name.
  enum Record {
    case row(String)
    case document(String, String)
  }

  private var samples = HistorySamples(seed: 4)

  static func row(
    _ kind: String, _ content: String, user: String, atMs: Int64, _ metadata: String
  ) -> String {
    """
    {"kind":"\(kind)","content":"\(content)","createdAt":"\(HistorySamples.iso(atMs))",\
    "userId":"\(user)","guildId":"77","channelId":"88","usdCost":0.25,"metadata":{\(metadata)}}
    """
  }

  /// A record of each sort that there is; the number makes it unlike the others.
  mutating func record(_ number: Int, atMs: Int64) -> [Record] {
    let filling = (0..<60).map { _ in HistorySamples.words[samples.random(14)] }
      .joined(separator: " ")
    switch number % 10 {
    case 0:
      return [
        .row(
          Self.row(
            "message_in", "secret\(number) of mine", user: Self.id, atMs: atMs,
            """
            "displayName":"Anna Käfer","durationMs":120,"text":"secret\(number)","tool":"web"
            """))
      ]
    case 1:
      return [
        .row(
          Self.row(
            "llm_call", "call\(number)", user: "bot1", atMs: atMs,
            """
            "systemPrompt":"\(filling) \\nANNA KAFER said secret\(number)","model":"m1"
            """))
      ]
    case 2:
      return [
        .row(
          Self.row(
            "message_in", "ask <@\(Self.id)> or käferin about row\(number)", user: Self.other,
            atMs: atMs, "\"displayName\":\"Berta\""))
      ]
    case 3:
      return [
        .row(
          Self.row(
            "voice_runtime", "realtime_transcription_received: a", user: "bot1", atMs: atMs,
            """
            "sessionId":"s1","speakerName":"käferin","transcript":"spoken secret\(number)","userId":"\(Self.id)"
            """))
      ]
    case 4:
      return [
        .document(
          "GET /api/memory/facts",
          """
          {"facts":[{"id":\(number),"subject":"\(Self.id)","fact":"likes secret\(number)"},\
          {"id":\(number + 1),"subject":"\(Self.other)","fact":"knows anna käfer well \(number)"}]}
          """)
      ]
    case 5:
      return [
        .document(
          "GET /api/memory/fact-profile?userId=\(Self.id)",
          "{\"userId\":\"\(Self.id)\",\"n\":\(number)}")
      ]
    case 6:
      return [
        .document(
          "voice_state",
          """
          {"n":\(number),"participants":[{"userId":"\(Self.id)","displayName":"K\\u00e4ferin"},\
          {"userId":"\(Self.other)","displayName":"Berta"}],"turns":[{"speakerName":"AK",\
          "text":"hello secret\(number)"},{"speakerName":"Berta","text":"fine \(number)"}]}
          """)
      ]
    default:
      return [
        .row(
          Self.row(
            "message_in", "plain\(number) \(filling)", user: Self.other, atMs: atMs,
            "\"displayName\":\"Berta\",\"more\":\"\(filling) Annabelle\""))
      ]
    }
  }

  /// Records some hours, past midnight.
  static func record(
    _ count: Int, into folder: String, from number: Int = 0, startMs: Int64 = startMs,
    stepMs: Int64 = 12_000
  ) -> (rows: [String], documents: [(name: String, body: String)]) {
    var samples = ForgetSamples()
    let clock = TestClock(startMs)
    let recorder = HistoryRecorder(folder: folder, .test()) { clock.now }
    var rows: [String] = []
    var documents: [(String, String)] = []
    for index in 0..<count {
      let now = startMs + Int64(index) * stepMs
      // The clock of rows that wait must not be that of later ones.
      if index % 100 == 99 {
        for _ in 0..<2000 where recorder.state.rows < rows.count { usleep(2000) }
      }
      clock.set(now)
      for record in samples.record(number + index, atMs: now) {
        switch record {
        case .row(let json):
          Array(json.utf8).withUnsafeBytes {
            recorder.row(number: rows.count, receivedMs: now, channels: .activity, json: $0)
          }
          rows.append(json)
        case .document(let name, let body):
          Array(body.utf8).withUnsafeBytes {
            recorder.document(name: name, atMs: now, receivedMs: now, body: $0)
          }
          documents.append((name, body))
        }
      }
    }
    recorder.stop(waiting: 60)
    return (rows, documents)
  }

  /// What must be nowhere: found without the code that forgets, letter by letter.
  static let traces = [
    id, "Anna Käfer", "anna kafer", "käferin", "K\\u00e4ferin", "secret", "\"AK\"",
  ]

  /// The traces that a text contains, without regard to case and accents.
  static func traces(in text: String) -> [String] {
    func folded(_ text: String) -> String {
      text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }
    let text = folded(text)
    return traces.filter { text.contains(folded($0)) }
  }

  /// All traces in a folder: in rows, documents, their names, and the bytes of all files.
  static func traces(inFolder folder: String) throws -> [String] {
    var found: [String] = []
    let history = try HistoryFolder(folder)
    for row in try history.rows(notAfterMs: .max, limit: 100_000, skipping: 0) {
      found += traces(in: String(decoding: row.json, as: UTF8.self))
    }
    for document in try history.documents(after: .min, through: .max) {
      found += traces(in: document.name + " " + String(decoding: document.body, as: UTF8.self))
    }
    for word in [id, "anna", "kafer", "kaferin"] {
      found += try history.search(HistorySearch(word), limit: 10).rows.map { _ in "word " + word }
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let bytes = try Data(contentsOf: URL(filePath: folder + "/" + name))
      for trace in [id, "Käfer", "käferin"] where bytes.range(of: Data(trace.utf8)) != nil {
        found.append("\(name): \(trace)")
      }
    }
    return found
  }
}
