package import ClankyWire

/// The bot's own health, as opposed to the connection's; decided here for every output. The
/// connection may be live while the bot has lost Discord, or lost while the bot's health is
/// unknown.
package struct BotHealth: Hashable, Sendable {
  /// A trouble that ended, and when.
  package struct Recovery: Hashable, Sendable {
    package var trouble: BotTrouble
    /// ms since 1970, on the backend's clock.
    package var endedMs: Int64
  }

  /// Whether the backend has said how the bot is.
  package var isKnown: Bool
  /// Current troubles, the worst first.
  package var troubles: [BotTrouble]
  /// Recent troubles, if there are no current ones.
  package var recovered: [Recovery] = []
  /// The time of the last data about the bot, in ms since 1970; nil if they are current.
  package var asOfMs: Int64?

  package init(
    isKnown: Bool, troubles: [BotTrouble] = [], recovered: [Recovery] = [], asOfMs: Int64? = nil
  ) {
    self.isKnown = isKnown
    self.troubles = troubles.sorted { $0.part < $1.part }
    self.recovered = recovered
    self.asOfMs = asOfMs
  }

  /// Derived from statistics, voice state and failures.
  ///
  /// - Parameters:
  ///   - runtime: from the latest statistics; nil if they have none.
  ///   - voice: troubles of the live sessions.
  ///   - failures: troubles according to the newest rows.
  ///   - watch: start times; a trouble that it does not know has none.
  ///   - nowMs: on the backend's clock; the end of the data if they are old.
  package init(
    runtime: Runtime?, voice: [BotTrouble.Cause] = [], failures: [BotTrouble] = [],
    watch: BotWatch = BotWatch(), nowMs: Int64, asOfMs: Int64? = nil
  ) {
    var troubles = watch.troubles
    let causes = (runtime.map(BotTrouble.Cause.found(in:)) ?? []) + voice
    let pending = watch.pending
    for cause in causes
    where !pending.contains(cause.part) && !troubles.contains(where: { $0.part == cause.part }) {
      troubles.append(BotTrouble(cause))
    }
    for index in troubles.indices where troubles[index].part == .discord {
      troubles[index].lastEventMs = runtime?.gateway.lastGatewayEventAt?.milliseconds
    }
    troubles += failures
    let ended = troubles.isEmpty ? watch.ended(atMs: nowMs) : []
    self.init(
      isKnown: runtime?.isReady != nil || !troubles.isEmpty, troubles: troubles,
      recovered: ended.map { Recovery(trouble: $0.trouble, endedMs: $0.endedMs) }
        .sorted { $0.trouble.part < $1.trouble.part },
      asOfMs: asOfMs)
  }

  /// The word for it, the same on the screen, in the title and in every command. Printable ASCII, eleven
  /// columns at most.
  package var word: StaticString {
    troubles.first?.part.word ?? (!isKnown ? "bot ?" : recovered.isEmpty ? "bot ok" : "bot back")
  }

  /// The same for narrow spaces.
  package var shortWord: StaticString {
    !troubles.isEmpty ? "bot !" : !isKnown ? "bot ?" : "bot ok"
  }
}
