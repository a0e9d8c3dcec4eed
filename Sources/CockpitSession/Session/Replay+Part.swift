import CockpitHistory

extension Replay {
  /// One bot of a replay.
  package struct Part {
    /// Its profile.
    package var name: String
    package var history: any HistoryReading
    package var opened: OpenedSource
    /// The live bot. Its settings apply to the past too.
    package var live: CockpitModel

    package init(
      _ name: String, _ history: any HistoryReading, opened: OpenedSource, live: CockpitModel
    ) {
      (self.name, self.history) = (name, history)
      (self.opened, self.live) = (opened, live)
    }
  }
}
