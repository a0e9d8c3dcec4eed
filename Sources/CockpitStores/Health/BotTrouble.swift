package import ClankyWire

/// A trouble of the bot itself, as reported by the backend; never of our connection.
package struct BotTrouble: Hashable, Sendable {
  /// Which part of the bot it is about; the worst first. A part has one trouble at a time.
  package enum Part: Int, CaseIterable, Hashable, Sendable, Comparable {
    case discord, models, voice, tunnel, tools, errors

    package static func < (left: Part, right: Part) -> Bool { left.rawValue < right.rawValue }

    /// The word for a bot of which this is the worst (`BotHealth.word`).
    package var word: StaticString {
      switch self {
      case .discord: "bot offline"
      case .models: "models fail"
      case .voice: "voice down"
      case .tunnel: "tunnel down"
      case .tools: "tools down"
      case .errors: "bot errors"
      }
    }
  }

  /// The cause. Reasons are unsanitised text from the backend.
  package enum Cause: Hashable, Sendable {
    case reconnecting(attempt: Int?)
    case neverConnected
    case notReady
    /// This many consecutive model calls have failed, and none has succeeded since.
    case modelsFail(Int, reason: String)
    /// A live session has no connection to its realtime provider.
    case voiceLost(channelID: String?, reason: String)
    case tunnelFailed(reason: String)
    /// It has failed and is not ready again.
    case tunnelStarting
    case toolsFail(servers: [String], reason: String)
    /// This many rows of the last minutes are failures.
    case errors(Int, minutes: Int)

    package var part: Part {
      switch self {
      case .reconnecting, .neverConnected, .notReady: .discord
      case .modelsFail: .models
      case .voiceLost: .voice
      case .tunnelFailed, .tunnelStarting: .tunnel
      case .toolsFail: .tools
      case .errors: .errors
      }
    }
  }

  package var cause: Cause
  /// When it began, in ms since 1970 on the backend's clock; nil if unknown.
  package var sinceMs: Int64?
  /// It was there when the bot was first heard of: it began then or before.
  package var mayBeOlder = false
  /// When Discord last spoke to the bot, for troubles with it; in ms since 1970.
  package var lastEventMs: Int64?

  package init(
    _ cause: Cause, sinceMs: Int64? = nil, mayBeOlder: Bool = false, lastEventMs: Int64? = nil
  ) {
    self.cause = cause
    self.sinceMs = sinceMs
    self.mayBeOlder = mayBeOlder
    self.lastEventMs = lastEventMs
  }

  package var part: Part { cause.part }
}

extension BotTrouble.Cause {
  /// Troubles of gateway and tunnel in the statistics (contract 5.1 and 7.6).
  package static func found(in runtime: Runtime) -> [Self] {
    var causes: [Self] = []
    if runtime.gateway.reconnectInFlight == true {
      causes.append(.reconnecting(attempt: runtime.gateway.reconnectAttempts))
    } else if runtime.isReady == false {
      causes.append(
        runtime.gateway.hasConnectedAtLeastOnce == false ? .neverConnected : .notReady)
    }
    if let tunnel = runtime.publicHttps, tunnel.enabled != false, tunnel.status == .error {
      causes.append(.tunnelFailed(reason: tunnel.lastError ?? ""))
    }
    return causes
  }

  /// Troubles of live sessions in the voice state: a provider connection known to be down (one that
  /// is still connecting has neither error nor close code), and tool servers whose last call failed
  /// (contract 5.2.13 and 7.7).
  package static func found(in state: VoiceState) -> [Self] {
    var causes: [Self] = []
    for session in state.sessions {
      guard let realtime = session.realtime?.state, realtime.connected == false else { continue }
      let reason = [realtime.lastError, realtime.lastCloseReason].compactMap(\.self)
        .first { !$0.isEmpty }
      guard reason != nil || realtime.lastCloseCode != nil else { continue }
      causes.append(
        .voiceLost(
          channelID: session.voiceChannelID,
          reason: reason ?? realtime.lastCloseCode.map { "closed with code \($0)" } ?? ""))
      break
    }
    // One counts as down from a failed call to its next; only where all of several are, more is wrong.
    let servers = state.sessions.flatMap(\.mcpStatus)
    let failing = servers.filter { $0.connected == false }
    if failing.count > 1, failing.count == servers.count {
      var names: [String] = []
      for name in failing.compactMap(\.serverName) where !names.contains(name) {
        names.append(name)
      }
      let reason = failing.compactMap(\.lastError).first { !$0.isEmpty }
      causes.append(.toolsFail(servers: Array(names.prefix(8)), reason: reason ?? ""))
    }
    return causes
  }
}
