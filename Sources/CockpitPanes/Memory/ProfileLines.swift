import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// The facts in the context for a user, and those recalled for a text.
@MainActor
struct ProfileLines {
  /// The guild it was loaded for.
  let guild: String?
  /// The person's user id; nil if the text is not about one person.
  let user: String?
  /// Whether a RECALL question was sent.
  let wasRequested: Bool
  let mask: OwnerMask
  let facts: ViewContext
  var width: Int

  /// The live voice cache beside the profile, where both have room.
  var cacheWidth: Int { width >= 110 ? min(60, width * 2 / 5) : 0 }

  /// The profile, and below it the voice cache where it does not stand beside it.
  var profile: [MemoryLine] {
    guard cacheWidth > 0, let value = facts.memory.profile.value else { return person + cache }
    var narrow = self
    narrow.width = width - cacheWidth - 3
    var beside = self
    beside.width = cacheWidth
    let left = narrow.person
    let right = beside.session(value.activeVoiceSession)
    return (0..<max(left.count, right.count)).map { index in
      let line = left.indices.contains(index) ? left[index] : .empty
      guard right.indices.contains(index) else { return line }
      return line.beside(right[index], column: narrow.width + 2)
    }
  }

  private var cache: [MemoryLine] {
    facts.memory.profile.value.map { session($0.activeVoiceSession) } ?? []
  }

  private var person: [MemoryLine] {
    let load = facts.memory.profile
    var lines = MemoryLine.wrapped(whose, .muted, width: width)
    lines += MemoryLine.state(load, "the profile", facts, width: width)
    guard let profile = load.value else { return lines }
    let durable = profile.durableProfile
    lines += list("ABOUT THEM", durable.userFacts)
    lines += list("GUIDANCE", durable.guidanceFacts)
    lines += list("ABOUT ITSELF", durable.selfFacts)
    lines += list("COMMUNITY", durable.loreFacts)
    return lines + context(profile.promptContext)
  }

  private var whose: PlainText {
    let guild = guild.map { facts.names.guild($0) } ?? "-"
    let person = user.map { facts.names.subject($0) }
    let name = person.map { PlainText($0, limit: 60) } ?? "nobody in particular"
    return "loaded for " + name + " in " + PlainText(guild, limit: 60)
      + (person == nil ? "; choose a person among the subjects of FACTS" : "")
  }

  var recall: [MemoryLine] {
    let load = facts.memory.recall
    guard wasRequested || load.value != nil else {
      return MemoryLine.wrapped(
        "What would it recall for this now? " + facts.keys.text(.open)
          + " writes some words, as somebody might say them.", .muted, width: width)
    }
    var lines = MemoryLine.state(load, "what it would recall", facts, width: width)
    guard let snapshot = load.value else { return lines }
    let words = "\"" + PlainText(snapshot.queryText ?? "", limit: 420) + "\""
    lines += MemoryLine.field("FOR", words, .heading, width: width)
    if let mode = snapshot.mode {
      var how = PlainText(mode.rawValue, limit: 20) + " reply"
      if let channel = snapshot.channelID {
        how += " in #" + facts.channelName(channel, in: snapshot.guildID)
      }
      lines += MemoryLine.field("MODE", how, width: width)
    }
    if !snapshot.participants.isEmpty {
      let names = snapshot.participants.prefix(20).map { person in
        name(person.displayName, person.userID) + Self.why(person.source)
      }
      lines += MemoryLine.field("PEOPLE", names.joined(separator: ", "), width: width)
    }
    lines += list("RELEVANT", snapshot.slice.relevantFacts)
    lines += list("GUIDANCE", snapshot.slice.guidanceFacts)
    lines += list("BEHAVIOUR", snapshot.slice.behavioralFacts)
    for person in snapshot.slice.participantProfiles.prefix(20) {
      lines += list("ABOUT " + name(person.displayName, person.userID).uppercased(), person.facts)
    }
    if snapshot.slice.participantProfiles.isEmpty {
      lines += list("ABOUT THEM", snapshot.slice.userFacts)
    }
    lines += list("ABOUT ITSELF", snapshot.slice.selfFacts)
    lines += list("COMMUNITY", snapshot.slice.loreFacts)
    lines += context(snapshot.promptContext)
    return snapshot.mode == .voice ? lines + session(snapshot.activeVoiceSession) : lines
  }

  /// The name that the backend gave; it gives the id where it knows none.
  private func name(_ given: String?, _ id: String?) -> PlainText {
    let given = given.flatMap { $0 == id ? nil : $0 }
    return PlainText(given ?? id.map { facts.names.user($0) } ?? "?", limit: 40)
  }

  /// The reason why a participant is listed; empty for those that the user chose.
  private static func why(_ source: ParticipantSource?) -> PlainText {
    switch source {
    case .activeVoiceSession?: " (in voice)"
    case .recentMessage?: " (wrote lately)"
    default: ""
    }
  }

  private func list(_ title: PlainText, _ list: [Fact]) -> [MemoryLine] {
    var lines = [MemoryLine.heading(title + PlainText(" \(list.count)"))]
    for fact in list.prefix(200) {
      guard !mask.hides(fact) else {
        lines.append(MemoryLine(OwnerMask.text(facts.keys), .warning, indent: 1, link: .unmask))
        continue
      }
      let link = fact.id.flatMap { facts.memory.facts[$0] == nil ? nil : MemoryLine.Link.fact($0) }
      let head =
        Figures.unit(fact.confidence).leftPadded(to: 3) + " "
        + PlainText(fact.factType?.rawValue ?? "-", limit: 20) + "  " + elsewhere(fact)
      lines += MemoryLine.wrapped(
        head + PlainText(fact.fact ?? "-", limit: 600), width: width, indent: 1, link: link)
    }
    return lines
  }

  /// The guild of a fact that is another's: the backend does not keep to the one that it is asked for.
  private func elsewhere(_ fact: Fact) -> PlainText {
    guard let own = fact.guildID, own != guild else { return "" }
    return "(" + PlainText(facts.names.guild(own), limit: 40) + ") "
  }

  private func context(_ context: PromptContext) -> [MemoryLine] {
    var lines: [MemoryLine] = []
    if !context.recentConversationHistory.isEmpty {
      lines.append(
        .heading(PlainText("CONVERSATIONS \(context.recentConversationHistory.count)")))
      for window in context.recentConversationHistory.prefix(20) {
        let age = Figures.age(
          ms: window.ageMinutes.flatMap { Int64(exactly: ($0 * 60_000).rounded()) })
        lines.append(
          MemoryLine(
            [
              StyledText(age + " ago", .muted),
              StyledText("score " + Figures.unit(window.score), .number),
            ],
            indent: 1))
        for message in window.messages.prefix(20) {
          let text =
            PlainText(message.author ?? "?", limit: 40) + ": "
            + PlainText(message.content ?? "", limit: 400)
          lines += MemoryLine.wrapped(text, width: width, indent: 2, limit: 4)
        }
      }
    }
    if !context.recentVoiceSessionContext.isEmpty {
      lines.append(
        .heading(PlainText("VOICE SESSIONS \(context.recentVoiceSessionContext.count)")))
      for summary in context.recentVoiceSessionContext.prefix(20) {
        lines += MemoryLine.wrapped(
          PlainText(summary.summaryText ?? "-", limit: 1000), width: width, indent: 1)
      }
    }
    return lines
  }

  private func session(_ session: ActiveVoiceSession?) -> [MemoryLine] {
    let heading: PlainText = facts.isHeard ? "LIVE VOICE SESSION" : "VOICE SESSION THEN"
    guard let session else {
      return [.heading(heading), MemoryLine("none in this guild", .muted, indent: 1)]
    }
    var lines: [MemoryLine] = [.heading(heading)]
    let present = session.participants.prefix(50).map { person in
      PlainText(person.displayName ?? person.userID.map { facts.names.user($0) } ?? "?", limit: 40)
    }
    lines += MemoryLine.wrapped(
      PlainText("\(session.participantCount ?? session.participants.count) in it: ")
        + (present.isEmpty ? "not named" : present.joined(separator: ", ")), width: width, indent: 1
    )
    for user in session.cachedUsers.prefix(50) {
      let name = user.displayName ?? user.userID.map { facts.names.user($0) } ?? "?"
      lines += MemoryLine.wrapped(
        PlainText(name, limit: 40) + "  " + Figures.count(user.factCount) + " facts"
          + loaded(user.loadedAt), width: width, indent: 1)
    }
    if session.cachedUsers.isEmpty {
      lines.append(MemoryLine("nobody's facts are loaded", .muted, indent: 1))
    }
    if let guild = session.guildFactProfile {
      let count = guild.selfFacts.count + guild.loreFacts.count + guild.guidanceFacts.count
      lines += MemoryLine.wrapped(
        "Guild  " + Figures.count(count) + " facts" + loaded(guild.loadedAt), width: width,
        indent: 1)
    }
    guard let own = session.userFactProfile else {
      if user != nil {
        lines += MemoryLine.wrapped(
          "this person's facts are not in the session's cache", .muted, width: width, indent: 1)
      }
      return lines
    }
    return lines + list("IN ITS CACHE", own.userFacts + own.guidanceFacts)
  }

  private func loaded(_ at: WireTime?) -> PlainText {
    guard let at = at?.milliseconds else { return " loaded" }
    return " loaded " + Figures.age(ms: facts.nowMs - at) + " ago, "
      + facts.clock.time(ms: at).prefix(columns: 8)
  }
}
