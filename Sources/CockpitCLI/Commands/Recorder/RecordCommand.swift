import ArgumentParser
import CockpitDomain
import CockpitFiles
import CockpitHistory
import CockpitSession
import CockpitStores
import CockpitText
import CurlTransport
import Foundation
import Networking

/// `record`: the recorder without a screen, for days on end.
struct RecordCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record a bot on the disk until it is ended: the past of the cockpit.",
    usage: "clanky-cockpit record [OPTIONS]",
    discussion: """
      Begins with what the backend still has, mends what a lost connection cost, and fetches what the tabs \
      show every ten minutes. A cockpit that runs beside it reads its history and records nothing itself.

      As a service of systemd:
        clanky-cockpit record --print-unit > ~/.config/systemd/user/clanky-record.service
        systemctl --user enable --now clanky-record

      --to sends the rows to sinks as well: Prometheus, Loki and others (docs/sinks.md).

      Ends with Ctrl-C; with 3 when the connection cannot be mended, with 4 when the token is refused.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var history: HistoryOptions

  @Option(help: ArgumentHelp("Day files go when their last record is older.", valueName: "AGE"))
  var keep = "30d"

  @Option(
    help: ArgumentHelp("What all day files may take; the oldest go first.", valueName: "SIZE"))
  var max = "10GiB"

  @Option(
    help: ArgumentHelp("How far back to begin; off begins now.", valueName: "AGE|off"))
  var backfill = "24h"

  @Option(
    help: ArgumentHelp(
      "How often to fetch facts, guilds, automations and sessions; off fetches none.",
      valueName: "AGE|off"))
  var documents = "10m"

  @Option(help: "When what was written is forced to the disk: a power cut costs what was not.")
  var sync = SyncChoice.fiveSeconds

  @Option(
    help: """
      What is left out: words leaves out content, transcripts, prompts and facts, and keeps how long \
      each was. Default: the configuration's.
      """)
  var redact: RedactChoice?

  @Option(
    help: ArgumentHelp(
      "Send what is recorded to these sinks of the configuration as well; docs/sinks.md has them.",
      valueName: "NAME"))
  var to: [String] = []

  @Option(
    help: ArgumentHelp(
      "Serve metrics for Prometheus on this loopback address, such as 127.0.0.1:9464.",
      valueName: "ADDRESS"))
  var metrics: String?

  @Flag(help: "Record on a network file system all the same, without an index of words.")
  var force = false

  @Flag(help: "Print a unit for systemd and do nothing.")
  var printUnit = false

  enum SyncChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
    case each
    case second = "1s"
    case fiveSeconds = "5s"
    case off

    var ms: Int? {
      switch self {
      case .each: 0
      case .second: 1000
      case .fiveSeconds: 5000
      case .off: nil
      }
    }
  }

  enum RedactChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
    case none, words
  }

  func validate() throws {
    guard let age = KeptAmount.age(keep), age > 0 else {
      throw ValidationError("--keep is an age such as 24h or 30d")
    }
    guard KeptAmount.size(max) != nil else {
      throw ValidationError("--max is a size of 16MiB or more, such as 10GiB")
    }
    for (name, text) in [("--backfill", backfill), ("--documents", documents)] where text != "off" {
      guard let age = KeptAmount.age(text), age > 0 else {
        throw ValidationError("\(name) is an age such as 10m or 24h, or off")
      }
    }
  }

  @MainActor func run(in environment: Environment) async throws {
    if printUnit {
      for line in Self.unit(ProgramFile.path ?? "clanky-cockpit") {
        environment.output.line(Array(line.utf8))
      }
      return
    }
    let opened = try await OpenedSource.open(
      try Settings(shared, in: environment), on: environment.eventLoop)
    let settings = opened.settings
    let sinks = try settings.sinks(named: to)
    let folder: String
    if let named = history.folder {
      folder = named
    } else if let own = settings.historyFolder(of: opened.name) {
      folder = own
    } else {
      throw Failure(
        .usage, "there is no place for a history: \(settings.paths.remedy("XDG_STATE_HOME"))")
    }
    var options = RecorderSettings(
      keepMs: KeptAmount.age(keep), maxBytes: KeptAmount.size(max), bufferBytes: 32 << 20,
      syncMs: sync.ms, what: "record", version: programVersion, bot: opened.name)
    options.omitsWords =
      redact.map { $0 == .words } ?? (settings.configuration.history.redact == "words")
    options.allowsNetwork = force
    let recorder = HistoryRecorder(folder: folder, options, clock: .system)
    let run = RecordRun(
      opened, recorder, folder: folder,
      recordsOwnerPrivate: settings.configuration.history.ownerPrivate ?? false, in: environment)
    run.backfillMs = KeptAmount.age(backfill)
    run.documentsMs = KeptAmount.age(documents)
    if !sinks.isEmpty || metrics != nil {
      run.sinks = try sinkGroup(opened, folder, in: environment)
      run.wantedSinks = sinks
      run.metricsAddress = metrics
    }
    environment.output.complain("recording \(opened.name) to \(folder)")
    for (name, sink) in sinks {
      environment.output.complain("sending it to \(name) (\(settings.place(of: sink)))")
    }
    let end = await run.untilEnd()
    // The last rows are written first, so that a sink may have them.
    let isWritten = await OwnThread.run { recorder.stop(waiting: 30) }
    await run.sinks?.stop()
    if !isWritten { environment.output.complain("the disk is too slow; the last records are lost") }
    switch end {
    case .signal(let number): throw ExitCode(128 + number)
    case .failed(let failure): throw opened.failure(failure)
    case .recorder(let reason): throw Failure(.failed, reason)
    case .cancelled: return
    }
  }

  @MainActor
  private func sinkGroup(
    _ opened: OpenedSource, _ folder: String, in environment: Environment
  ) throws(Failure) -> SinkGroup {
    let settings = opened.settings
    do throws(CurlTransport.Problem) {
      // A separate transport: a sink must not use the backend's connections.
      let transport = try CurlTransport(
        clock: opened.clock, loop: environment.eventLoop, caFile: settings.caFile)
      return SinkGroup(
        settings, folder: folder,
        bot: settings.profileName.isEmpty ? opened.name : settings.profileName,
        transport: transport, clock: opened.clock,
        nowMs: { Int64(Date().timeIntervalSince1970 * 1000) })
    } catch {
      throw Failure(error)
    }
  }

  /// A unit for systemd.
  static func unit(_ program: String) -> [String] {
    """
    [Unit]
    Description=Recorder of a Clanky bot
    After=network-online.target

    [Service]
    Type=notify
    ExecStart=\(program) record
    WatchdogSec=60
    Restart=on-failure
    RestartSec=10
    RestartPreventExitStatus=2 4
    SuccessExitStatus=143
    NoNewPrivileges=yes
    ProtectSystem=strict
    ReadWritePaths=%S
    PrivateTmp=yes
    IOSchedulingClass=idle
    # A token that is no file of yours: uncomment, and add --token-file %d/token above.
    # LoadCredential=token:/etc/clanky/token

    [Install]
    WantedBy=default.target
    """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
