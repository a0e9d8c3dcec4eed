import TerminalUI
import ClankyWire
import CockpitStores
import Foundation
import LenientJSON
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell

/// The recorded voice stream, which lies beside the repository and is not part of it.
enum VoiceRecording {
  static let file: URL? = {
    var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    while folder.path != "/" {
      let file = folder.appendingPathComponent("shared/wire/captures/voice.sse")
      if FileManager.default.fileExists(atPath: file.path) { return file }
      folder.deleteLastPathComponent()
    }
    return nil
  }()

  /// Event names and payloads, in order.
  static func events() throws -> [(name: String, data: [UInt8])] {
    guard let file else { return [] }
    var events: [(String, [UInt8])] = []
    var name = ""
    for line in try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")) {
      if line.starts(with: Array("event: ".utf8)) {
        name = String(decoding: line.dropFirst(7), as: UTF8.self)
      } else if line.starts(with: Array("data: ".utf8)) {
        events.append((name, Array(line.dropFirst(6))))
      }
    }
    return events
  }
}

/// The three recorded sessions are drawn without a missing or misplaced value.
@MainActor
@Suite(.enabled(if: VoiceRecording.file != nil))
struct VoiceRecordingTests {
  /// All of the stream, then the screen as of its last voice state.
  private func recorded() throws -> (fixture: Fixture, last: JSONValue, nowMs: Int64) {
    let fixture = Fixture(rows: [])
    var last = JSONValue.null
    for event in try VoiceRecording.events() {
      event.data.withUnsafeBytes { bytes in
        switch event.name {
        case "voice_state":
          fixture.voice.apply(bytes, atNs: Fixture.monotonicNs)
        case "voice_event":
          _ = try? fixture.activity.applyLive(bytes, from: .voice, nowMs: Fixture.nowMs)
        default: break
        }
      }
      fixture.voice.follow(fixture.activity.log)
      if event.name == "voice_state" { last = try .parse(event.data) }
    }
    if let state = fixture.voice.state { fixture.connection.learn(state) }
    let row = fixture.activity.log.row(at: 0)
    return (fixture, last, row.timeMs)
  }

  private func text(
    _ panel: VoicePane.Panel, _ pane: VoicePane, _ facts: ViewContext
  ) -> String {
    pane.content(panel, facts, size: Size(width: 400, height: 2000), isFull: true).lines
      .map { ($0.spans + $0.trailing).map(\.text.description).joined(separator: " ") }
      .joined(separator: "\n")
  }

  private func shown(_ text: String) -> String { PlainText(text).description }

  @Test("every value of the last state is in its panel")
  func values() throws {
    var (fixture, last, nowMs) = try recorded()
    var facts = fixture.facts()
    facts.nowMs = nowMs
    let sessions = try #require(last["sessions"]?.array)
    #expect(sessions.count == 3)
    for session in sessions {
      let id = try #require(session["sessionId"]?.string)
      var pane = VoicePane()
      pane.sessionID = id
      func expect(_ panel: VoicePane.Panel, holds values: [String?], _ what: String) {
        let text = text(panel, pane, facts)
        for case let value? in values where !value.isEmpty {
          #expect(text.contains(shown(value)), "\(what) of \(id) is missing: \(value)")
        }
      }
      func list(_ path: String...) -> [JSONValue] {
        var value: JSONValue? = session
        for key in path { value = value?[key] }
        return value?.array ?? []
      }
      expect(.people, holds: list("participants").map { $0["displayName"]?.string }, "person")
      expect(
        .transcript,
        holds: list("recentTurns").map { $0["text"]?.string.map { String($0.prefix(60)) } },
        "turn")
      expect(.tools, holds: list("toolCalls").map { $0["toolName"]?.string }, "tool")
      expect(.tools, holds: list("toolCalls").map { $0["error"]?.string }, "tool error")
      expect(
        .tools,
        holds: list("toolCalls").map { $0["arguments"].map { String($0.serialized().prefix(80)) } },
        "arguments")
      expect(.engine, holds: list("asrSessions").map { $0["displayName"]?.string }, "recogniser")
      expect(
        .engine, holds: list("asrSessions").map { $0["utterance"]?["partialText"]?.string },
        "partial")
      expect(.engine, holds: list("mcpStatus").map { $0["serverName"]?.string }, "server")
      expect(.engine, holds: list("mcpStatus").map { $0["lastError"]?.string }, "server error")
      expect(.engine, holds: list("brainTools").map { $0["name"]?.string }, "provider tool")
      expect(
        .engine,
        holds: list("durableContext").map { $0["text"]?.string.map { String($0.prefix(60)) } },
        "note")
      expect(
        .engine,
        holds: [
          session[path: "realtime", "provider"]?.string,
          session[path: "assistantOutput", "lastTrigger"]?.string,
          session[path: "playbackArm", "reason"]?.string,
        ], "engine")
      expect(.screen, holds: list("streamWatch", "visualFeed").map { $0["text"]?.string }, "note")
      expect(
        .music, holds: list("music", "queueState", "tracks").map { $0["title"]?.string }, "track")
      expect(.music, holds: list("music", "pendingResults").map { $0["title"]?.string }, "result")
      expect(
        .music,
        holds: [
          session[path: "music", "lastTrackTitle"]?.string,
          session[path: "music", "lastRequestText"]?.string,
          session[path: "music", "lastQuery"]?.string,
        ], "music")
      expect(
        .people,
        holds: [
          session[path: "conversation", "thoughtEngine", "pendingThought", "text"]?.string,
          session[path: "conversation", "addressing", "lastDirectedToMe", "speakerName"]?.string,
        ], "attention")
    }
  }

  @Test("every state is drawn at four sizes, in every view, with whole borders")
  func screens() throws {
    let vertical = SymbolSet.unicode.glyph(.vertical)
    var (fixture, _, nowMs) = try recorded()
    var facts = fixture.facts()
    facts.nowMs = nowMs
    for size in PulseGoldenTests.sizes {
      for session in fixture.voice.sessions {
        for view in VoicePane.View.allCases {
          var shell = CockpitShell(tab: .voice, size: size)
          shell.voice.sessionID = session.sessionID
          shell.voice.view = view
          for isWhyOpen in [false, true] {
            shell.voice.isWhyOpen = isWhyOpen
            let canvas = shell.render(facts, size: size).canvas
            let body = shell.layout(alertRows: shell.alert(facts)?.lines.count ?? 0).tab
            let layout = shell.voice.layout(facts, in: body, of: size)
            guard layout.hasBoxes else { continue }
            for (_, area) in layout.panels where area.height >= 3 {
              for y in area.y + 1..<area.maxY - 1 {
                #expect(canvas[area.x, y].glyph == vertical)
                #expect(canvas[area.maxX - 1, y].glyph == vertical)
              }
            }
          }
        }
      }
    }
  }

  @Test("the head of each session says what its state says")
  func heads() throws {
    var (fixture, _, nowMs) = try recorded()
    var facts = fixture.facts()
    facts.nowMs = nowMs
    for session in fixture.voice.sessions {
      let pills = VoicePills(facts: facts, session: session, skips: SkipRate())
      func text(_ parts: [VoicePills.Part]) -> String {
        parts.flatMap(\.spans).map(\.text.description).joined(separator: " ")
      }
      let head = text(pills.head(.wide))
      if let mode = session.mode { #expect(head.contains(mode.description)) }
      if let attention = session.conversation.wake.attentionMode {
        #expect(head.contains(attention.description))
      }
      if let phase = session.assistantOutput.phase {
        #expect(head.contains(phase.description.uppercased()))
      }
      let lights = text(pills.pills(.wide))
      if !session.mcpStatus.isEmpty {
        let up = session.mcpStatus.count { $0.connected == true }
        #expect(lights.contains("\(up)/\(session.mcpStatus.count)"))
      }
      if session.music.active == true, let title = session.music.title {
        #expect(lights.contains(shown(String(title.prefix(16)))))
      }
    }
  }
}
