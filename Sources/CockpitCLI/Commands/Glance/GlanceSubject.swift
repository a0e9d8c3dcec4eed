import CockpitDomain
import CockpitSession
import CockpitStores
import CockpitText
import CockpitVoice
import Dispatch
import TerminalCore

/// What a look at one source gave.
struct GlanceView: Sendable {
  /// The source's name where there are several.
  var name: String?
  /// How it is, then what is wrong or waits, then the rest; the most important first.
  var lines: [[GlanceText.Span]]
  /// How many of the lines ask for the owner: the first, what is wrong, what waits.
  var urgent: Int
  /// What `status` says on stderr.
  var detail: String?
  /// That of `status`.
  var exitCode: Int32
}

extension GlanceView {
  /// A source that could not be asked.
  static func failed(_ error: any Error, name: String?) -> GlanceView {
    let failure = error as? Failure ?? Failure(.failed, "\(error)")
    let words = PlainText("not asked: " + failure.description, limit: 400)
    return GlanceView(
      name: name, lines: [[GlanceText.Span(words, .bad)]], urgent: 1,
      detail: failure.description, exitCode: failure.code)
  }
}

/// A source that is looked at, once or again and again.
@MainActor
protocol GlanceSubject: AnyObject, Sendable {
  func look(withinMs limitMs: Int) async -> GlanceView
  func stop()
}

/// A Clanky bot. Each look asks the backend.
@MainActor
final class BotGlanceSubject: GlanceSubject {
  private let settings: Settings
  private let name: String?
  private let symbols: SymbolSet
  private let environment: Environment
  private var backend: Backend?
  /// The last figures that came.
  private var known: BotOverview?

  init(_ settings: Settings, name: String?, symbols: SymbolSet, in environment: Environment) {
    self.settings = settings
    self.name = name
    self.symbols = symbols
    self.environment = environment
  }

  func stop() {}

  func look(withinMs limitMs: Int) async -> GlanceView {
    let start = DispatchTime.now().uptimeNanoseconds
    do {
      let backend = try await opened()
      let spentMs = Int((DispatchTime.now().uptimeNanoseconds - start) / 1_000_000)
      let channels = (known?.sessions ?? []).compactMap { session in
        session.channelID.flatMap { id in session.channel.map { (id, $0) } }
      }
      let overview = try await OverviewFetch(
        backend, rows: .atLeast(BotOverview.rowLimit),
        channels: Dictionary(channels) { first, _ in first }
      ).run(withinMs: max(100, limitMs - spentMs))
      switch overview.health {
      case .healthy, .degraded:
        known = overview
        return view(overview, isStale: false)
      case .unreachable, .unauthorized:
        guard var old = known else { return view(overview, isStale: false) }
        (old.health, old.detail) = (overview.health, overview.detail)
        return view(old, isStale: true)
      }
    } catch {
      return .failed(error, name: name)
    }
  }

  private func opened() async throws -> Backend {
    if let backend { return backend }
    let opened = try await Backend.open(
      settings, mayBlock: environment.scope == nil, findsGuild: false)
    backend = opened
    return opened
  }

  private func view(_ overview: BotOverview, isStale: Bool) -> GlanceView {
    let text = GlanceText(
      overview, nowMs: environment.wallMs(), isStale: isStale, clock: settings.clock,
      symbols: symbols)
    var lines = text.lines(.large, columns: .max, rows: BotOverview.rowLimit)
    var urgent = 1
    if let detail = overview.detail {
      lines.insert([GlanceText.Span(PlainText(detail, limit: 400), .warning)], at: 1)
      urgent = 2
    }
    return GlanceView(
      name: name, lines: lines, urgent: urgent, detail: overview.detail,
      exitCode: overview.exitCode)
  }
}

/// An OpenClaw gateway. The first look connects; the connection stays until `stop`.
@MainActor
final class GatewayGlanceSubject: GlanceSubject {
  private let settings: Settings
  private let name: String?
  private let symbols: SymbolSet
  private let environment: Environment
  private var opened: (source: OpenedSource, model: CockpitModel)?
  /// When the connection was live last, ms since 1970; nil before.
  private var liveMs: Int64?

  init(_ settings: Settings, name: String?, symbols: SymbolSet, in environment: Environment) {
    self.settings = settings
    self.name = name
    self.symbols = symbols
    self.environment = environment
  }

  func stop() { opened?.source.source.stop() }

  func look(withinMs limitMs: Int) async -> GlanceView {
    let failure: Failure?
    let model: CockpitModel
    do {
      if let opened {
        model = opened.model
        opened.source.source.tick()
        failure = model.bot.connection.status.failure.map { opened.source.failure($0) }
      } else {
        let source = try await OpenedSource.open(settings, on: environment.eventLoop)
        model = CockpitModel(source)
        opened = (source, model)
        failure = await model.gatewayState(of: source, withinMs: limitMs)
      }
    } catch {
      return .failed(error, name: name)
    }
    return view(model, failure)
  }

  private func view(_ model: CockpitModel, _ failure: Failure?) -> GlanceView {
    let nowMs = environment.wallMs()
    let control = model.bot.control
    let isLive = model.bot.connection.status.overall == .live
    if isLive { liveMs = nowMs }
    // What was known stays in sight, with its age.
    let ageMs = control.isKnown && !isLive ? liveMs.map { nowMs - $0 } : nil
    let status = GatewayStatusText(
      control, name: settings.profileName, failure: control.isKnown ? nil : failure)
    let glance = GatewayGlance(
      status: status, nowMs: model.bot.serverNowMs, ageMs: ageMs, symbols: symbols,
      voice: settings.voice.flatMap { _ in VoiceNote(settings)?.load() })
    var (lines, urgent) = glance.whole
    if control.isKnown, !isLive {
      let words = failure?.description ?? "The connection is lost; it is tried again."
      lines.insert([GlanceText.Span(PlainText(words, limit: 400), .warning)], at: 1)
      urgent += 1
    }
    return GlanceView(
      name: name, lines: lines, urgent: urgent, detail: failure?.description,
      exitCode: ageMs == nil ? status.exitCode : Failure.Code.connection.rawValue)
  }
}

extension GatewayGlance {
  /// Everything, uncut, and how many of the lines ask for the owner.
  var whole: (lines: [[Span]], urgent: Int) {
    guard status.failure == nil, let board = status.control.board else {
      let words = status.failure?.description ?? "The gateway has not said what waits."
      return ([lines(.small, columns: .max)[0], [Span(PlainText(words, limit: 400), .warning)]], 2)
    }
    var all = [lines(.large, columns: .max)[0]]
    all += status.complaints.map { [Span(PlainText($0, limit: 400), .warning)] }
    all += status.waiting.map(line)
    let urgent = all.count
    if status.waiting.isEmpty {
      all.append([Span(board.canAnswer ? "nothing waits" : "what waits is not known", .muted)])
    }
    all += board.runs.map(line)
    if let service {
      // The first line has no room for them in a narrow pane.
      all[0] = lines(.small, columns: .max)[0]
      all += service.map { [Span($0)] }
    } else if board.runs.isEmpty {
      all.append([Span("no run is live", .muted)])
    }
    return (all, urgent)
  }
}
