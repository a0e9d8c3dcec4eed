import Foundation

/// The routes of a `FactServer`: parameters and shapes of the wire contract (3.1, 3.2, 3.5, 6).
enum FactRoutes {
  private static let stats =
    #"{"stats":{"last24h":{},"totalCostUsd":0,"dailyCost":[],"performance":{}},"#
    + #""runtime":{"isReady":true,"guildCount":2}}"#

  /// An empty log, then heartbeats.
  static let activity = StubReply.stream([
    .chunk(Array(#"event: activity_snapshot\#ndata: {"actions":[],"stats":\#(stats)}\#n\#n"#.utf8)),
    .stayAlive,
  ])

  /// No session, then heartbeats.
  static let voice = StubReply.stream([
    .chunk(Array("event: voice_state\ndata: {\"activeCount\":0,\"sessions\":[]}\n\n".utf8)),
    .stayAlive,
  ])

  static func answer(_ request: FactRequest, _ book: inout FactBook) -> StubReply {
    let query = request.query
    let guild = query["guildId"] ?? ""
    switch request.route {
    case .health: return .json(#"{"ok":true}"#)
    case .stats: return .json(stats)
    case .actions: return .json("[]")
    case .guilds:
      return .json(
        FactJSON.array([
          #"{"id":"\#(FactServer.guild)","name":"Lantern Works"}"#,
          #"{"id":"\#(FactServer.otherGuild)","name":"Pixel Orchard"}"#,
        ]))
    case .channels: return .json("[]")
    case .facts: return .json(facts(request, book))
    case .subjects:
      let limit = limit(query["limit"], default: 200, 1...500)
      let rows = guild.isEmpty ? [] : book.subjects(guild: guild, limit: limit)
      return .json(
        FactJSON.object([
          ("guildId", FactJSON.text(guild)), ("limit", "\(limit)"),
          ("subjects", FactJSON.array(rows.map { book.subjectRow($0.newest, $0.count) })),
        ]))
    case .search: return .json(search(request, book))
    case .reflections: return .json(reflections(guild, book))
    case .markdown:
      let lines = book.list(guild: guild, subject: nil, text: "", limit: .max)
        .filter { $0.scope != "owner" }.map { "- \($0.subject): \($0.fact)" }
      let text = (["# Durable Memory Snapshot", "", "## People (Durable Facts)"] + lines)
      return .json(
        FactJSON.object([
          ("guildId", FactJSON.text(guild.isEmpty ? nil : guild)),
          ("markdown", FactJSON.text(text.joined(separator: "\n"))),
        ]))
    case .profile: return .json(profile(request, book))
    case .recall: return recall(request, book)
    case .ownerFacts where book.dialect == .may:
      let limit = limit(query["limit"], default: 120, 1...500)
      let rows = book.owners(text: query["q"] ?? "", limit: limit)
      return .json(
        FactJSON.object([
          ("limit", "\(limit)"), ("queryText", FactJSON.text(query["q"] ?? "")),
          ("facts", FactJSON.array(rows.map(book.row))),
        ]))
    case .put, .delete: return write(request, &book)
    case .purge: return purge(request, &book)
    case .deleteRun:
      let count = request.id == "run-1" && !book.isRunDeleted && book.dialect == .march ? 2 : 0
      if count > 0 { book.isRunDeleted = true }
      return .json(#"{"ok":true,"deleted":\#(count)}"#)
    default: return unknown(request)
    }
  }

  private static func write(_ request: FactRequest, _ book: inout FactBook) -> StubReply {
    let ownerOnly = request.path.hasPrefix("/api/memory/owner-private/")
    if ownerOnly, book.dialect == .march { return unknown(request) }
    if request.isJSON, !request.body.isEmpty,
      (try? JSONSerialization.jsonObject(with: Data(request.body))) == nil
    {
      return .json(#"{"error":"invalid_json_body"}"#, status: "400 Bad Request")
    }
    let answer =
      request.route == .put
      ? book.replace(request.id, request.object, ownerOnly: ownerOnly)
      : book.delete(request.id, request.object, ownerOnly: ownerOnly)
    let reasons = [
      200: "OK", 400: "Bad Request", 404: "Not Found", 409: "Conflict",
      500: "Internal Server Error",
    ]
    return .json(answer.body, status: "\(answer.status) \(reasons[answer.status] ?? "")")
  }

  /// The order of checks of the recordings `MEMORY_purge_*`.
  private static func purge(_ request: FactRequest, _ book: inout FactBook) -> StubReply {
    func refuse(_ status: String, _ words: String, _ more: String = "") -> StubReply {
      .json(#"{"ok":false,"error":"\#(words)"\#(more)}"#, status: status)
    }
    let names = [FactServer.guild: "Lantern Works", FactServer.otherGuild: "Pixel Orchard"]
    guard let guild = request.text("guildId"), !guild.isEmpty else {
      return refuse("400 Bad Request", "guildId required")
    }
    guard let name = names[guild] else { return refuse("404 Not Found", "guild_not_found") }
    guard let typed = request.text("confirmGuildName"), !typed.isEmpty else {
      return refuse("400 Bad Request", "confirmGuildName required")
    }
    guard typed == name else {
      return refuse(
        "400 Bad Request", "guild_name_confirmation_mismatch", #","expectedGuildName":"\#(name)""#)
    }
    let count = book.purge(guild)
    return .json(
      FactJSON.object([
        ("ok", "true"), ("guildId", FactJSON.text(guild)), ("guildName", FactJSON.text(name)),
        (
          "deleted",
          FactJSON.object([
            ("durableFacts", "\(count)"), ("durableFactVectors", "1"),
            ("conversationMessages", "35"), ("conversationVectors", "5"), ("reflectionEvents", "2"),
          ])
        ), ("summaryRefreshed", "true"),
      ]))
  }

  /// Contract 1.6: a GET of an unknown path is answered in plain text.
  private static func unknown(_ request: FactRequest) -> StubReply {
    guard request.method == "GET" else {
      return .json(#"{"error":"Not found."}"#, status: "404 Not Found")
    }
    return StubReply(
      status: "404 Not Found", headers: [("Content-Type", "text/plain")],
      body: Array("Not found.".utf8))
  }

  // MARK: Lists

  private static func facts(_ request: FactRequest, _ book: FactBook) -> String {
    let query = request.query
    let limit = limit(query["limit"], default: 120, 1...500)
    let text = query["q"] ?? ""
    guard let guild = query["guildId"], !guild.isEmpty else {
      return FactJSON.object([
        ("guildId", "\"\""), ("facts", "[]"), ("limit", "\(limit)"),
        ("queryText", FactJSON.text(text)),
      ])
    }
    let rows = book.list(guild: guild, subject: query["subject"], text: text, limit: limit)
    return FactJSON.object([
      ("guildId", FactJSON.text(guild)), ("limit", "\(limit)"),
      ("subject", FactJSON.text(query["subject"])), ("queryText", FactJSON.text(text)),
      ("facts", FactJSON.array(rows.map(book.row))),
    ])
  }

  /// Facts of guild scope that share a word; scores in six decimals.
  private static func search(_ request: FactRequest, _ book: FactBook) -> String {
    let query = request.query
    let (guild, text) = (query["guildId"] ?? "", query["q"] ?? "")
    let channel = FactJSON.text(query["channelId"])
    guard !guild.isEmpty, !text.isEmpty else {
      return FactJSON.object([
        ("results", "[]"), ("queryText", FactJSON.text(text)), ("guildId", FactJSON.text(guild)),
        ("channelId", channel), ("limit", "0"),
      ])
    }
    let words = Set(text.lowercased().split(separator: " "))
    let hits = book.list(guild: guild, subject: nil, text: "", limit: 500)
      .filter { $0.scope == "guild" }
      .map { fact -> (fact: FactBook.Fact, score: Double) in
        let own = Set(fact.fact.lowercased().split { !$0.isLetter && !$0.isNumber })
        return (fact, Double(words.intersection(own).count) / Double(words.count))
      }
      .filter { $0.score > 0 }.sorted { ($0.score, $0.fact.id) > ($1.score, $1.fact.id) }
      .prefix(limit(query["limit"], default: 10, 1...24))
    let rows = hits.map { hit in
      let score = (hit.score * 0.75 * 1e6).rounded() / 1e6
      return book.hit(
        hit.fact, [("score", score), ("semanticScore", 0), ("lexicalScore", hit.score)])
    }
    return FactJSON.object([
      ("queryText", FactJSON.text(text)), ("guildId", FactJSON.text(guild)),
      ("channelId", channel),
      ("limit", query["limit"].flatMap { Double($0) }.map(FactJSON.number) ?? "10"),
      ("results", FactJSON.array(rows)),
    ])
  }

  /// May writes no runs any more; March has one.
  private static func reflections(_ guild: String, _ book: FactBook) -> String {
    let run = FactJSON.object([
      ("runId", #""run-1""#), ("dateKey", #""2026-03-12""#), ("guildId", FactJSON.text(guild)),
      ("channelId", "null"), ("status", #""completed""#),
      ("startedAt", #""2026-03-13T08:00:00.000Z""#),
      ("completedAt", #""2026-03-13T08:00:41.000Z""#), ("durationMs", "41000"),
      ("model", #""claude-haiku-4-5""#), ("usdCost", "0.0231"), ("factsExtracted", "2"),
      ("factsSelected", "2"), ("factsAdded", "1"), ("factsSaved", "1"), ("factsSkipped", "1"),
      ("extractedFacts", "[]"), ("selectedFacts", "[]"), ("savedFacts", "[]"),
      ("skippedFacts", "[]"), ("reflectionPasses", "[]"),
    ])
    return FactJSON.object([
      ("guildId", FactJSON.text(guild.isEmpty ? nil : guild)),
      ("runs", FactJSON.array(book.dialect == .march && !book.isRunDeleted ? [run] : [])),
    ])
  }

  private static func profile(_ request: FactRequest, _ book: FactBook) -> String {
    let query = request.query
    let guild = query["guildId"] ?? ""
    let listed = guild.isEmpty ? [] : book.list(guild: guild, subject: nil, text: "", limit: .max)
    func rows(_ subject: String?) -> String {
      FactJSON.array(listed.filter { $0.subject == subject }.map(book.profileRow))
    }
    return FactJSON.object([
      ("guildId", FactJSON.text(guild)), ("userId", FactJSON.text(query["userId"])),
      ("channelId", FactJSON.text(query["channelId"])),
      ("queryText", FactJSON.text(query["queryText"] ?? "")),
      (
        "durableProfile",
        FactJSON.object([
          ("userFacts", rows(query["userId"])), ("selfFacts", rows("__self__")),
          ("loreFacts", rows("__lore__")), ("guidanceFacts", "[]"),
        ])
      ),
      ("promptContext", #"{"recentConversationHistory":[]}"#), ("activeVoiceSession", "null"),
    ])
  }

  private static func recall(_ request: FactRequest, _ book: FactBook) -> StubReply {
    guard let guild = request.text("guildId"), !guild.isEmpty else {
      return .json(#"{"ok":false,"error":"guildId required"}"#, status: "400 Bad Request")
    }
    let facts = book.list(guild: guild, subject: nil, text: "", limit: 5).map(book.profileRow)
    let counts = [
      "participantCount", "participantProfileCount", "userFactCount", "relevantFactCount",
      "selfFactCount", "loreFactCount", "guidanceFactCount", "behavioralFactCount",
      "conversationWindowCount",
    ]
    return .json(
      FactJSON.object([
        ("guildId", FactJSON.text(guild)), ("channelId", "null"),
        ("userId", FactJSON.text(request.text("userId"))),
        ("queryText", FactJSON.text(request.text("queryText") ?? "")),
        ("mode", FactJSON.text(request.text("mode") ?? "text")), ("participants", "[]"),
        (
          "counts",
          FactJSON.object(counts.map { ($0, $0 == "relevantFactCount" ? "\(facts.count)" : "0") })
        ),
        (
          "slice",
          FactJSON.object([
            ("participantProfiles", "[]"), ("userFacts", "[]"),
            ("relevantFacts", FactJSON.array(facts)), ("selfFacts", "[]"), ("loreFacts", "[]"),
            ("guidanceFacts", "[]"), ("behavioralFacts", "[]"),
          ])
        ),
        ("promptContext", #"{"recentConversationHistory":[]}"#), ("activeVoiceSession", "null"),
      ]))
  }

  /// Contract 3.1: floored and clamped; no number gives the default, an empty value counts as 0.
  private static func limit(
    _ text: String?, default standard: Int, _ range: ClosedRange<Int>
  ) -> Int {
    guard let text else { return standard }
    let value = text.isEmpty ? 0 : Double(text)
    guard let value, value.isFinite else { return standard }
    return Int(min(Double(range.upperBound), max(Double(range.lowerBound), value.rounded(.down))))
  }
}

extension FactBook {
  static let mira = "810000000000000001"
  static let tobias = "810000000000000002"

  /// Facts of every kind that an operator meets; invented.
  static let workshop: FactBook = .workshop(.may)

  static func workshop(_ dialect: Dialect) -> FactBook {
    let guild = FactServer.guild
    let scoped: (String) -> (scope: String, guild: String?) = { scope in
      dialect == .may ? (scope, nil) : ("guild", guild)
    }
    let (user, owner) = (scoped("user"), scoped("owner"))
    return FactBook(
      dialect,
      [
        Fact(
          id: 41, guild: guild, channel: "910000000000000011", subject: mira,
          fact: "Mira prefers concise answers.", type: "preference",
          evidence: "keep it short please", source: "950000000000000001", confidence: 0.92),
        Fact(
          id: 42, guild: guild, subject: mira, fact: "Mira soldered the first lantern.",
          type: "project", evidence: "i soldered number one", confidence: 0.825),
        Fact(
          id: 43, guild: guild, subject: tobias, fact: "Tobias learns CAD for the hinge.",
          type: "project", confidence: 0.2),
        Fact(
          id: 44, guild: guild, subject: "__lore__", fact: "The walk starts at the canal bridge.",
          evidence: "we always start at the bridge", confidence: 0.78),
        Fact(
          id: 45, scope: user.scope, guild: user.guild, user: mira, subject: mira,
          fact: "Mira writes firmware.", type: "profile", confidence: 0.85),
        Fact(
          id: 46, scope: user.scope, guild: user.guild, subject: "__self__",
          fact: "I keep the workshop notes.", type: "profile", confidence: 0.7),
        Fact(
          id: 47, scope: owner.scope, guild: owner.guild, user: mira, subject: "__owner__",
          fact: "Order more bulbs in secret.", type: "project", confidence: 0.9),
        Fact(
          id: 48, guild: FactServer.otherGuild, subject: "__lore__",
          fact: "Apples are counted on Fridays.", confidence: 0.5),
      ])
  }
}
