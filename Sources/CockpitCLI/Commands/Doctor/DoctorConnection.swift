import CockpitAnswers
import CockpitChat
import CockpitSession
import CockpitText
import Networking
import ClankyWire
import CockpitDemo
import CockpitFiles
import CockpitStores
import Foundation
import TerminalCore

/// The checks of address, token and backend.
@MainActor
struct DoctorConnection {
  let settings: Settings

  private static let tokenPatience = Duration.seconds(3)
  private static let patience = Duration.seconds(5)
  private static let longestSkewMs = 5000

  /// - Returns: the checks, and the exit code of the connection when it failed.
  func checks() async -> ([DoctorCheck], Int32?) {
    if settings.options.demo != nil { return await demo() }
    if settings.opensElevenLabs { return await DoctorElevenLabs(settings: settings).checks() }
    if settings.opensCompanion { return await DoctorCompanion(settings: settings).checks() }
    if settings.options.source == .elevenLabsDemo { return await elevenLabsDemo() }
    if settings.profile.gateway != nil {
      return await DoctorGateway(settings: settings).checks()
    }
    if settings.opensChatServer { return await chatServer() }
    let url: BackendURL
    do throws(Failure) {
      url = try settings.backendURL()
    } catch {
      return (
        [DoctorCheck("address", .fail, error.description, "correct --url, or run setup")], nil
      )
    }
    var checks = [address(url)] + proxy(url)
    var patient = settings
    patient.patience = Self.tokenPatience
    let found: Settings.FoundToken?
    do {
      found = try await OwnThread.run { [patient] in
        Result { () throws(Failure) in try patient.foundToken(for: url) }
      }.get()
      checks.append(token(found, url))
    } catch {
      checks.append(
        DoctorCheck("token", .fail, "\(error)", "'clanky-cockpit setup' enters it again"))
      return (checks, nil)
    }
    let (more, code) = await connection(url, found?.token)
    return (checks + more, code)
  }

  /// The demo of a service, in this process.
  private func elevenLabsDemo() async -> ([DoctorCheck], Int32?) {
    do {
      let server = try await ElevenLabsServer.start(ElevenLabsOptions(scenario: .quiet))
      defer { withExtendedLifetime(server) {} }
      return await DoctorElevenLabs(settings: settings).ask(
        try BackendURL(server.url), try TokenText(server.key), ElevenLabsServer.agent)
    } catch {
      return ([DoctorCheck("connection", .fail, "\(error)")], nil)
    }
  }

  /// A server that can only be talked to: its address, and whether it names its models.
  private func chatServer() async -> ([DoctorCheck], Int32?) {
    do {
      let url = try settings.chatServerURL()
      var checks = [address(url)] + proxy(url)
      var patient = settings
      patient.patience = Self.tokenPatience
      let result = try await ChatServerStatus.models(
        patient, withinMs: 5_000, in: settings.process)
      switch result {
      case .success(let models):
        checks += DoctorHeaders.checks(settings.profile)
        checks.append(DoctorCheck("connection", .ok, "\(models.count) models at /v1/models"))
        return (checks, nil)
      case .failure(let failure):
        checks.append(DoctorCheck("connection", .fail, failure.sentence))
        return (checks, ChatServerStatus.failed(failure).code)
      }
    } catch {
      return ([DoctorCheck("address", .fail, "\(error)", "correct the profile")], nil)
    }
  }

  private func demo() async -> ([DoctorCheck], Int32?) {
    do {
      let backend = try await Backend.open(settings, findsGuild: false)
      let (checks, code) = await connection(backend.url, backend.token)
      withExtendedLifetime(backend) {}
      return ([DoctorCheck("address", .ok, "the demo backend, in this program")] + checks, code)
    } catch {
      return ([DoctorCheck("connection", .fail, "\(error)", "try again")], 3)
    }
  }

  private func address(_ url: BackendURL) -> DoctorCheck {
    if url.scheme == .http, !url.isLoopback {
      return DoctorCheck(
        "address", .warn, "\(url): the token travels readable to \(url.host)",
        "use https://, or a tunnel")
    }
    return DoctorCheck("address", .ok, url.isLoopback ? "\(url), this machine" : "\(url)")
  }

  private func proxy(_ url: BackendURL) -> [DoctorCheck] {
    let all = ["https_proxy", "HTTPS_PROXY", "http_proxy", "all_proxy", "ALL_PROXY"]
    let used = ProxyVariables(for: url) { settings.environment[$0] }?.proxy
    // Loopback is always reached directly.
    let name = used ?? all.first { url.isLoopback && !(settings.environment[$0] ?? "").isEmpty }
    guard let name else { return [] }
    // The value may hold a password.
    return [
      DoctorCheck(
        "proxy", .ok,
        url.isLoopback ? "\(name) is set; this machine is reached without it" : "\(name) is set")
    ]
  }

  private func token(_ found: Settings.FoundToken?, _ url: BackendURL) -> DoctorCheck {
    guard let found else {
      return DoctorCheck(
        "token", .ok, "none: the backend is taken for an open one")
    }
    switch found.place {
    case .file:
      return DoctorCheck("token", .ok, "\(found.place), readable by you alone")
    case .environment:
      return DoctorCheck(
        "token", .ok, "from CLANKY_TOKEN, which every program started here can read",
        "'clanky-cockpit setup' saves it in a better place")
    case .command, .other: return DoctorCheck("token", .ok, found.place.description)
    }
  }

  private func connection(
    _ url: BackendURL, _ token: TokenText?
  ) async -> ([DoctorCheck], Int32?) {
    let test: ConnectionTest
    do {
      test = try ConnectionTest(
        url: url, token: token, caFile: settings.caFile, origin: try settings.originTLS(),
        tunnel: { settings.tunnel(to: url, clock: $0) }, patience: Self.patience,
        in: settings.process.scope)
    } catch {
      return ([DoctorCheck("connection", .fail, "\(error)", "check --ca-file")], 1)
    }
    switch await test.run() {
    case .failure(let failure):
      return (
        [
          DoctorCheck(
            "connection", .fail, failure.sentence,
            failure.shellAdvice(namesAddress: settings.process.namesAddress))
        ], failure.exitCode
      )
    case .success(let report):
      var checks = [
        DoctorCheck("connection", .ok, "answered in \(Int(report.latencyMs.rounded())) ms"),
        clock(report.skewMs),
      ]
      let dialect = await test.dialect()
      checks.append(
        DoctorCheck(
          "backend", .ok,
          dialect == .may
            ? "a Clanky backend of May 2026 or later" : "a Clanky backend of March 2026, or alike"))
      checks.append(bot(report.bot))
      if let wire = await wire() { checks.append(wire) }
      return (checks, nil)
    }
  }

  /// Words of the backend that this version does not know; nil if it knows all of those in the newest rows.
  private func wire() async -> DoctorCheck? {
    guard let session = try? await RestSession(settings),
      case .success(let answer) = await session.ask(
        RestRequest(
          .get, .actions(limit: 200, sinceHours: nil, kinds: [], guild: nil),
          totalMs: Self.wireMs)),
      answer.isSuccess, let rows = AnsweredRows(answer.body, nowMs: session.nowMs),
      let sentence = DoctorWire.sentence(of: rows.log)
    else { return nil }
    return DoctorCheck(
      "wire", .warn, sentence + " to this version, which shows them under their own names",
      "'clanky-cockpit doctor --wire' writes a report to paste")
  }

  /// How long the newest rows are waited for.
  private static let wireMs = 2_000

  /// The bot behind the backend: that the connection works says nothing of it.
  private func bot(_ report: TriageReport) -> DoctorCheck {
    let words = TriageText(report)
    let text = words.word.description + ": " + words.status.description
    return report.open.isEmpty
      ? DoctorCheck("bot", .ok, text) : DoctorCheck("bot", .warn, text)
  }

  private func clock(_ skewMs: Int?) -> DoctorCheck {
    guard let skewMs else {
      return DoctorCheck("clock", .ok, "the backend does not say what time it has")
    }
    guard skewMs != 0 else {
      return DoctorCheck("clock", .ok, "no difference to the backend's is measurable")
    }
    let difference =
      "the backend's is \(ClockSkew.words(skewMs)) \(skewMs > 0 ? "ahead of" : "behind") ours"
    guard skewMs.magnitude > UInt(Self.longestSkewMs) else {
      return DoctorCheck("clock", .ok, "\(difference), which does no harm")
    }
    return DoctorCheck(
      "clock", .warn, difference,
      skewMs.magnitude > UInt(ClockSkew.doubtfulMs)
        ? "set both by NTP; ages are reckoned by this one unless the rows say as the backend does"
        : "set both by NTP; the cockpit reckons ages by the backend's clock")
  }
}
