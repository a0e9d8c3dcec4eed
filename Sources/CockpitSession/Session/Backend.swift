import ClankySource
import CurlTransport
import CockpitDomain
import CockpitStores
import Networking
import CockpitDemo
import Foundation
import MainLoop

/// The backend a command talks to: a remote one, or the embedded demo.
@MainActor
package struct Backend {
  package let url: BackendURL
  package let token: TokenText?
  package let transport: CurlTransport
  package let clock: any LinkClock
  package let settings: Settings
  /// Where the token came from; nil if there is none.
  package let tokenPlace: String?
  private let demo: DemoServer?

  /// Checks address and token, and starts the demo backend if requested.
  ///
  /// - Parameters:
  ///   - loop: nil means the loop of the surrounding run, else Dispatch.
  ///   - mayBlock: whether the main thread may block while the token is looked up. The cockpit sets
  ///     it at start: the first task in Dispatch's thread pool makes the pool wake once a second
  ///     for the rest of the process (libdispatch, `event/workqueue.c`).
  ///   - findsGuild: whether the guild of `--guild` or of the profile is looked up by its name, if it is no id; its
  ///     id is then in the settings of the backend. Where false, the caller does.
  ///   - demoLeadMs: how much of the demo's story has already happened, in ms.
  package static func open(
    _ settings: Settings, on loop: (any EventLoop)? = nil, mayBlock: Bool = false,
    findsGuild: Bool = true, demoLeadMs: Int = 0
  ) async throws -> Backend {
    let scope = settings.process.scope
    let loop = loop ?? scope?.loop ?? settings.process.loop ?? DispatchLoop()
    let clock = DispatchClock(loop: loop)
    let key = try KeptBackends.Key(
      place: settings.options.demo?.rawValue ?? settings.backendURL().description,
      caFile: settings.caFile)
    if let kept = settings.process.keptBackends?[key] {
      scope?.onEnd { clock.cancelAll() }
      let backend = Backend(
        url: kept.url, token: kept.token, transport: kept.transport, clock: clock,
        settings: settings, tokenPlace: kept.tokenPlace, demo: kept.demo)
      return findsGuild ? try await backend.withGuildFound() : backend
    }
    let url: BackendURL
    var token: TokenText?
    var tokenPlace: String?
    var demo: DemoServer?
    if let scenario = settings.options.demo {
      let server = try await DemoServer.start(
        DemoOptions(scenario: scenario, leadMs: demoLeadMs))
      url = try BackendURL(server.url)
      token = try TokenText(server.token)
      tokenPlace = "of the demo"
      demo = server
    } else {
      url = try settings.backendURL()
      // A keyring or a command may prompt and wait, while the screen keeps running.
      let found =
        if mayBlock {
          try settings.foundToken(for: url)
        } else {
          try await OwnThread.run { () -> Result<Settings.FoundToken?, Failure> in
            Result { () throws(Failure) in try settings.foundToken(for: url) }
          }.get()
        }
      token = found?.token
      tokenPlace = found?.place.description
    }
    if let file = settings.caFile {
      _ = try NamedFile(file, use: "--ca-file names a PEM certificate").bytes()
    }
    let origin = try settings.originTLS()
    // A transport that outlives the run needs a clock that does too.
    let keeps = settings.process.keptBackends
    let transportClock = keeps == nil ? clock : DispatchClock(loop: loop)
    let transport: CurlTransport
    do throws(CurlTransport.Problem) {
      transport = try CurlTransport(
        clock: transportClock, loop: loop, caFile: settings.caFile, origin: origin,
        tunnel: settings.tunnel(to: url, clock: transportClock))
    } catch {
      throw Failure(error)
    }
    keeps?.keep(
      .init(
        url: url, token: token, tokenPlace: tokenPlace, transport: transport,
        clock: transportClock, demo: demo),
      as: key
    ) { transportClock.cancelAll() }
    scope?.onEnd {
      if keeps == nil { transport.shutdown() }
      clock.cancelAll()
    }
    let backend = Backend(
      url: url, token: token, transport: transport, clock: clock, settings: settings,
      tokenPlace: tokenPlace, demo: demo)
    return findsGuild ? try await backend.withGuildFound() : backend
  }

  /// The same with the id of the guild that is meant in its settings.
  private func withGuildFound() async throws -> Backend {
    guard let text = settings.guild, !GuildScope.isID(text) else { return self }
    let link = link(streams: [])
    defer { link.stop() }
    let guilds: [String: String]
    switch await link.answer(to: RestRequest(.get, GuildNames.target)) {
    case .success(let answer) where answer.isSuccess:
      guard let list = GuildNames.read(answer.body) else { throw Failure(unexpected: answer) }
      guilds = list
    case .success(let answer): throw Failure(RequestFailure(refusal: answer))
    case .failure(let failure): throw Failure(failure.failure)
    }
    return with(guild: try GuildNames.id(of: text, in: guilds))
  }

  /// The same about the guild with this id.
  package func with(guild id: String) -> Backend {
    var settings = settings
    settings.options.guild = id
    return Backend(
      url: url, token: token, transport: transport, clock: clock, settings: settings,
      tokenPlace: tokenPlace, demo: demo)
  }

  /// A link to this backend. Requests work at once; streams open with `start(into:)`.
  ///
  /// Parameters as in `LinkConfiguration`.
  package func link(
    streams: Set<SourceChannel> = Set(SourceChannel.ofClanky), once: Bool = false,
    waitsForFirst: Bool = false, passesRawEvents: Bool = false, mergesRepetitions: Bool = true
  ) -> Link {
    var configuration = LinkConfiguration(
      baseURL: url, token: token, streams: streams, once: once,
      caFile: settings.caFile)
    configuration.waitsForFirst = waitsForFirst
    configuration.passesRawEvents = passesRawEvents
    configuration.mergesRepetitions = mergesRepetitions
    let link = Link(configuration: configuration, transport: transport, clock: clock)
    settings.process.scope?.onEnd { link.stop() }
    return link
  }
}
