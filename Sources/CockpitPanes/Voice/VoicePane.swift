import TerminalUI
import ClankyWire
import CockpitStores
import TerminalCore

/// VOICE: what the bot hears, thinks and says in a voice channel, live.
///
/// Data is in the stores; the pane holds only the user's selection: session, view, panel, turn and
/// time range.
package struct VoicePane: TabPane {
  /// The views that `]]` and `[[` walk through.
  package enum View: Int, CaseIterable, Hashable, Sendable {
    case live, turns, skips, events, anomalies, report, history

    var title: PlainText {
      switch self {
      case .live: "LIVE"
      case .turns: "TURNS"
      case .skips: "SKIPS"
      case .events: "EVENTS"
      case .anomalies: "ANOMALIES"
      case .report: "REPORT"
      case .history: "HISTORY"
      }
    }
  }

  /// The parts that can have the focus, in the order of Tab.
  package enum Panel: Int, CaseIterable, Hashable, Sendable {
    case transcript, lanes, turn, people, tools, screen, music, engine, trend, list, summary, raw
    case sessions, report, event

    var title: PlainText {
      switch self {
      case .transcript: "transcript"
      case .lanes: "lanes"
      case .turn: "turn"
      case .people: "people"
      case .tools: "tool calls"
      case .screen: "screen watch"
      case .music: "music"
      case .engine: "asr / mcp / rt"
      case .trend: "latency trend"
      case .list: "turns"
      case .summary: "session"
      case .raw: "raw json"
      case .sessions: "sessions"
      case .report: "report"
      case .event: "event"
      }
    }

    /// Which end of its list is the live one.
    var end: CursorList<VoiceItem>.End {
      self == .transcript || self == .report ? .bottom : .top
    }
  }

  /// Mouse targets.
  package enum Target: Hashable, Sendable {
    case view(View)
    case session(String)
    case panel(Panel)
    /// A line of a panel, counted from the top of its content.
    case line(Panel, Int)
    case lane(Lane)
  }

  package internal(set) var view = View.live
  /// The focused panel; if it is hidden, the first one has the focus.
  package var panelFocus = PanelFocus(Panel.list)
  /// The live session that was chosen; nil, or one that has ended, shows the first.
  package internal(set) var sessionID: String?
  /// The past session that is open.
  package internal(set) var pastID: String?
  /// The turn that was chosen; nil follows the newest.
  package internal(set) var turnID: VoiceTurnRecord.ID?
  /// Whether the past session was opened for the selected answer.
  var hasFollowed = false
  package internal(set) var isWhyOpen = false
  package internal(set) var isRawOpen = false
  /// Where the reader is in each list.
  package internal(set) var cursors: [Panel: ListCursor<VoiceItem>] = [:]
  /// Tool calls with unfolded arguments and result.
  package internal(set) var openTools: Set<String> = []
  package internal(set) var lanes = LanesView()
  package internal(set) var message: PlainText?
  /// What is looked for in the report.
  var findField = TextField()
  package internal(set) var findText = ""
  /// Whether keys go into the field.
  var isFinding = false
  /// The filter of EVENTS. It follows the text being typed in `filterField`.
  package internal(set) var eventFilter = EventFilter()
  var filterField: TextField?
  /// The JSON opened with `J`, and its title.
  var raw: [VoiceLine] = []
  var rawTitle: PlainText = ""

  package init() {}

  package var isTyping: Bool { isFinding || filterField != nil }

  package var hints: [KeyAction] { hints(isTurnShown: true) }

  @MainActor package func hints(on facts: ViewContext) -> [KeyAction] {
    let record = shownID(facts).flatMap(facts.voice.record)
    return hints(isTurnShown: record?.turns.isEmpty == false)
  }

  /// - Parameter isTurnShown: whether there is a turn to ask about.
  private func hints(isTurnShown: Bool) -> [KeyAction] {
    let commands: [KeyAction] =
      switch view {
      case .live:
        [
          .help, .why, .nextTurn, .report, .nextView, .nextPanel, .zoom, .zoomIn, .open, .rawJSON,
          .quit,
        ]
      case .turns, .skips:
        [.help, .why, .nextTurn, .open, .report, .nextView, .nextPanel, .zoom, .rawJSON, .quit]
      case .events:
        [.help, .open, .left, .right, .filter, .rawJSON, .nextView, .nextPanel, .zoom, .quit]
      case .anomalies: [.help, .open, .why, .nextView, .nextPanel, .zoom, .quit]
      case .report:
        [
          .help, .why, .nextTurn, .open, .find, .follow, .nextView, .nextPanel, .zoom, .rawJSON,
          .quit,
        ]
      case .history: [.help, .open, .nextView, .nextPanel, .zoom, .rawJSON, .quit]
      }
    let needTurn: Set<KeyAction> = [.why, .nextTurn, .report, .zoomIn, .find, .rawJSON]
    return isTurnShown ? commands : commands.filter { !needTurn.contains($0) }
  }
}
