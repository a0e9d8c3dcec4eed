package import ClankyWire

/// How the bot itself is: the second of the two healths, decided in this one place for every output. A
/// connection may be live and the bot have lost Discord, or the connection be lost and nobody know how
/// the bot is.
package struct BotHealth: Hashable, Sendable {
  /// A trouble that is over, and since when.
  package struct Recovery: Hashable, Sendable {
    package var trouble: BotTrouble
    /// ms since 1970, on the backend's clock.
    package var endedMs: Int64
  }

  /// Whether the backend has said how the bot is.
  package var isKnown: Bool
  /// What is wrong, the worst first.
  package var troubles: [BotTrouble]
  /// What was wrong until a moment ago, where nothing is wrong any more.
  package var recovered: [Recovery] = []
  /// When what is known of the bot ends, in ms since 1970; nil while it is of now.
  package var asOfMs: Int64?

  package init(
    isKnown: Bool, troubles: [BotTrouble] = [], recovered: [Recovery] = [], asOfMs: Int64? = nil
  ) {
    self.isKnown = isKnown
    self.troubles = troubles.sorted { $0.part < $1.part }
    self.recovered = recovered
    self.asOfMs = asOfMs
  }

  /// What follows from statistics, voice state and failures.
  ///
  /// - Parameters:
  ///   - runtime: of the last statistics; nil when they have none.
  ///   - voice: what is wrong with the live sessions.
  ///   - failures: what the newest rows say.
  ///   - watch: since when; a trouble that it does not know has no beginning.
  ///   - nowMs: on the backend's clock; the end of the data where they are old.
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

  /// The same where there is hardly any room.
  package var shortWord: StaticString {
    !troubles.isEmpty ? "bot !" : !isKnown ? "bot ?" : "bot ok"
  }
}
