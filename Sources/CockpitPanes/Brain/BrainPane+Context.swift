import LenientJSON
import CockpitStores
import CockpitText
import ClankyWire
import CockpitAnswers
import TerminalCore
import TerminalUI

extension BrainPane {
  @MainActor func contextLines(_ facts: ViewContext, width: Int) -> [DetailLine] {
    var lines: [DetailLine] = []
    func add(_ label: PlainText, _ value: PlainText?, _ role: Role = .text) {
      guard let value, !value.isEmpty else { return }
      let parts = value.wrapped(to: max(8, width - 10), limit: 12)
      for (index, part) in parts.enumerated() {
        lines.append(DetailLine(index == 0 ? label : "", part, role))
      }
    }
    func add(_ label: PlainText, _ value: String?, _ role: Role = .text) {
      add(label, value.map { PlainText($0, limit: 1200) }, role)
    }
    guard isOfSession(facts) else {
      guard let answer = subject(facts) else {
        return [DetailLine([.init(Self.nothingOnRecord, .muted)])]
      }
      lines = recordLines(answer, facts, width: width)
      offer(facts, nil, add: { add($0, $1, $2) })
      return lines
    }
    let session = session(facts)
    let context = session?.lastGenerationContext
    offer(facts, context, add: { add($0, $1, $2) })
    guard let context else {
      lines.append(
        DetailLine([
          .init(session == nil ? facts.noSession : "no generation yet", .muted)
        ]))
      return lines
    }
    add("ROSTER", context.participantRoster.prefix(20).joined(separator: ", "))
    add("SAID", context.incomingTranscript.map { "\"\($0)\"" })
    add("BY", context.speakerName, .voice)
    let flags = [
      context.directAddressed.map { $0 ? "addressed" : "not addressed" },
      context.isEagerTurn == true ? "unasked" : nil,
      context.conversationContext?.attentionMode?.rawValue,
    ].compactMap { $0 }
    add("HOW", flags.joined(separator: ", "))
    if let event = context.runtimeEventContext {
      let words = [
        event.category, event.eventType, event.actorDisplayName, event.actorRole, event.soundName,
        event.emoji,
      ].compactMap { $0 }
      add("EVENT", words.joined(separator: " "), .info)
    }
    if let config = context.llmConfig {
      var text = [config.provider, config.model].compactMap { $0 }.joined(separator: "/")
      if let temperature = config.temperature { text += "  temperature \(temperature)" }
      if let limit = config.maxOutputTokens { text += "  max \(limit) tokens" }
      add("MODEL", text, .llm)
    } else {
      add("MODEL", "- (not told on this path)", .muted)
    }
    if let timing = context.sessionTiming {
      var words: [String] = []
      if let seconds = timing.maxSecondsRemaining {
        words.append("session \(Self.seconds(seconds))")
      }
      if let seconds = timing.inactivitySecondsRemaining {
        words.append("idle \(Self.seconds(seconds))")
      }
      if timing.timeoutWarningActive == true {
        words.append("WARNING \(timing.timeoutWarningReason?.rawValue ?? "")")
      }
      add("ENDS IN", words.joined(separator: "  "))
    }
    room(context, add: { add($0, $1, $2) })
    conversation(context, add: { add($0, $1, $2) })
    let messages = context.contextMessages
    lines.append(DetailLine("MESSAGES", "\(messages.count) given", .number))
    for message in messages.suffix(60) {
      let role: Role = message.role == "assistant" ? .tts : .voice
      let name = PlainText(message.role ?? "-", limit: 9)
      let parts = PlainText(message.content ?? "-", limit: 2000)
        .wrapped(to: max(8, width - 10), limit: 6)
      for (index, part) in parts.enumerated() {
        lines.append(
          DetailLine([
            .init((index == 0 ? name : "").padded(to: 9), role), .init(part),
          ]))
      }
    }
    return lines
  }

  /// Tools on offer: the row that lists them by name, and the five switches of the context.
  @MainActor private func offer(
    _ facts: ViewContext, _ context: GenerationContext?, add: (PlainText, PlainText?, Role) -> Void
  ) {
    if let tools = context?.tools {
      let switches = [
        ("soundboard", tools.soundboard), ("web search", tools.webSearch),
        ("browser", tools.browserBrowse), ("screen share", tools.screenShare),
        ("memory", tools.memory),
      ]
      add(
        "CAN", PlainText(switches.filter { $0.1 == true }.map(\.0).joined(separator: ", ")), .tool)
      add(
        "CANNOT", PlainText(switches.filter { $0.1 == false }.map(\.0).joined(separator: ", ")),
        .muted)
    }
    guard let offer = toolOffer(facts) else { return }
    let age = Figures.age(ms: facts.nowMs - offer.timeMs)
    let names = offer.included.prefix(80).joined(separator: " ")
    add("TOOLS \(offer.included.count)", PlainText(names, limit: 1200), .tool)
    if !offer.excluded.isEmpty {
      // By reason: twenty tools are mostly left out for one or two.
      let groups = Dictionary(grouping: offer.excluded.prefix(200)) {
        $0.reason ?? "no reason told"
      }
      for (reason, tools) in groups.sorted(by: { $0.value.count > $1.value.count }).prefix(12) {
        add(
          "OUT \(tools.count)",
          PlainText("\(reason): \(tools.map(\.name).joined(separator: " "))", limit: 1200), .muted)
      }
    }
    add("AS OF", (offer.sessionID == nil ? "text reply " : "") + age + " ago", .muted)
  }

  /// The list of tools of the answer; without an answer the last for the session's channel, else the last of all.
  @MainActor private func toolOffer(_ facts: ViewContext) -> ToolOffer? {
    _ = facts.calls.calls(in: facts.activity.log, by: .time)
    let offers = facts.calls.offers
    let session = session(facts)
    if let exchange = subject(facts)?.exchange {
      let rows = Set(exchange.sources.compactMap(\.row))
      return offers.last { rows.contains($0.row) }
    }
    return offers.last { $0.sessionID != nil && $0.sessionID == session?.sessionID }
      ?? offers.last { $0.channelID != nil && $0.channelID == session?.textChannelID }
      ?? offers.last
  }

  private func room(
    _ context: GenerationContext, add: (PlainText, PlainText?, Role) -> Void
  ) {
    let joins = context.membershipEvents.suffix(12).map {
      "\($0.displayName ?? "-") \($0.eventType?.rawValue ?? "-")"
    }
    add("JOINS", PlainText(joins.joined(separator: ", "), limit: 600), .text)
    let effects = context.effectEvents.suffix(12).map { effect in
      [effect.displayName, effect.effectType, effect.soundName, effect.emoji].compactMap { $0 }
        .joined(separator: " ")
    }
    add("EFFECTS", PlainText(effects.joined(separator: ", "), limit: 600), .text)
    if let count = context.soundboardCandidateCount { add("SOUNDS", "\(count) on offer", .number) }
    let settings = [
      context.activityReactivity.map { "reactivity \($0)" },
      context.soundboardEagerness.map { "sound eagerness \($0)" },
    ].compactMap { $0 }
    add("SETTINGS", PlainText(settings.joined(separator: "  "), limit: 80), .muted)
    if !context.recentToolOutcomes.isEmpty {
      add(
        "OUTCOMES",
        PlainText(context.recentToolOutcomes.suffix(8).joined(separator: "; "), limit: 800), .tool)
    }
    if !context.nativeDiscordSharers.isEmpty {
      let names = context.nativeDiscordSharers.prefix(8).map {
        $0["displayName"]?.string ?? $0["speakerName"]?.string ?? $0.brief
      }
      add("SHARERS", PlainText(names.joined(separator: ", "), limit: 300), .media)
    }
    for note in context.durableContext.suffix(12) {
      add("NOTE", PlainText(note.text ?? "-", limit: 400), .memory)
    }
    let windows = context.recentConversationHistory
    if !windows.isEmpty {
      let words = windows.prefix(6).map { window in
        "\(window.messages.count) messages\(window.authorName.map { " of \($0)" } ?? "")"
      }
      add("RECALLED", PlainText(words.joined(separator: "; "), limit: 400), .memory)
    }
  }

  private func conversation(
    _ context: GenerationContext, add: (PlainText, PlainText?, Role) -> Void
  ) {
    guard let talk = context.conversationContext else { return }
    func ago(_ ms: Int?) -> String? { ms.map { Figures.age(ms: Int64($0)).description } }
    let words = [
      talk.currentSpeakerActive.map { $0 ? "speaker has the attention" : "speaker has it not" },
      talk.singleParticipantAssistantFollowup == true ? "alone with the bot" : nil,
      ago(talk.msSinceAssistantReply).map { "reply \($0) before" },
      ago(talk.msSinceDirectAddress).map { "addressed \($0) before" },
      talk.sameAsRecentDirectAddress == true ? "by the same person" : nil,
      talk.musicActive == true ? "music plays" : nil,
      talk.musicWakeLatched == true ? "woken during music" : nil,
      talk.interruptedAssistantReply.flatMap { $0.isNull ? nil : "a reply was interrupted" },
      talk.compactedSessionSummary.flatMap { $0.isNull ? nil : "older turns are summarised" },
    ].compactMap { $0 }
    add("ATTENTION", PlainText(words.joined(separator: ", "), limit: 400), .text)
    let command = [
      talk.activeCommandSpeaker, talk.activeCommandDomain, talk.activeCommandIntent,
    ].compactMap { $0 }
    if !command.isEmpty {
      var text = command.joined(separator: " ")
      if let ms = talk.msUntilCommandSessionExpiry { text += ", \(ms / 1000)s left" }
      add("COMMAND", PlainText(text, limit: 200), .info)
    }
  }

  private static func seconds(_ seconds: Int) -> String {
    Figures.duration(ms: Double(seconds) * 1000).description
  }
}
