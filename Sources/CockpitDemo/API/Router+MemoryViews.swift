extension RESTCall {
  // MARK: Markdown

  func memoryDump() -> DemoJSON {
    let guild = request.text("guildId")
    return ["guildId": .text(guild), "markdown": .string(markdown(guild: guild))]
  }

  /// Contract 6.4.
  func markdown(guild: String?) -> String {
    let scope = guild ?? ""
    let all = world.store.facts.list(guild: scope, limit: 500)
    let note =
      "Runtime prompts use indexed durable facts + retrieval, not this markdown file directly."
    let intro =
      guild.map { "_Operator-facing summary for guild `\($0)`. \(note)_" }
      ?? "_Operator-facing summary across guilds. \(note)_"
    func list(_ lines: [String], none: String) -> String {
      lines.isEmpty ? "- (\(none))\n" : lines.map { "- \($0)\n" }.joined()
    }
    let people = Cast.people.compactMap { person -> String? in
      let facts = all.filter { $0.subject == person.id }
        .map { "\($0.factType.prefix(1).uppercased())\($0.factType.dropFirst()): \($0.fact)" }
      return facts.isEmpty ? nil : "\(person.id): " + facts.joined(separator: " | ")
    }
    func texts(_ subject: String) -> [String] {
      all.filter { $0.subject == subject }.map(\.fact)
    }
    var text = "# Durable Memory Snapshot\n\n\(intro)\n\n## People (Durable Facts)\n"
    text += list(people, none: "No durable people facts yet.")
    text += "\n## Bot Self Memory\n"
    text += list(texts("__self__"), none: "No durable self-memory lines yet.")
    if guild == nil {
      text += "\n## Owner Private\n"
      text += list(texts("__owner__"), none: "No owner-private lines yet.")
    }
    text += "\n## Ongoing Lore\n"
    text += list(texts("__lore__"), none: "No durable lore lines yet.")
    text += "\n## Recent Journal Highlights\n"
    let lines = world.conversation.filter { guild == nil || $0.guild == guild }
    text += list(
      lines.suffix(24).reversed().map { "\($0.speaker): \($0.text)" },
      none: "No recent journal entries.")
    return text + "\n## Source Data\n- Durable facts, conversation messages, vectors, and "
      + "reflection runs live in SQLite. Markdown is a generated operator snapshot only."
  }

  // MARK: Reflections

  /// Contract 6.5: rebuilt from action rows, of which May writes none.
  func reflections() -> DemoJSON {
    let guild = request.text("guildId")
    let limit = request.limit(default: 20, max: 100)
    var query = ActionQuery(limit: limit * 6)
    query.kinds = [
      "memory_reflection_start", "memory_reflection_complete", "memory_reflection_error",
    ]
    var order: [String] = []
    var groups: [String: [(row: ActionRow, data: DemoJSON)]] = [:]
    for row in world.store.actions(query) {
      let data = (try? DemoJSON.parse((row.metadata ?? "{}").utf8)) ?? [:]
      if let guild, data.field("guildId") != guild { continue }
      let id = data.field("runId")
      if groups[id] == nil { order.append(id) }
      groups[id, default: []].append((row, data))
    }
    let runs = order.prefix(limit).map { Self.run($0, groups[$0] ?? []) }
    return ["guildId": .text(guild), "runs": .array(runs)]
  }

  private static func run(
    _ id: String, _ rows: [(row: ActionRow, data: DemoJSON)]
  ) -> DemoJSON {
    func row(_ suffix: String) -> (row: ActionRow, data: DemoJSON)? {
      rows.first { $0.row.kind.hasSuffix(suffix) }
    }
    let (start, done, failed) = (row("_start"), row("_complete"), row("_error"))
    let data = done?.data ?? failed?.data ?? start?.data ?? [:]
    let end = done?.row.createdMs ?? failed?.row.createdMs
    func content(_ row: ActionRow?) -> DemoJSON {
      row.flatMap { try? DemoJSON.parse($0.content.utf8) } ?? .null
    }
    func list(_ key: String) -> DemoJSON { data[key] ?? [] }
    func count(_ key: String) -> DemoJSON { data[key] ?? 0 }
    func value(_ key: String) -> DemoJSON { data[key] ?? .null }
    let head: DemoJSON = [
      "runId": id.isEmpty ? nil : .string(id), "dateKey": value("dateKey"),
      "guildId": value("guildId"), "channelId": nil,
      "status": .string(done != nil ? "completed" : failed != nil ? "error" : "running"),
      "startedAt": .time(start?.row.createdMs), "completedAt": .time(done?.row.createdMs),
      "erroredAt": .time(failed?.row.createdMs),
      "durationMs": start.flatMap { start in end.map { .int(Int($0 - start.row.createdMs)) } }
        ?? .null,
      "strategy": nil, "provider": value("provider"), "model": value("model"),
      "extractorProvider": nil, "extractorModel": nil, "adjudicatorProvider": nil,
      "adjudicatorModel": nil, "usdCost": .double(done?.row.cost ?? 0),
      "maxFacts": value("maxFacts"), "journalEntryCount": value("journalEntryCount"),
      "authorCount": value("authorCount"),
    ]
    return head.merging([
      "factsExtracted": count("factsExtracted"), "factsSelected": count("factsSelected"),
      "factsAdded": count("factsAdded"), "factsSaved": count("factsSaved"),
      "factsSkipped": count("factsSkipped"), "extractedFacts": list("extractedFacts"),
      "selectedFacts": list("selectedFacts"), "savedFacts": list("savedFacts"),
      "skippedFacts": list("skippedFacts"), "rawResponseText": value("rawResponseText"),
      "usage": value("usage"), "reflectionPasses": list("reflectionPasses"),
      "startContent": content(start?.row), "completionContent": content(done?.row),
      "errorContent": content(failed?.row),
    ])
  }

  // MARK: Profiles

  private func promptContext(channel: String?, text: String) -> DemoJSON {
    var windows: [DemoJSON] = []
    if let channel, !text.isEmpty {
      let guild = Cast.guilds.first { $0.channels.contains { $0.id == channel } }
      let lines = world.conversation.filter { $0.guild == guild?.id }.suffix(3)
      if !lines.isEmpty {
        windows.append([
          "anchorMessageId": .string("1370000000000000001"), "createdAt": .time(world.now - 90_000),
          "score": 0.507965, "semanticScore": 0.377965, "ageMinutes": 2,
          "messages": .array(
            lines.map {
              [
                "messageId": nil, "timestamp": .time(world.now - 90_000),
                "author": .string($0.speaker), "content": .string($0.text),
              ]
            }),
        ])
      }
    }
    let context: DemoJSON = ["recentConversationHistory": .array(windows)]
    return isMay ? context.setting("recentVoiceSessionContext", []) : context
  }

  private func activeSession(guild: String, user: String?) -> DemoJSON {
    guard let session = world.sessions.first(where: { $0.guild.id == guild }) else { return nil }
    return [
      "sessionId": .string(session.id), "voiceChannelId": .string(session.voiceChannel.id),
      "textChannelId": .string(session.textChannel.id),
      "participantCount": .int(session.participants.count),
      "participants": .array(session.participants.map(VoiceSession.personJSON)),
      "cachedUsers": .array(
        session.peopleFacts.map {
          VoiceSession.personJSON($0.person).merging([
            "loadedAt": .time(session.startedMs + 12), "factCount": .int($0.facts.count),
          ])
        }),
      "userFactProfile": session.peopleFacts.first { $0.person.id == user }.map {
        VoiceSession.personJSON($0.person).merging([
          "loadedAt": .time(session.startedMs + 12), "factCount": .int($0.facts.count),
          "userFacts": profiles($0.facts), "guidanceFacts": [],
        ])
      } ?? .null,
      "guildFactProfile": [
        "loadedAt": .time(session.startedMs + 12), "selfFacts": profiles(session.selfFacts),
        "loreFacts": profiles(session.loreFacts), "guidanceFacts": [],
      ],
    ]
  }

  /// Contract 6.6.
  func factProfile() -> DemoJSON {
    guard let guild = request.text("guildId") else {
      return [
        "guildId": "", "userId": nil, "channelId": nil, "queryText": "",
        "durableProfile": [
          "userFacts": [], "selfFacts": [], "loreFacts": [], "guidanceFacts": [],
        ],
        "promptContext": ["recentConversationHistory": []], "activeVoiceSession": nil,
      ]
    }
    let user = request.text("userId")
    let channel = request.text("channelId")
    let text = request.text("queryText") ?? ""
    let all = world.store.facts.list(guild: guild, limit: 500)
    let plain = all.filter { $0.factType != "guidance" }
    return [
      "guildId": .string(guild), "userId": .text(user), "channelId": .text(channel),
      "queryText": .string(text),
      "durableProfile": [
        "userFacts": profiles(plain.filter { user != nil && $0.subject == user }),
        "selfFacts": profiles(plain.filter { $0.subject == "__self__" }),
        "loreFacts": profiles(plain.filter { $0.subject == "__lore__" }),
        "guidanceFacts": profiles(all.filter { $0.factType == "guidance" && $0.scope != "owner" }),
      ],
      "promptContext": promptContext(channel: channel, text: text),
      "activeVoiceSession": activeSession(guild: guild, user: user),
    ]
  }

  /// Contract 6.7.
  func runtimeSnapshot() -> HTTPReply {
    let guild = body.field("guildId")
    if guild.isEmpty { return .json(["ok": false, "error": "guildId required"], status: 400) }
    let user = body.field("userId")
    let channel = body.field("channelId")
    let text = String(body.field("queryText").prefix(420))
    let mode = body.field("mode") == "voice" ? "voice" : "text"
    let people = participants(guild: guild, user: user)
    let all = world.store.facts.list(guild: guild, limit: 500).filter { $0.scope != "owner" }
    let ids = Set(people.map(\.id))
    let userFacts = all.filter { ids.contains($0.subject) && $0.factType != "guidance" }
    let relevant = rank(all, text: text, channel: channel).prefix(12).map(\.fact)
    let selfFacts = all.filter { $0.subject == "__self__" }
    let lore = all.filter { $0.subject == "__lore__" && $0.factType != "guidance" }
    let guidance = all.filter { $0.factType == "guidance" }
    let behavioral = all.filter { $0.factType == "behavioral" }
    if !text.isEmpty {
      world.logEmbedding(
        in: Place(guild: guild, channel: channel.isEmpty ? nil : channel),
        user: user.isEmpty ? nil : user, chars: text.utf16.count, source: "memory_query",
        message: nil)
    }
    let context = promptContext(channel: channel.isEmpty ? nil : channel, text: text)
    var counts: DemoJSON = [
      "participantCount": .int(people.count), "participantProfileCount": .int(people.count),
      "userFactCount": .int(userFacts.count), "relevantFactCount": .int(relevant.count),
      "selfFactCount": .int(selfFacts.count), "loreFactCount": .int(lore.count),
      "guidanceFactCount": .int(guidance.count), "behavioralFactCount": .int(behavioral.count),
      "conversationWindowCount": .int(
        context["recentConversationHistory"]?.arrayValue?.count ?? 0),
    ]
    if isMay { counts = counts.setting("recentVoiceSessionCount", 0) }
    return .json([
      "guildId": .string(guild), "channelId": channel.isEmpty ? nil : .string(channel),
      "userId": user.isEmpty ? nil : .string(user), "queryText": .string(text),
      "mode": .string(mode),
      "participants": .array(
        people.map {
          VoiceSession.personJSON(Person(id: $0.id, name: $0.name)).merging([
            "source": .string($0.source)
          ])
        }),
      "counts": counts,
      "slice": [
        "participantProfiles": .array(
          people.map { person in
            [
              "userId": .string(person.id), "displayName": .string(person.name),
              "isPrimary": .bool(person.id == user),
              "facts": profiles(all.filter { $0.subject == person.id }),
            ]
          }),
        "userFacts": profiles(userFacts), "relevantFacts": profiles(relevant),
        "selfFacts": profiles(selfFacts), "loreFacts": profiles(lore),
        "guidanceFacts": profiles(guidance), "behavioralFacts": profiles(behavioral),
      ],
      "promptContext": context, "activeVoiceSession": activeSession(guild: guild, user: user),
    ])
  }

  private func participants(
    guild: String, user: String
  ) -> [(id: String, name: String, source: String)] {
    var found: [(id: String, name: String, source: String)] = []
    func add(_ id: String, _ name: String?, _ source: String) {
      guard !id.isEmpty, !found.contains(where: { $0.id == id }) else { return }
      found.append((id, name ?? Cast.person(id)?.name ?? id, source))
    }
    add(user, nil, "primary_user")
    switch body["participantIds"] {
    case .some(.array(let ids)): for id in ids { add(id.stringValue ?? "", nil, "request") }
    case .some(.string(let text)):
      for id in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
        add(String(id), nil, "request")
      }
    default: break
    }
    for message in body["recentMessages"]?.arrayValue ?? [] {
      add(message.field("authorId"), message["authorName"]?.stringValue, "recent_message")
    }
    for person in world.sessions.first(where: { $0.guild.id == guild })?.participants ?? [] {
      add(person.id, person.name, "active_voice_session")
    }
    return found
  }
}
