/// An actor that owns a simulated world and runs its events when they are due.
protocol StoryEngine: Actor {
  var clock: any DemoClock { get }
  var pause: StoryPause { get set }
  /// When the next event is due, on `clock`, in ms since 1970; nil without one.
  var nextDueMs: Int64? { get }
  /// Runs every event that is due by now.
  func runDue()
}

/// The sleep of an engine between two events.
struct StoryPause {
  fileprivate var sleeper: Task<Void, Never>?
  fileprivate var untilMs = Int64.max
  fileprivate var isOver = false

  /// Ends the sleep and the story.
  mutating func end() {
    isOver = true
    sleeper?.cancel()
  }
}

extension StoryEngine {
  /// The longest sleep, in ms.
  private static var longestMs: Int64 { 60_000 }

  /// Runs the story until it is ended or cancelled.
  func drive() async {
    while !pause.isOver, !Task.isCancelled {
      let now = clock.nowMs
      runDue()
      let due = nextDueMs ?? now + Self.longestMs
      let clock = clock
      let sleep = Task<Void, Never> {
        // A cancelled sleep only means that an earlier event was planned.
        try? await clock.sleep(untilMs: due)
      }
      pause.sleeper = sleep
      pause.untilMs = due
      await sleep.value
      pause.sleeper = nil
      pause.untilMs = .max
    }
  }

  /// Runs what is due; with a manual clock this makes `advance` deterministic.
  func catchUp() {
    runDue()
    wakeIfNeeded()
  }

  /// Ends the sleep if an earlier event was planned meanwhile.
  func wakeIfNeeded() {
    if let due = nextDueMs, due < pause.untilMs { pause.sleeper?.cancel() }
  }
}
