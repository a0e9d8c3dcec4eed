import LenientJSON

/// The body of `/api/memory/facts` and of its owner-private twin, newest change first (contract
/// 3.2, 3.5 and 6.1). No total is served.
package struct FactPage: WireReadable {
  /// The requested guild; nil if none, and in owner-private pages.
  package var guildID: String?
  /// The requested row limit, after clamping.
  package var limit: Int?
  /// The requested subject.
  package var subject: String?
  /// The requested text.
  package var queryText: String?
  /// The facts.
  package var facts: [Fact]
  /// Number of unreadable list elements, which are left out.
  package var omitted: Int

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    guildID: String? = nil, limit: Int? = nil, subject: String? = nil, queryText: String? = nil,
    facts: [Fact] = [], omitted: Int = 0
  ) {
    self.guildID = guildID
    self.limit = limit
    self.subject = subject
    self.queryText = queryText
    self.facts = facts
    self.omitted = omitted
  }

  /// nil if the value is no object with that list.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json), let list = fields.page("facts", of: Fact.init) else {
      return nil
    }
    guildID = fields.id("guildId")
    limit = fields.int("limit")
    subject = fields.string("subject")
    queryText = fields.string("queryText")
    facts = list.rows
    omitted = list.omitted
  }

  /// Elements that nothing can be done with: no such rows, and facts without an id.
  package var unreadable: Int { omitted + facts.count { $0.id == nil } }
}

/// The body of `/api/memory/subjects`, last seen first (contract 6.1).
package struct SubjectPage: WireReadable {
  /// The requested guild.
  package var guildID: String?
  /// The requested row limit, after clamping.
  package var limit: Int?
  /// The subjects.
  package var subjects: [Subject]
  /// Number of unreadable list elements, which are left out.
  package var omitted: Int

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    guildID: String? = nil, limit: Int? = nil, subjects: [Subject] = [], omitted: Int = 0
  ) {
    self.guildID = guildID
    self.limit = limit
    self.subjects = subjects
    self.omitted = omitted
  }

  /// nil if the value is no object. It only tells how many facts to expect: without the list they
  /// are listed all the same.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    guildID = fields.id("guildId")
    limit = fields.int("limit")
    let list = fields.rows("subjects", of: Subject.init)
    subjects = list.rows
    omitted = list.omitted
  }
}

/// A subject of facts in the bot's memory (contract 6.1).
package struct Subject: WireReadable {
  /// The scope; nil before May.
  package var scope: FactScope?
  /// Their guild; nil for user and owner facts from May on.
  package var guildID: String?
  /// The user; nil before May and for special subjects.
  package var userID: String?
  /// Normally a Discord user id, else one of `FactSubject`.
  package var subject: String?
  /// When a fact about it was last stored.
  package var lastSeenAt: WireTime?
  /// Number of its facts.
  package var factCount: Int?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    scope: FactScope? = nil, guildID: String? = nil, userID: String? = nil,
    subject: String? = nil, lastSeenAt: WireTime? = nil, factCount: Int? = nil
  ) {
    self.scope = scope
    self.guildID = guildID
    self.userID = userID
    self.subject = subject
    self.lastSeenAt = lastSeenAt
    self.factCount = factCount
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    scope = fields.word("scope")
    guildID = fields.id("guild_id")
    userID = fields.id("user_id")
    subject = fields.string("subject")
    lastSeenAt = fields.time("last_seen_at")
    factCount = fields.int("fact_count")
  }
}

extension SubjectPage {
  /// Facts of all listed subjects: the nearest thing to a total that is served (contract 6.1). In
  /// May it counts user and owner facts, which belong to every guild. Nonsense saturates.
  package var factCount: Int {
    subjects.reduce(0) { total, subject in
      let (sum, overflow) = total.addingReportingOverflow(max(0, subject.factCount ?? 0))
      return overflow ? .max : sum
    }
  }
}
