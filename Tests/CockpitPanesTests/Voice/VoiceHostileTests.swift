import TerminalUI
import CockpitStores
import LenientJSON
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell

/// Untrusted names, notes, text and tool results break no border and put no control character into
/// a cell.
@MainActor
@Suite struct VoiceHostileTests {
  nonisolated static let poison = [
    "\\u001b[31mred\\u001b]0;title\\u0007", "\\u202Eevil\\u202C\\u2066x",
    "a\\u200Bb\\u200Dc\\uFEFF",
    "👩‍👩‍👧‍👦🏳️‍🌈🇩🇪", "作者作者作者作者作者作者作者作者作者作者", "line\\nbreak\\r\\n\\ttab", "\\ud83d",
    "e\\u0301\\u0301\\u0301\\u0301\\u0301\\u0301", "", "ﷺ﷽", "\\u0000\\u0085\\u009b2J",
  ]

  /// Every string value of the rich session becomes hostile, but for ids, times and closed words.
  static func session(_ text: String) -> String {
    let keep: Set<String> = [
      "sessionId", "guildId", "voiceChannelId", "textChannelId", "userId", "startedAt", "at",
      "kind", "role", "phase", "callId", "eventType", "completedAt", "lastEventAt",
    ]
    func spoil(_ value: JSONValue, key: String) -> JSONValue {
      switch value {
      case .string(let old): .string(keep.contains(key) ? old : "\u{1}POISON\u{1}")
      case .array(let list): .array(list.map { spoil($0, key: key) })
      case .object(let object):
        .object(
          JSONObject(
            members: object.members.map {
              .init(key: $0.key, value: spoil($0.value, key: $0.key))
            }))
      default: value
      }
    }
    guard let value = try? JSONValue.parse(Array(VoiceFixture.richSession.utf8)) else { return "" }
    return spoil(value, key: "").serialized().replacing("\\u0001POISON\\u0001", with: text)
  }

  private func expectWhole(_ shell: CockpitShell, _ fixture: inout Fixture, _ note: String) {
    let facts = fixture.facts()
    let canvas = shell.render(facts, size: shell.size).canvas
    let body = shell.layout(alertRows: shell.alert(facts)?.lines.count ?? 0).tab
    let layout = shell.voice.layout(facts, in: body, of: shell.size)
    let vertical = SymbolSet.unicode.glyph(.vertical)
    if layout.hasBoxes {
      for (panel, area) in layout.panels where area.width >= 2 && area.height >= 3 {
        for y in area.y + 1..<area.maxY - 1 {
          let isWhole =
            canvas[area.x, y].glyph == vertical && canvas[area.maxX - 1, y].glyph == vertical
          #expect(isWhole, "\(note): border of \(panel) in row \(y)")
        }
      }
    }
    for y in 0..<canvas.size.height {
      for x in 0..<canvas.size.width {
        let base = canvas[x, y].glyph.base
        #expect(base == 0 || base >= 0x20 && !(0x7F...0x9F).contains(base), "\(note): control")
        #expect(!(0x202A...0x202E).contains(base) && !(0x2066...0x2069).contains(base), "\(note)")
      }
    }
  }

  @Test("hostile text in every field, at several widths", arguments: poison + ["LONG"])
  func fields(text: String) {
    let text = text == "LONG" ? String(repeating: "long words and 作 ", count: 3_000) : text
    let fixture = Fixture()
    let session = Self.session(text)
    Fixture.withBytes("{\"activeCount\":2,\"sessions\":[\(session),\(session)]}") {
      fixture.voice.apply($0, atNs: Fixture.monotonicNs)
    }
    #expect(fixture.voice.sessions.count == 2)
    var copy = fixture
    for width in [40, 80, 100, 163] {
      for height in [10, 40] {
        var shell = CockpitShell(tab: .voice, size: Size(width: width, height: height))
        expectWhole(shell, &copy, "\(width)x\(height)")
        shell.voice.isZoomed = true
        for panel in [VoicePane.Panel.transcript, .people, .tools, .screen, .music, .engine] {
          shell.voice.focus = panel
          expectWhole(shell, &copy, "\(width)x\(height) \(panel)")
        }
      }
    }
  }

  @Test("hostile words in events: lanes, turns and verdicts", arguments: poison)
  func events(text: String) {
    let fixture = Fixture()
    VoiceFixture.rich(fixture)
    let rows = VoiceFixture.events.enumerated().map { index, row in
      row.replacing("whatever that means", with: text).replacing("mumble mumble", with: text)
        .replacing("web_search", with: text).replacing("model_no", with: text)
        .replacing("\"id\":", with: "\"id\":7").replacing("14:31:", with: "14:30:")
    }
    Fixture.withBytes("[\(rows.joined(separator: ","))]") {
      _ = fixture.activity.applyRows($0, nowMs: Fixture.nowMs)
    }
    fixture.voice.follow(fixture.activity.log)
    var copy = fixture
    for width in [40, 80, 100, 131, 200] {
      for keys in ["", "W", "] ]", "] ] ] ]", "} } } W", "- - J"] {
        var shell = CockpitShell(tab: .voice, size: Size(width: width, height: 40))
        shell.type(keys, &copy)
        expectWhole(shell, &copy, "\(width) after \(keys)")
      }
    }
  }

  @Test("no size from 1x1 up breaks anything")
  func sizes() {
    var fixtures: [Fixture] = []
    for fill in [VoiceFixture.rich, VoiceFixture.two, VoiceFixture.sparse] as [(Fixture) -> Void] {
      let fixture = Fixture()
      fill(fixture)
      fixtures.append(fixture)
    }
    let none = Fixture()
    VoiceFixture.none(none)
    fixtures.append(none)
    for width in [1, 12, 40, 59, 60, 99, 100, 159, 160, 250] {
      for height in [1, 9, 10, 11, 19, 20, 30, 60] {
        for index in fixtures.indices {
          for keys in ["", "W", "] ]", "Tab Tab z", "Enter"] {
            let size = Size(width: width, height: height)
            var shell = CockpitShell(tab: .voice, size: size)
            shell.type(keys, &fixtures[index])
            let facts = fixtures[index].facts()
            #expect(shell.render(facts, size: size).canvas.size == size)
          }
        }
      }
    }
  }
}
