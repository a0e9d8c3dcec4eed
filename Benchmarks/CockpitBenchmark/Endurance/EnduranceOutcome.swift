import Foundation

/// The result of the run.
struct EnduranceOutcome {
  var seconds: Double
  var disturbances: [Disturbance.Kind: Int]
  /// Rows of the backend's log.
  var logged: Int
  /// Rows of it that were not printed.
  var missing: [String: Int]
  /// How often a row was printed twice.
  var doubled: Int
  /// Rows sent just before their log was killed.
  var unlogged: Int
  /// How often the log was read too late to have all of it.
  var unseen: Int
  /// Lines of `tail --json` by type.
  var lines: [String: Int]
  var tracks: [ResourceTrack]
  /// Whether both were live again at the end and every row was printed.
  var isBack: Bool
  /// Seconds from `q` to the end of the process; nil if it did not end.
  var quit: Double?

  /// A quarter of the time, for the ring of rows to fill.
  private var warmUp: Double { seconds / 4 }

  /// MB that the memory may move between the end of the warm-up and the end.
  private static let flat = 2.0
  /// Descriptors beyond the least: requests that were under way when they were counted.
  private static let spareDescriptors = 8

  private var isFlat: Bool {
    tracks.allSatisfy { track in
      guard let summary = track.summary(after: warmUp) else { return true }
      return summary.last - summary.first <= Self.flat
        && (summary.descriptors?.count ?? 0) <= Self.spareDescriptors
    }
  }

  var isGood: Bool {
    isBack && missing.isEmpty && doubled == 0 && unseen == 0 && isFlat && (quit ?? 10) < 2
  }

  func markdown(every pause: ClosedRange<Double>, rows: Int) -> String {
    let when = Date.now.formatted(.iso8601.year().month().day())
    let kinds = Disturbance.Kind.allCases.map { "\(disturbances[$0] ?? 0) \(Self.words($0))" }
    var text = """
      Taken on \(when): \(number(seconds / 3600, 2)) hours, a disturbance every \
      \(Int(pause.lowerBound)) to \(Int(pause.upperBound)) seconds (\
      \(kinds.joined(separator: ", "))), the story of the demo and \(rows) rows a second besides, \
      a ring of \(Endurance.memory) that was full before the memory is judged: after the first \
      \(Int(warmUp / 60)) minutes.

      | Quantity | Target | Figure | |
      | --- | --- | --- | --- |

      """
    func add(_ quantity: String, _ target: String, _ figure: String, _ isMet: Bool?) {
      let verdict = isMet.map { $0 ? "met" : "**missed**" } ?? ""
      text += "| \(quantity) | \(target) | \(figure) | \(verdict) |\n"
    }
    let gone = missing.values.reduce(0, +)
    add("rows of the backend's log", "", "\(logged)", unseen == 0 ? nil : false)
    add("of them not printed by `tail --json`", "0", "\(gone)", gone == 0)
    add("printed twice", "0", "\(doubled)", doubled == 0)
    add("told in the second before their log was killed", "", "\(unlogged)", nil)
    add("gap lines", "", "\(lines["gap"] ?? 0)", nil)
    add("rejected events", "0", "\(lines["error"] ?? 0)", lines["error"] == nil)
    for track in tracks {
      guard let summary = track.summary(after: warmUp) else { continue }
      add(
        "\(track.name): memory after the warm-up and at the end",
        "at most \(Int(Self.flat)) MB more",
        "\(number(summary.first, 1)) and \(number(summary.last, 1)) MB"
          + " (\(number(summary.slope, 2)) MB an hour)",
        summary.last - summary.first <= Self.flat)
      guard let descriptors = summary.descriptors else { continue }
      add(
        "\(track.name): descriptors, least and most",
        "at most \(Self.spareDescriptors - 1) more",
        "\(descriptors.lowerBound) and \(descriptors.upperBound)",
        descriptors.count <= Self.spareDescriptors)
    }
    add("both live at the end, with every row", "yes", isBack ? "yes" : "no", isBack)
    add(
      "`q` to the end of the process", "< 2 s",
      quit.map { "\(number($0 * 1000, 0)) ms" } ?? "never",
      (quit ?? 10) < 2)
    return text + "\n"
  }

  private static func words(_ kind: Disturbance.Kind) -> String {
    switch kind {
    case .reset: "times all connections reset"
    case .close: "closed"
    case .away: "refused for 2 to 20 s"
    case .silence: "silent for 12 to 30 s"
    case .restart: "backends killed and replaced"
    }
  }
}
