import TerminalCore

/// Everything a key press can ask for, in the normal mode of the cockpit.
///
/// The raw value is the stable id of the action: its name in help, on the `:` line, and in `[keys]` of the
/// configuration file. Keys that type into a text field are `TextFieldCommand`s.
package enum KeyAction: String, CaseIterable, Sendable {
  // Tabs and levels
  case pulse = "tab-pulse"
  case voice = "tab-voice"
  case brain = "tab-brain"
  case memory = "tab-memory"
  case cmd = "tab-cmd"
  case nextTab = "tab-next"
  case previousTab = "tab-previous"
  case nextPanel = "panel-next"
  case previousPanel = "panel-previous"
  case zoom
  case back
  case help
  case explain
  case triage
  case digest
  case incidents = "incident-list"
  case bundle
  case figures
  case guild
  case timeLine = "time-line"
  case note = "history-note"
  case pin = "history-pin"
  case quit
  case interrupt
  // Moving
  case up, down, left, right
  case scrollLeft = "scroll-left"
  case scrollRight = "scroll-right"
  case top, bottom
  case halfPageDown = "half-page-down"
  case halfPageUp = "half-page-up"
  case pageDown = "page-down"
  case pageUp = "page-up"
  case open
  // Reading the feed
  case filter
  case filterToggle = "filter-toggle"
  case find
  case findNext = "find-next"
  case findPrevious = "find-previous"
  case onlyMatches = "only-matches"
  case pause
  case follow
  case timeFormat = "time-format"
  case level = "feed-level"
  case wrap
  case nextError = "next-error"
  case previousError = "previous-error"
  case nextGap = "next-gap"
  case previousGap = "previous-gap"
  case nextDay = "next-day"
  case previousDay = "previous-day"
  case nextIncident = "next-incident"
  case previousIncident = "previous-incident"
  case nextMark = "next-mark"
  case previousMark = "previous-mark"
  case mark
  case jumpToMark = "mark-jump"
  case moreContext = "context-more"
  case lessContext = "context-less"
  case rawJSON = "raw-json"
  case detailPage = "detail-page"
  // Reading voice sessions and prompts
  case previousTurn = "previous-turn"
  case nextTurn = "next-turn"
  case nextView = "view-next"
  case previousView = "view-previous"
  case zoomIn = "zoom-in"
  case zoomOut = "zoom-out"
  case why
  case report
  case events = "voice-events"
  case anomalies = "voice-anomalies"
  case conversations
  case compare
  case pager
  case sort
  // Correcting the memory
  case search
  case edit
  case editExternally = "edit-externally"
  case delete
  case undo
  case select
  case sendHeld = "send-held"
  case uses
  case journal
  // Copying
  case copy
  case copyJSON = "copy-json"
  case plain
  // Connection and looks
  case profiles
  case nextSource = "source-next"
  case setup
  case joinVoice = "voice-join"
  case refreshMemory = "memory-refresh"
  case purgeMemory = "memory-purge"
  case theme
  case clientLog = "log"
  case settings
  case runtime
  case settingsPreset = "settings-preset"
  case settingsReset = "settings-reset"
  case settingsApply = "settings-apply"
  case notifyTest = "notify-test"
  // Talking to the agents of a gateway
  case chat
  case chatToggle = "chat-toggle"
  // What an agent draws
  case canvas
  case canvasDraw = "draw"
  // Program
  case palette
  case commandLine = "command-line"
  case refresh
  case repaint
  case mouse
  case suspend
}

/// The category of a binding: help groups by it, hints select by it.
package enum KeyGroup: String, CaseIterable, Sendable {
  case tabs = "TABS AND LEVELS"
  case moving = "MOVING"
  case feed = "PULSE"
  case voice = "VOICE AND BRAIN"
  case memory = "MEMORY"
  case command = "CMD AND CONNECTION"
  case program = "PROGRAM"
}

extension KeyAction {
  /// Whether it can change something on the backend; with `--read-only` it has no key.
  package var isMutation: Bool {
    switch self {
    case .edit, .editExternally, .delete, .undo, .select, .sendHeld, .joinVoice, .refreshMemory,
      .purgeMemory, .settingsPreset, .settingsReset, .settingsApply, .canvasDraw:
      true
    default: false
    }
  }
}
