/// The boards of several sources as one.
extension ControlBoard {
  /// What one of several sources states.
  package struct Part {
    /// Its name.
    package var source: String
    /// nil before it has stated it.
    package var board: ControlBoard?
    /// Whether it is connected: else the board is as old as the end of the connection.
    package var isLive: Bool

    package init(source: String, board: ControlBoard?, isLive: Bool) {
      self.source = source
      self.board = board
      self.isLive = isLive
    }
  }

  /// Everything that waits and runs, each with its source. What the sources say in sentences begins with their
  /// names.
  ///
  /// - Returns: nil without a part.
  package init?(of parts: [Part]) {
    guard !parts.isEmpty else { return nil }
    (waiting, runs, over, unknown, notes) = ([], [], [], [], [])
    canAnswer = true
    canStop = false
    for part in parts {
      guard var board = part.board else {
        unknown.append("\(part.source): what waits there has not been heard yet")
        continue
      }
      if !part.isLive {
        unknown.append("\(part.source): not connected, so what waits there now")
      }
      for index in board.waiting.indices { board.waiting[index].source = part.source }
      for index in board.runs.indices { board.runs[index].source = part.source }
      for index in board.over.indices { board.over[index].source = part.source }
      waiting += board.waiting
      runs += board.runs
      over += board.over
      unknown += board.unknown.map { "\(part.source): \($0)" }
      notes += board.notes.map { "\(part.source): \($0)" }
      canAnswer = canAnswer && board.canAnswer
      canStop = canStop || board.canStop
    }
    waiting.sort { ($0.expiresMs ?? .max, $0.key) < ($1.expiresMs ?? .max, $1.key) }
    over.sort { $0.atMs < $1.atMs }
  }
}

extension ControlBoard.Card {
  /// Tells it from all others: ids are a source's own.
  package var key: String { source.map { $0 + "/" + id } ?? id }
}

extension ControlBoard.Run {
  /// The same of a grant.
  package var key: String { (source.map { $0 + "/" } ?? "") + (id ?? "") }
}

extension AttentionState {
  /// How strongly several sources ask for the owner.
  ///
  /// - Parameter parts: names and states.
  package init(of parts: [(source: String, state: AttentionState)]) {
    self.init()
    for (source, part) in parts.sorted(by: { $0.state.level > $1.state.level }) {
      level = max(level, part.level)
      hasStrip = hasStrip || part.hasStrip
      cards += part.cards.map { source + "/" + $0 }
      isQuiet = isQuiet || part.isQuiet
      if event == nil, var signal = part.event {
        signal.title = source + ": " + signal.title
        event = signal
      }
    }
  }
}
