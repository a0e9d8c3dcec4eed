/// The bot watching a shared screen (contract 5.2.9).
struct ScreenWatch {
  struct Note {
    var text: String
    var ms: Int64
    var speaker: String?
  }

  var active = false
  var target: Person?
  var requester: Person?
  var frameMs: Int64?
  var frameBytes = 0
  var frameType = "image/jpeg"
  var windowFrames = 0
  var windowMs: Int64?
  var frames = 0
  var notes: [Note] = []
  var commentaryMs: Int64?
  var commentary: String?
  var recapMs: Int64?
  var recap: String?
  var sharers: [Person] = []
}

/// The music player of a session (contract 5.2.12).
struct Music {
  struct Track: Sendable {
    var id: String
    var title: String
    var artist: String
    var seconds: Int
    var source = "yt"

    var url: String { "https://www.youtube.com/watch?v=\(id.dropFirst(8))" }
  }

  var phase = "idle"
  var pauseReason: String?
  var handoff: String?
  var handoffUser: String?
  var handoffMs: Int64?
  var startedMs: Int64?
  var stoppedMs: Int64?
  var commandMs: Int64?
  var commandReason: String?
  var query: String?
  var requestText: String?
  var requester: String?
  var queue: [Track] = []
  var index: Int?
  var last: Track?
  var pending: [Track] = []
  var pendingQuery: String?
  var pendingMs: Int64?
  var pendingUser: String?
  var volume = 1.0

  var isActive: Bool { ["loading", "playing", "paused", "paused_wake_word"].contains(phase) }
}
