import ArgumentParser
import CockpitDomain
import CockpitFiles
import CockpitHistory
import CockpitSession
import CockpitStores
import CockpitText
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
    environment.output.complain("recording \(opened.name) to \(folder)")
    let end = await run.untilEnd()
    let isWritten = await OwnThread.run { recorder.stop(waiting: 30) }
    if !isWritten { environment.output.complain("the disk is too slow; the last records are lost") }
    switch end {
    case .signal(let number): throw ExitCode(128 + number)
    case .failed(let failure): throw opened.failure(failure)
    case .recorder(let reason): throw Failure(.failed, reason)
    case .cancelled: return
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
