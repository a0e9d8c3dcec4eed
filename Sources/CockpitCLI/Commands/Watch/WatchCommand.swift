import ArgumentParser
import CockpitAnswers
import CockpitFiles
import CockpitSession
import CockpitStores
import CockpitText
import Foundation
import Networking
import TerminalCore

/// `watch`: alarms without a screen.
struct WatchCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Alarms without a screen: each once, with its evidence.",
    usage: "clanky-cockpit watch ['NAME: QUERY | count > 3 in 5m' …] [OPTIONS]",
    discussion: """
      Watches the rules of the triage, the promises of [slo], the watches of the configuration and those that are \
      named here, until it is ended. An alarm is said once, on stdout and to --exec, --notify and --webhook, and \
      once that it is over; a restart repeats none. Rows that were fetched later or are played from a recording \
      raise none. docs/watch.md has the message and the limits.

      The command of --exec gets the message as JSON on its standard input and in the variables \
      $CLANKY_ALARM_STATE, _RULE, _LEVEL, _SENTENCE, _ROWS and others.

      As a service of systemd:
        clanky-cockpit watch --notify --print-unit > ~/.config/systemd/user/clanky-watch.service
        systemctl --user enable --now clanky-watch

      With --once it looks one time, at what came since the look before, and exits with 1 when something is wrong. \
      Else it ends with Ctrl-C; with 3 when the connection cannot be mended, with 4 when the token is refused.
      """)

  @OptionGroup var shared: SharedOptions

  @Argument(
    help: ArgumentHelp(
      "More watches: rows that match, so many within a time.", valueName: "NAME: QUERY"))
  var rules: [String] = []

  @Option(help: ArgumentHelp("Run by the shell for every message.", valueName: "COMMAND"))
  var exec: String?

  @Flag(help: "A notification of the desktop for every message.")
  var notify = false

  @Option(help: ArgumentHelp("Gets every message as a POST of JSON.", valueName: "URL"))
  var webhook: String?

  @Option(help: "What is milder is no alarm.")
  var level: LevelChoice = .warning

  @Option(help: ArgumentHelp("Between two alarms of one rule.", valueName: "DURATION"))
  var every = "5m"

  @Option(help: ArgumentHelp("Alarms within an hour, at most.", valueName: "N"))
  var perHour = 20

  @Option(help: ArgumentHelp("Say nothing of a rule from now on.", valueName: "RULE"))
  var mute: [String] = []

  @Option(help: ArgumentHelp("Say something of a rule again.", valueName: "RULE"))
  var unmute: [String] = []

  @Option(help: ArgumentHelp("Say nothing of a rule for a time.", valueName: "RULE=1h"))
  var snooze: [String] = []

  @Flag(help: "List what is watched, and what is muted or snoozed, and do nothing.")
  var list = false

  @Flag(help: "Look once; exit with 1 when something is wrong.")
  var once = false

  @Flag(help: "JSON lines, ASCII only.")
  var json = false

  @Flag(help: "Print a unit for systemd with these options and do nothing.")
  var printUnit = false

  enum LevelChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
    case info, warning, critical

    var level: TriageLevel { TriageLevel(rawValue: rawValue) ?? .warning }
  }

  func validate() throws {
    guard everyMs != nil else {
      throw ValidationError("--every is a time such as 30s, 5m or 1h")
    }
    guard (1...1000).contains(perHour) else {
      throw ValidationError("--per-hour is a number from 1 to 1000")
    }
    for text in snooze where Self.snoozed(text) == nil {
      throw ValidationError("--snooze is a rule and a time, such as models=1h")
    }
  }

  private var everyMs: Int64? {
    PromisedShare.milliseconds(every).flatMap { (0...3_600_000).contains($0) ? $0 : nil }
  }

  private static func snoozed(_ text: String) -> (rule: String, ms: Int64)? {
    guard let sign = text.lastIndex(of: "="),
      let ms = PromisedShare.milliseconds(String(text[text.index(after: sign)...])), ms > 0
    else { return nil }
    return (String(text[..<sign]), ms)
  }

  private var isChange: Bool { !mute.isEmpty || !unmute.isEmpty || !snooze.isEmpty }

  @MainActor func run(in environment: Environment) async throws {
    if printUnit {
      for line in unit(environment) { environment.output.line(Array(line.utf8)) }
      return
    }
    let settings = try Settings(shared, in: environment)
    let more = try watches(settings)
    // Of a demo nothing is remembered: the next one is another bot.
    let isDemo = settings.options.source != nil
    let files =
      isDemo
      ? nil : AlarmFiles(state: settings.paths.state, bot: try settings.sourceName())
    let rules = AlarmRuleTable(settings: settings, more: more)
    if isChange {
      try change(files, rules, environment)
      if !list { return }
    }
    if list {
      let silences = files?.silences() ?? AlarmSilences()
      for line in rules.lines(silences, clock: settings.clock, nowMs: environment.wallMs()) {
        environment.output.line(line)
      }
      return
    }
    // The webhook must not be an afterthought of an hour later.
    let hook = try webhook.map { text in
      do throws(BackendURL.Problem) {
        return try WebhookChannel.parse(
          text, allowPlainHTTP: shared.allowPlainHttp || settings.profile.allowPlainHTTP ?? false)
      } catch {
        throw Failure(.usage, "--webhook: \(error.description)")
      }
    }
    let claim = try claim(files, isDemo: isDemo, environment)
    defer { claim?.release() }
    let opened = try await OpenedSource.open(settings, on: environment.eventLoop)
    let model = CockpitModel(opened)
    model.add(watches: more)
    let run = WatchRun(model, files: files, in: environment)
    run.limits.perRuleMs = everyMs ?? 300_000
    run.limits.perHour = perHour
    run.limits.least = level.level
    (run.isOnce, run.isJSON) = (once, json)
    let complain: @MainActor (String) -> Void = { environment.output.complain($0) }
    if let exec {
      run.channels.append(
        ExecChannel(exec, environment: environment.variables, complain: complain))
    }
    if notify {
      guard
        let channel = DesktopChannel(
          alerts: settings.configuration.alerts, environment: environment, complain: complain)
      else {
        throw Failure(
          .usage,
          "--notify finds neither notify-send nor osascript nor a terminal; set alerts.command in "
            + "the configuration, or use --exec")
      }
      run.channels.append(channel)
    }
    if let (base, target) = hook {
      run.channels.append(
        WebhookChannel(
          base, target, transport: try opened.webTransport(on: environment.eventLoop),
          clock: opened.clock, complain: complain))
    }
    if !once {
      environment.output.complain(
        "watching \(opened.name): \(rules.count) rules")
    }
    switch await run.untilEnd() {
    case .signal(let number): throw ExitCode(128 + number)
    case .failed(let failure): throw opened.failure(failure)
    case .looked(let open): if open > 0 { throw ExitCode(1) }
    case .cancelled: return
    }
  }

  @MainActor private func watches(_ settings: Settings) throws(Failure) -> [WatchRule] {
    var found: [WatchRule] = []
    for line in rules {
      do throws(WatchRule.Problem) {
        found.append(
          try WatchRule(
            line, zone: settings.clock.queryZone, views: QueryViews(settings.configuration.views)))
      } catch {
        throw Failure(.usage, "the watch '\(line.prefix(80))': \(error.description)")
      }
    }
    return found
  }

  /// A second `watch` of the same bot would say everything twice.
  @MainActor private func claim(
    _ files: AlarmFiles?, isDemo: Bool, _ environment: Environment
  ) throws(Failure) -> CacheDirectory.Claim? {
    guard let files else {
      guard !isDemo else { return nil }
      environment.output.complain(
        "there is no state folder, so a restart may repeat alarms; set XDG_STATE_HOME")
      return nil
    }
    do throws(FileError) {
      if let claim = try files.claimWatch() { return claim }
    } catch {
      environment.output.complain(error.description)
      return nil
    }
    throw Failure(.failed, "another 'watch' of this bot runs already")
  }

  @MainActor private func change(
    _ files: AlarmFiles?, _ rules: AlarmRuleTable, _ environment: Environment
  ) throws(Failure) {
    guard let files else {
      throw Failure(.failed, "there is no state folder to remember it in; set XDG_STATE_HOME")
    }
    let snoozes = snooze.compactMap(Self.snoozed)
    for name in mute + unmute + snoozes.map(\.rule) where !rules.names.contains(name) {
      throw Failure(
        .usage, "there is no rule '\(name)'\(rules.hint(name)); --list has them all")
    }
    let nowMs = environment.wallMs()
    files.change { silences in
      silences.expire(nowMs: nowMs)
      silences.muted.formUnion(mute)
      for name in unmute { silences.unmute(name) }
      for (rule, ms) in snoozes { silences.snoozedUntilMs[rule] = nowMs + ms }
    }
    let complaints = files.takeComplaints()
    guard complaints.isEmpty else { throw Failure(.failed, complaints.joined(separator: "; ")) }
  }

  /// A unit for systemd that watches with the options that were given.
  private func unit(_ environment: Environment) -> [String] {
    let program = ProgramFile.path ?? "clanky-cockpit"
    let arguments = environment.arguments.filter { $0 != "--print-unit" }
    let words = ([program] + arguments).map(Self.quoted)
    return """
      [Unit]
      Description=Alarms of a Clanky bot
      After=network-online.target

      [Service]
      Type=notify
      ExecStart=\(words.joined(separator: " "))
      WatchdogSec=60
      Restart=on-failure
      RestartSec=10
      RestartPreventExitStatus=2 4
      SuccessExitStatus=143
      NoNewPrivileges=yes
      # A token that is no file of yours: uncomment, and add --token-file %d/token above.
      # LoadCredential=token:/etc/clanky/token

      [Install]
      WantedBy=default.target
      """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// A word of a unit file: systemd expands $ and %, and takes quotes and backslashes.
  static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "-_./:=,@+".utf8.contains(byte)
      }
    }
    guard !isPlain || word.isEmpty else { return word }
    let text = word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      .replacing("$", with: "$$").replacing("%", with: "%%").replacing("\n", with: "\\n")
    return "\"\(text)\""
  }
}
