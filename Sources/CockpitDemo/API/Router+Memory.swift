import Foundation

extension RESTCall {
  func memory() -> HTTPReply? {
    let rest = Array(path.dropFirst())
    switch (method, rest.joined(separator: "/")) {
    case ("GET", ""): return .json(memoryDump())
    case ("GET", "search"): return .json(search())
    case ("GET", "facts"): return .json(facts())
    case ("GET", "subjects"): return .json(subjects())
    case ("GET", "reflections"): return .json(reflections())
    case ("GET", "fact-profile"): return .json(factProfile())
    case ("POST", "runtime-snapshot"): return runtimeSnapshot()
    case ("POST", "refresh"):
      let guild = body.field("guildId")
      return .json([
        "ok": true, "guildId": guild.isEmpty ? nil : .string(guild),
        "markdown": .string(markdown(guild: guild.isEmpty ? nil : guild)),
      ])
    case ("DELETE", "guild"): return purgeGuild()
    case ("GET", "owner-private") where isMay:
      let owner = world.store.facts.list(scope: "owner", limit: 500)
      return .json([
        "ownerProfile": [
          "ownerFacts": profiles(owner.filter { $0.factType != "guidance" }),
          "guidanceFacts": profiles(owner.filter { $0.factType == "guidance" }),
        ]
      ])
    case ("GET", "owner-private/facts") where isMay:
      let limit = request.limit(default: 120, max: 500)
      let text = request.text("q") ?? ""
      let rows = world.store.facts.list(scope: "owner", text: text, limit: limit)
      return .json([
        "limit": .int(limit), "queryText": .string(text),
        "facts": .array(rows.map { $0.json(world.dialect) }),
      ])
    default: break
    }
    if rest.count == 2, rest[0] == "facts" { return editFact(rest[1], ownerOnly: false) }
    if isMay, rest.count == 3, rest[0] == "owner-private", rest[1] == "facts" {
      return editFact(rest[2], ownerOnly: true)
    }
    if method == "DELETE", rest.count == 2, rest[0] == "reflections" {
      let id = rest[1].trimmingSpace
      if id.isEmpty { return .json(["ok": false, "error": "runId required"], status: 400) }
      return .json(["ok": true, "deleted": .int(world.store.deleteReflection(id))])
    }
    return nil
  }

  func profiles(_ rows: [FactRow]) -> DemoJSON {
    .array(rows.map { $0.profileJSON(world.dialect) })
  }

  // MARK: Lists

  private func facts() -> DemoJSON {
    let limit = request.limit(default: 120, max: 500)
    let text = request.text("q") ?? ""
    guard let guild = request.text("guildId") else {
      return ["guildId": "", "facts": [], "limit": .int(limit), "queryText": .string(text)]
    }
    let subject = request.text("subject")
    let rows = world.store.facts.list(guild: guild, subject: subject, text: text, limit: limit)
    return [
      "guildId": .string(guild), "limit": .int(limit), "subject": .text(subject),
      "queryText": .string(text), "facts": .array(rows.map { $0.json(world.dialect) }),
    ]
  }

  private func subjects() -> DemoJSON {
    let limit = request.limit(default: 200, max: 500)
    guard let guild = request.text("guildId") else {
      return ["guildId": "", "subjects": [], "limit": .int(limit)]
    }
    let rows = world.store.facts.subjects(guild: guild, limit: limit).map { row -> DemoJSON in
      let tail: DemoJSON = [
        "subject": .string(row.fact.subject), "last_seen_at": .time(row.seen),
        "fact_count": .int(row.count),
      ]
      guard isMay else {
        let guild: DemoJSON = ["guild_id": .text(row.fact.guild)]
        return guild.merging(tail)
      }
      let head: DemoJSON = [
        "scope": .string(row.fact.scope), "guild_id": .text(row.fact.guild),
        "user_id": .text(row.fact.user),
      ]
      return head.merging(tail)
    }
    return ["guildId": .string(guild), "limit": .int(limit), "subjects": .array(rows)]
  }

  // MARK: Search

  /// Contract 6.2: only guild-scope facts, fact columns plus three scores.
  private func search() -> DemoJSON {
    let guild = request.text("guildId")
    let text = request.text("q")
    let channel = request.text("channelId")
    guard let guild, let text else {
      return [
        "results": [], "queryText": .string(text ?? ""), "guildId": .string(guild ?? ""),
        "channelId": .text(channel), "limit": 0,
      ]
    }
    // The raw value is echoed: NaN becomes null (contract 9.2).
    let raw = request.query("limit").map {
      $0.trimmingSpace.isEmpty ? 0 : Double($0.trimmingSpace) ?? .nan
    }
    let limit = Int(min(24, max(1, (raw ?? 10).isNaN ? 10 : raw ?? 10)))
    var results: [DemoJSON] = []
    let pool = world.store.facts.list(guild: guild, limit: 500).filter { $0.scope == "guild" }
    if text == "__ALL__" {
      results = pool.prefix(200).map { hit($0, score: 0, semantic: 0, lexical: 0) }
    } else {
      results = rank(pool, text: text, channel: channel).prefix(limit).map {
        hit($0.fact, score: $0.score, semantic: $0.semantic, lexical: $0.lexical)
      }
      world.logEmbedding(
        in: Place(guild: guild, channel: channel), user: nil, chars: text.utf16.count,
        source: "memory_search", message: nil)
    }
    return [
      "queryText": .string(text), "guildId": .string(guild), "channelId": .text(channel),
      "limit": .double(raw ?? 10), "results": .array(results),
    ]
  }

  private func hit(
    _ fact: FactRow, score: Double, semantic: Double, lexical: Double
  ) -> DemoJSON {
    func six(_ value: Double) -> DemoJSON { .double((value * 1e6).rounded() / 1e6) }
    var json = fact.json(world.dialect).removing(["metadata"])
    if !isMay { json = json.removing(["updated_at"]) }
    return json.merging([
      "score": six(score), "semanticScore": six(semantic), "lexicalScore": six(lexical),
    ])
  }

  typealias Ranked = (fact: FactRow, score: Double, semantic: Double, lexical: Double)

  /// Weights and decay of contract 6.2. The semantic part is a stand-in (shared letter pairs) that
  /// behaves plausibly: close for related words, never zero by accident.
  func rank(_ facts: [FactRow], text: String, channel: String?) -> [Ranked] {
    let words = Set(Self.words(text))
    let pairs = Self.pairs(text)
    guard !words.isEmpty else { return [] }
    let ranked = facts.map { fact -> Ranked in
      let body = fact.fact + " " + (fact.evidence ?? "")
      let lexical = Double(words.intersection(Self.words(body)).count) / Double(words.count)
      let other = Self.pairs(body)
      let shared = Double(pairs.intersection(other).count)
      let semantic = shared / Double(max(1, min(pairs.count, other.count)))
      let ageDays = Double(max(0, world.now - fact.updatedMs)) / Double(DemoTime.day)
      let recency = 1 / (1 + ageDays / 30)
      var score = 0.5 * semantic + 0.28 * lexical + 0.1 * fact.confidence + 0.07 * recency
      if let channel, fact.channel == channel { score += 0.05 }
      if fact.factType != "guidance", fact.factType != "behavioral" {
        score *= max(0.2, exp2(-ageDays / 90))
      }
      return (fact, score, semantic, lexical)
    }
    return ranked.filter { $0.lexical > 0 || $0.semantic > 0.6 }.sorted { $0.score > $1.score }
  }

  private static func words(_ text: String) -> [String] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
      .filter { $0.count > 1 || $0.utf8.count > 2 }
  }

  private static func pairs(_ text: String) -> Set<String> {
    var result: Set<String> = []
    for word in words(text) {
      let letters = Array(word)
      for (first, second) in zip(letters, letters.dropFirst()) {
        result.insert(String([first, second]))
      }
    }
    return result
  }

  // MARK: Edit and delete

  /// Contract 6.3, in its order of checks.
  private func editFact(_ idText: String, ownerOnly: Bool) -> HTTPReply? {
    guard method == "PUT" || method == "DELETE" else { return nil }
    func fail(_ error: String, _ status: Int) -> HTTPReply {
      .json(["ok": false, "error": .string(error)], status: status)
    }
    let guild = body.field("guildId")
    if !ownerOnly, guild.isEmpty { return fail("guildId required", 400) }
    guard let id = Int64(idText), id > 0 else { return fail("valid factId required", 400) }
    let found = world.store.facts[id].flatMap { fact -> FactRow? in
      if ownerOnly { return fact.scope == "owner" ? fact : nil }
      return fact.scope == "guild" && fact.guild != guild ? nil : fact
    }
    if method == "DELETE" {
      guard found != nil, world.store.facts.delete(id: id) else {
        return fail("not_found", 404)
      }
      return .json(["ok": true, "deleted": 1])
    }
    let subject = Self.collapse(body.field("subject"), 120)
    if subject.isEmpty { return fail("subject required", 400) }
    var text = Self.collapse(body.field("fact"), 400)
    if isMay, text.hasPrefix("Memory line:") { text = text.dropFirst(12).trimmingSpace }
    if text.isEmpty { return fail("fact required", 400) }
    guard let confidence = confidence() else {
      return fail("confidence must be a number between 0 and 1", 400)
    }
    guard var fact = found else { return fail("not_found", 404) }
    let type = Self.collapse(body.field("factType"), 40).lowercased()
    let evidence = Self.collapse(body.field("evidenceText"), 240)
    fact.subject = subject
    fact.fact = text
    fact.factType = type.isEmpty ? "other" : type
    if isMay, ["lore", "self", "general"].contains(fact.factType) { fact.factType = "other" }
    fact.evidence = evidence.isEmpty ? nil : evidence
    fact.confidence = min(1, max(0, confidence))
    fact.updatedMs = max(world.now, fact.updatedMs + 1)
    switch world.store.facts.replace(fact) {
    case .saved(let fact): return .json(["ok": true, "fact": fact.json(world.dialect)])
    case .notFound: return fail("not_found", 404)
    case .duplicate: return fail("duplicate", 409)
    case .refused(let message): return .json(["error": .string(message)], status: 500)
    }
  }

  /// `Number(value)`: null and blank text are 0, a missing or non-numeric value is an error.
  private func confidence() -> Double? {
    switch body["confidence"] {
    case .some(.null): return 0
    case .some(.bool(let value)): return value ? 1 : 0
    case .some(.string(let text)):
      return text.trimmingSpace.isEmpty ? 0 : Double(text.trimmingSpace)
    case .some(let value): return value.doubleValue
    case nil: return nil
    }
  }

  /// Runs of blanks become one; over-long text is cut without notice.
  private static func collapse(_ text: String, _ limit: Int) -> String {
    let joined = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return String(decoding: Array(joined.utf16.prefix(limit)), as: UTF16.self)
  }

  private func purgeGuild() -> HTTPReply {
    func fail(_ error: String, _ status: Int, _ extra: DemoJSON = [:]) -> HTTPReply {
      let json: DemoJSON = ["ok": false, "error": .string(error)]
      return .json(json.merging(extra), status: status)
    }
    let id = body.field("guildId")
    if id.isEmpty { return fail("guildId required", 400) }
    let name = body.field("confirmGuildName")
    guard let guild = Cast.guild(id) else { return fail("guild_not_found", 404) }
    if name.isEmpty { return fail("confirmGuildName required", 400) }
    guard guild.name == name else {
      return fail(
        "guild_name_confirmation_mismatch", 400, ["expectedGuildName": .string(guild.name)])
    }
    let facts = world.store.facts.purge(guild: id)
    let texts = world.store.conversationRows(
      guild: id, since: world.purgedMs[id] ?? 0)
    world.purgedMs[id] = world.now
    let reflections = world.store.deleteReflections(guild: id)
    world.conversation.removeAll { $0.guild == id }
    for session in world.sessions where session.guild.id == id { world.loadFacts(session) }
    var deleted: DemoJSON = [
      "durableFacts": .int(facts), "durableFactVectors": .int(facts),
      "conversationMessages": .int(texts), "conversationVectors": .int(texts),
      "reflectionEvents": .int(reflections),
    ]
    if !isMay {
      deleted = deleted.merging([
        "journalEntries": .int(texts), "journalFilesTouched": texts > 0 ? 1 : 0,
      ])
    }
    return .json([
      "ok": true, "guildId": .string(id), "guildName": .string(guild.name), "deleted": deleted,
      "summaryRefreshed": true,
    ])
  }
}
