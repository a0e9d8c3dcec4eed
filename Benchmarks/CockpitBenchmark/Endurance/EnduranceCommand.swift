import ArgumentParser
import Foundation

/// Hours beside a backend that is disturbed again and again: memory, descriptors, and every row.
struct EnduranceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "endurance",
    abstract: "Watch a cockpit and a tail for hours while their backend comes and goes.")

  @Option(help: "The cockpit to watch, a release build.")
  var cockpit: String

  @Option(help: "How long.")
  var hours = 4.0

  @Option(help: "Seconds between two disturbances, at least.")
  var shortest = 60.0

  @Option(help: "Seconds between two disturbances, at most.")
  var longest = 600.0

  /// The backend returns 1,000 rows at most: the rows of the longest silence including reconnecting
  /// must fit, and so must a minute's, after which live rows are compared.
  @Option(
    help:
      "Rows per second that the backend writes, besides its story; more than 15 cannot all be fetched after a long silence."
  )
  var rows = 12

  @Option(help: "The same seed disturbs in the same order.")
  var seed: UInt64 = 1

  @Option(
    help: ArgumentHelp("Put the result into this page, between its marks.", valueName: "FILE"))
  var write: String?

  func validate() throws {
    guard hours > 0, shortest > 0, longest >= shortest, rows > 0 else {
      throw ValidationError("--hours, --shortest, --longest and --rows are numbers above 0")
    }
  }

  func run() throws {
    signal(SIGPIPE, SIG_IGN)
    try ScratchFolder.use("endurance", run)
  }

  private func run(in folder: String) throws {
    var random = CorpusRandom(seed: seed)
    let plan = Disturbance.plan(
      seconds: hours * 3600, every: shortest...longest, random: &random)
    let endurance = try Endurance(cockpit: cockpit, rows: rows, folder: folder)
    let outcome = try endurance.run(seconds: hours * 3600, plan: plan)
    let text = outcome.markdown(every: shortest...longest, rows: rows)
    print(text)
    if let write { try MarkedPage.write(text, to: write, marks: MarkedPage.endurance) }
    if !outcome.isGood { throw ExitCode(1) }
  }
}

/// Something that is done to the way to the backend.
struct Disturbance {
  enum Kind: String, CaseIterable {
    /// All connections are reset.
    case reset
    /// All connections are closed.
    case close
    /// Connections are refused for a while.
    case away
    /// Connections stay and nothing comes.
    case silence
    /// The backend is killed, and started anew with another log.
    case restart
  }

  let kind: Kind
  /// Seconds after the start.
  let at: Double
  /// Its duration, in seconds.
  let lasting: Double

  /// Each kind equally often, in random order; the last one early enough for all programs to
  /// reconnect.
  static func plan(
    seconds: Double, every: ClosedRange<Double>, random: inout CorpusRandom
  ) -> [Disturbance] {
    var plan: [Disturbance] = []
    var bag: [Kind] = []
    var at = 0.0
    while true {
      at += random.seconds(every)
      if bag.isEmpty { bag = Kind.allCases }
      let kind = bag.remove(at: random.number(0...bag.count - 1))
      let lasting: Double =
        switch kind {
        case .reset, .close: 0
        case .away: random.seconds(2...20)
        case .silence: random.seconds(12...30)
        case .restart: random.seconds(1...5)
        }
      guard at + lasting + 60 < seconds else { return plan }
      plan.append(Disturbance(kind: kind, at: at, lasting: lasting))
      at += lasting
    }
  }
}

extension CorpusRandom {
  fileprivate mutating func seconds(_ range: ClosedRange<Double>) -> Double {
    Double(number(Int(range.lowerBound * 1000)...Int(range.upperBound * 1000))) / 1000
  }
}
