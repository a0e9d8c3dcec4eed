import ArgumentParser
import CockpitHistory
import CockpitSession
import Foundation

/// Whether a verb answers from what was recorded, and as of when.
struct PastOptions: ParsableArguments {
  /// What stands for the recording of the bot where no file is named (`Arguments`).
  static let ofBot = "recorded"

  @Option(
    help: ArgumentHelp(
      "From what was recorded on this machine, without asking the bot; FILE is a day file or a bundle, without it that of the bot.",
      valueName: "FILE"),
    completion: .file())
  var fromHistory: String?

  @Option(
    help: ArgumentHelp(
      "As it was then, from what was recorded: 14:31, -10m, 2026-05-09T14:31.", valueName: "TIME"))
  var at: String?

  @OptionGroup var team: SharedPastOptions

  /// Whether the past is meant.
  var isPast: Bool { fromHistory != nil || at != nil || team.history != nil }

  /// Which recording is meant.
  private var place: RecordedPast.Place {
    guard let fromHistory, fromHistory != Self.ofBot else { return .bot }
    return .file(fromHistory)
  }

  /// The recording; nil if the bot is to be asked.
  @MainActor func open(_ settings: Settings) throws(Failure) -> RecordedPast? {
    guard isPast else { return nil }
    if settings.options.source != nil {
      throw Failure(
        .usage, "the demo is not recorded; leave --demo out, or --from-history and --at")
    }
    var settings = settings
    settings.options.sharedPast = try team.past(in: settings.process)
    if settings.options.sharedPast != nil, place != .bot {
      throw Failure(.usage, "choose one of --history and --from-history FILE")
    }
    let nowMs = Int64(Date().timeIntervalSince1970 * 1000)
    let atMs: Int64?
    if let at { atMs = try settings.moment(at, of: "--at") } else { atMs = nil }
    let past = try reading { () throws(HistoryError) in
      try RecordedPast(place, settings, atMs: atMs, nowMs: nowMs)
    }
    for line in past.remarksOnOrigin { settings.process.output.complain(line) }
    return past
  }
}
