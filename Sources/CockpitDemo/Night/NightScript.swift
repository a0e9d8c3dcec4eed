/// Writes the twelve hours of the scenario `night` and records what happened in them.
///
/// The timetable is the same for every seed; people, texts, reasons, durations and costs are not.
/// Each event is written completely before the next one, so that its rows, cost and end are known
/// in one place; afterwards the rows are sorted by time, as the backend would have written them.
final class NightScript {
  static let minute: Int64 = 60_000

  let world: World
  var random: DemoRandom
  var lines: NightLines
  let startMs: Int64
  let endMs: Int64
  var truth = Truth()
  /// The model that currently answers text.
  var model = World.Model.opus
  var promptVersion = 1
  /// Failed model calls since the last one that worked.
  var modelErrors: [(ms: Int64, row: TruthRow)] = []
  var isSearchDown = false
  var areEmbeddingsDown = false

  private init(_ world: World) {
    self.world = world
    random = DemoRandom(seed: world.options.seed ^ 0x6E69_6768_74)
    lines = NightLines(seed: world.options.seed)
    startMs = world.startMs
    endMs = world.startMs + world.options.scenario.pastMs
  }

  /// Writes the past of `world` up to its start.
  static func write(_ world: World) {
    let script = NightScript(world)
    let before = world.stats
    world.recording = []
    script.play()
    let written = world.recording ?? []
    world.recording = nil
    world.stats = before
    script.store(written)
  }

  /// Events still running when the past ends.
  static func goOn(_ world: World) {
    world.after(180_000) { world in
      world.pendingReplies = 0
      world.truth.change { truth in
        guard let index = truth.troubles.firstIndex(where: { $0.kind == "queue" }) else { return }
        truth.troubles[index].endMs = world.now
      }
    }
  }

  /// Gives the rows their places and the truth their ids.
  private func store(_ written: [World.Action]) {
    let order = written.indices.sorted {
      (written[$0].row.createdMs, $0) < (written[$1].row.createdMs, $1)
    }
    let ids = world.save(order.map { written[$0].row })
    for place in order {
      let action = written[place]
      world.stats.add(
        kind: action.row.kind, ms: action.row.createdMs, cost: action.row.cost,
        timings: action.timings)
    }
    var idOf: [Int: Int64] = [:]
    for (place, id) in zip(order, ids) { idOf[place] = id }
    truth.fromMs = startMs
    truth.toMs = endMs
    truth.cost = written.reduce(0) { $0 + $1.row.cost }
    truth.troubles.sort { ($0.onsetMs, $0.kind) < ($1.onsetMs, $1.kind) }
    truth.exchanges.sort { ($0.atMs, $0.trigger ?? "") < ($1.atMs, $1.trigger ?? "") }
    truth.resolve { reference in
      switch reference {
      case .place(let place): idOf[place] ?? 0
      case .id(let id): id
      }
    }
    world.truth = truth
    world.now = endMs
  }

  // MARK: Rows

  /// Writes rows at `ms` and returns them as evidence of `what`.
  @discardableResult
  func write(_ what: String, at ms: Int64, _ body: (World) -> Void) -> [TruthRow] {
    world.now = ms
    let first = world.recording?.count ?? 0
    body(world)
    return (first..<(world.recording?.count ?? 0)).map {
      TruthRow(reference: .place($0), what: what)
    }
  }

  /// Writes rows of an exchange at `ms`, and adds them and their cost to it.
  ///
  /// - Parameter isLinked: whether the rows name the message or the session.
  func write(
    _ what: String, at ms: Int64, to exchange: inout TruthExchange, isLinked: Bool = true,
    _ body: (World) -> Void
  ) {
    let rows = write(what, at: ms, body)
    let cost = (world.recording ?? []).suffix(rows.count).reduce(0) { $0 + $1.row.cost }
    exchange.rows += rows
    exchange.cost += cost
    if isLinked { exchange.linkedCost += cost }
  }

  // MARK: Troubles

  func trouble(_ kind: String, at ms: Int64, _ rows: [TruthRow], next: String) {
    truth.trouble(kind, at: ms, rows, next: next)
  }

  func isOver(_ kind: String, at ms: Int64, _ rows: [TruthRow]) {
    truth.isOver(kind, at: ms, rows)
  }
}
