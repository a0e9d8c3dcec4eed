import ArgumentParser
import CockpitHistory
import CockpitSession
import CockpitText
import Foundation
import LenientJSON
import TerminalCore

/// `history export`: one incident in one file.
struct HistoryExportCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a stretch of time into one file that opens on any machine.",
    usage: "clanky-cockpit history export --from TIME --to TIME FILE.flight [OPTIONS]",
    discussion: """
      Names and ids of people, guilds, channels and hosts become pseudonyms, the same one for the same person \
      wherever it is named; addresses, paths, e-mail, phone numbers and key-like strings are masked; prompts \
      are left out. Only listed fields pass. Numbers, times, kinds, reasons and costs stay. Then the file is \
      read again: if a known name or id, or the token, is still in it, it is removed and this fails. \
      'history export --dry-run' shows what would be in it.

      'clanky-cockpit replay FILE' opens it, without a bot, a token or a network. With --jsonl it is \
      a text for other tools: its rows are lines of 'tail --json'.

      Examples:
        clanky-cockpit history export --from 14:20 --to 14:35 --note 'why was it silent?' silence.flight
        clanky-cockpit history export --from -10m --to -0m --dry-run
        clanky-cockpit history export --session 5bfe916d-a02e --redact words call.flight
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var history: HistoryOptions

  @Option(help: ArgumentHelp("Its beginning: 14:31, -2h, 2026-11-24T22:00.", valueName: "TIME"))
  var from: String?

  @Option(help: ArgumentHelp("Its end.", valueName: "TIME"))
  var to: String?

  @Option(
    help: ArgumentHelp("The time of this voice session, instead of two times.", valueName: "ID"))
  var session: String?

  @Option(
    help: ArgumentHelp("The time of this turn of the session: 1 is its first.", valueName: "N"))
  var turn: Int?

  @Option(help: "What is left out: who it is about, or all words too.")
  var redact = RedactionChoice.people

  @Flag(
    help: "Keep the prompts, with names replaced: they may quote people who are named nowhere else."
  )
  var prompts = false

  @Option(help: ArgumentHelp("Why, for whoever opens it; redacted as the rest.", valueName: "TEXT"))
  var note = ""

  @Flag(help: "Say what would be in it and what would be replaced, with examples; write nothing.")
  var dryRun = false

  @Flag(help: "JSON lines instead of a file for 'replay'.")
  var jsonl = false

  @Flag(help: "The answer as one JSON object, ASCII only.")
  var json = false

  @Option(help: .hidden)
  var seed: UInt64?

  @Argument(
    help: ArgumentHelp("The file to write; it must not be there yet.", valueName: "FILE"),
    completion: .file())
  var file: String?

  enum RedactionChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
    case people, words, none

    var level: RedactionLevel { RedactionLevel(rawValue: rawValue) ?? .people }
  }

  func validate() throws {
    guard (from != nil) == (to != nil), (from != nil) != (session != nil) else {
      throw ValidationError("name the time with --from and --to, or a voice session with --session")
    }
    if let turn {
      guard session != nil, turn > 0 else {
        throw ValidationError("--turn is the number of a turn of the --session")
      }
    }
    guard dryRun != (file != nil) else {
      throw ValidationError("name the file to write, or say --dry-run")
    }
  }

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(shared, in: environment)
    let folder = try history.path(settings)
    var times: ClosedRange<Int64>?
    if let session {
      times = try SessionTimes(folder, session: session, turn: turn).range
    } else if let from, let to {
      let (fromMs, toMs) = (
        try settings.moment(from, of: "--from"), try settings.moment(to, of: "--to")
      )
      guard fromMs < toMs else { throw Failure(.usage, "--from is not before --to") }
      times = fromMs...toMs
    }
    guard let times else { throw Failure(.usage, "name the time with --from and --to") }
    let token = TokenSearch(settings)
    var request = BundleRequest(
      fromMs: times.lowerBound, toMs: times.upperBound, redaction: redact.level,
      keepsPrompts: prompts, note: note, version: programVersion,
      createdMs: Int64(Date().timeIntervalSince1970 * 1000),
      findsSecret: token.finds)
    request.session = session
    request.seed = seed
    // A file that is made again is the same.
    if seed != nil { request.createdMs = times.upperBound }
    let (meant, file, jsonl) = (request, file, jsonl)
    let result = await OwnThread.run { () -> Result<BundleReport, HistoryError> in
      Result { () throws(HistoryError) in
        let history = try HistoryFolder(folder)
        guard let file else { return try BundleExport.preview(history, meant) }
        return jsonl
          ? try BundleExport.writeLines(history, meant, to: file)
          : try BundleExport.write(history, meant, to: file)
      }
    }
    let report = try reading { () throws(HistoryError) in try result.get() }
    if let file { noteExport(file, report, folder, environment) }
    if json {
      environment.output.line(line(report))
    } else {
      for line in BundleText(report, settings.clock, isSample: dryRun).lines {
        environment.output.line(line)
      }
      if let file {
        environment.output.line(
          PlainText("written to \(file), " + token.sentence(of: redact.level), limit: 600))
      }
    }
  }

  /// The log of exports is for `history forget`; a folder that cannot be written has none.
  private func noteExport(
    _ file: String, _ report: BundleReport, _ folder: String, _ environment: Environment
  ) {
    // A bundle has no notes.
    guard (try? HistoryOverview.read(folder)) != nil else { return }
    let path = URL(filePath: file).path(percentEncoded: false)
    do throws(HistoryError) {
      try report.manifest.noteExport(to: path, in: folder)
    } catch {
      environment.output.complain("the export is not noted in the history: \(error.description)")
    }
  }

  private func line(_ report: BundleReport) -> [UInt8] {
    var manifest = report.manifest.json
    guard let bytes = report.bytes, manifest.last == UInt8(ascii: "}") else { return manifest }
    manifest.removeLast()
    return manifest + Array(",\"bytes\":\(bytes),\"checked\":true}".utf8)
  }
}

/// What a bundle has in it, as lines: for the preview, after writing, and for who opens it.
struct BundleText {
  let lines: [PlainText]

  init(_ report: BundleReport, _ clock: ClockFormat, isSample: Bool) {
    let manifest = report.manifest
    func moment(_ ms: Int64) -> PlainText { clock.day(ms: ms) + " " + clock.time(ms: ms) }
    var lines: [PlainText] = [
      "from " + moment(manifest.fromMs) + " to " + moment(manifest.toMs) + ", with "
        + Figures.count(manifest.rows) + " rows since " + moment(manifest.contextFromMs) + ", "
        + Figures.count(manifest.documents) + " documents, " + Figures.count(manifest.links)
        + " link records, " + Figures.count(manifest.marks) + " marks"
    ]
    if let bytes = report.bytes { lines.append("size " + Figures.bytes(bytes)) }
    if !manifest.note.isEmpty { lines.append("note " + PlainText(manifest.note, limit: 300)) }
    lines += manifest.redactionLines.map { PlainText($0, limit: 400) }
    if manifest.unreadable > 0 {
      lines.append("missing " + Figures.count(manifest.unreadable) + " records that cannot be read")
    }
    if isSample {
      for (what, samples) in report.samples.sorted(by: { $0.key < $1.key }) {
        for sample in samples {
          lines.append(
            PlainText("  \(what): ", limit: 40) + PlainText(sample.before, limit: 80) + " -> "
              + PlainText(sample.after, limit: 80))
        }
      }
    }
    self.lines = lines
  }
}
