internal import LenientJSON
package import ClankyWire

/// Where a fact comes from and where it was used, according to the stored log.
///
/// No route serves this (contract 6). It is derived from the rows: the id of the message a fact is
/// based on, the rows that wrote facts, and the prompts and fact lists in the metadata of replies
/// and voice turns.
package struct Provenance: Hashable, Sendable {
  /// A row that wrote the fact: `memory_fact` (contract 4.4).
  package struct Write: Hashable, Sendable {
    package var row: RowID
    package var timeMs: Int64
    /// Why, in the backend's words: `added_new`, `updated_existing`, `merged_superseded`.
    package var reason: String?
    /// The writer, in the backend's words.
    package var source: String?
  }

  /// A row whose metadata contains the fact: it was in the model's context.
  package struct Use: Hashable, Sendable {
    package enum Evidence: Hashable, Sendable {
      /// A list of facts names its id.
      case listed
      /// The metadata contains its text, under this key.
      case text(key: String)
    }

    package var row: RowID
    package var timeMs: Int64
    package var kind: String
    package var evidence: Evidence
  }

  /// A voice session that has the fact in memory now, or had it in its last generation.
  package struct Session: Hashable, Sendable {
    package var sessionID: String?
    /// Whether the session's cache holds it (contract 5.2.7).
    package var isLoaded: Bool
    /// When the last generation that got it was put together (contract 5.2.8); nil if it did not.
    package var generatedAtMs: Int64?
    /// The transcript of that generation.
    package var transcript: String?
  }

  /// Rows about the message it is based on, newest first.
  package private(set) var sourceRows: [RowID] = []
  /// Newest first.
  package private(set) var writes: [Write] = []
  /// Newest first.
  package private(set) var uses: [Use] = []
  /// The reflection run that saved it; its `runID`.
  package private(set) var runID: String?
  /// Rows of that run, newest first.
  package private(set) var runRows: [RowID] = []
  package private(set) var sessions: [Session] = []
  /// Number of rows searched.
  package private(set) var rowsSearched = 0
  /// Unknowns, one sentence each.
  package private(set) var unknown: [String] = []

  /// Maximum number of rows searched, newest first.
  package static let rowLimit = 20_000
  /// Uses that are listed.
  package static let useLimit = 200
  /// In bytes of UTF-8; a shorter text occurs in too many places to be evidence.
  static let shortestText = 12

  /// Searches the stored rows. The work is bounded by `rowLimit` and the size of the log.
  @MainActor
  package init(
    of fact: Fact, in log: ActionLog, reflections: [ReflectionRun]? = nil,
    voice: VoiceState? = nil, rowLimit: Int = Provenance.rowLimit
  ) {
    let run = reflections?.first { run in run.savedFacts.contains { $0.isStored(as: fact) } }
    runID = run?.runID
    search(log, for: fact, limit: rowLimit)
    sessions = (voice?.sessions ?? []).compactMap { Session($0, fact) }
    say(fact, log, hasReflections: reflections != nil)
  }

  private mutating func search(_ log: ActionLog, for fact: Fact, limit: Int) {
    let trace = FactTrace(fact, runID: runID)
    let end = min(log.count, limit)
    for index in 0..<end {
      let row = log.row(at: index)
      guard !row.isGap, !row.isOfFormerLog, row.withRaw(trace.mayConcern) else { continue }
      note(row, trace)
    }
    rowsSearched = end
  }

  private mutating func note(_ row: ActionRowView, _ trace: FactTrace) {
    let kind = row.kind
    let metadata = row.metadata()
    if kind == "memory_fact" {
      if trace.wrote(metadata) {
        writes.append(
          Write(
            row: row.id, timeMs: row.timeMs, reason: metadata["reason"]?.string,
            source: metadata["source"]?.string))
      }
      return
    }
    if kind.hasPrefix("memory_reflection_") {
      if let runID, metadata["runId"]?.string == runID { runRows.append(row.id) }
      return
    }
    if let message = trace.messageID,
      row.messageID == message || metadata["triggerMessageId"]?.string == message
        || metadata["messageId"]?.string == message
    {
      sourceRows.append(row.id)
    }
    guard !kind.hasPrefix("memory_"), uses.count < Self.useLimit,
      let evidence = trace.evidence(in: metadata)
    else { return }
    uses.append(Use(row: row.id, timeMs: row.timeMs, kind: kind, evidence: evidence))
  }

  private mutating func say(_ fact: Fact, _ log: ActionLog, hasReflections: Bool) {
    if log.count > rowsSearched {
      unknown.append("Only the newest \(rowsSearched) of \(log.count) rows were looked through.")
    }
    if fact.sourceMessageID == nil {
      unknown.append("The fact names no message that it rests on.")
    } else if sourceRows.isEmpty {
      unknown.append("The message that it rests on is not in the rows that are here.")
    }
    if writes.isEmpty {
      unknown.append(
        "No row that is here wrote it; edits through the dashboard or this program log nothing.")
    }
    if !hasReflections {
      unknown.append("The reflection runs are not loaded, so it is not known whether one saved it.")
    }
    if uses.isEmpty {
      unknown.append(
        (fact.fact ?? "").utf8.count < Self.shortestText
          ? "Its text is too short to be looked for in prompts."
          : "No prompt or list of facts in the rows that are here has this text; an older text is "
            + "not looked for.")
    } else if uses.count == Self.useLimit {
      unknown.append("Only the newest \(Self.useLimit) uses are listed.")
    }
  }

  // MARK: From a row to facts

  /// The facts that rest on the message of a row, that it wrote, or that its metadata lists: by id,
  /// the lowest first.
  @MainActor
  package static func facts(of row: ActionRowView, in table: FactTable) -> [Int] {
    guard !row.isGap else { return [] }
    let metadata = row.metadata()
    var messages = Set([row.messageID, metadata["triggerMessageId"]?.string].compactMap(\.self))
    messages.formUnion((metadata["triggerMessageIds"]?.array ?? []).compactMap(\.string))
    var found: Set<Int> = []
    if row.kind == "memory_fact", let id = metadata["factId"]?.int { found.insert(id) }
    FactTrace.listedIDs(in: metadata, into: &found)
    for (id, entry) in table.entries {
      if let source = entry.fact.sourceMessageID, messages.contains(source) { found.insert(id) }
    }
    return found.filter { table[$0] != nil }.sorted()
  }
}

extension Provenance.Session {
  /// nil if the session is unrelated to the fact.
  fileprivate init?(_ session: VoiceSession, _ fact: Fact) {
    let memory = session.memory
    let guild = memory.guildFactProfile
    let loaded =
      memory.factProfiles.flatMap { $0.userFacts + $0.guidanceFacts }
      + (guild.map { $0.selfFacts + $0.loreFacts + $0.guidanceFacts } ?? [])
    let generation = session.lastGenerationContext
    let given = generation?.memoryFacts
    let used =
      (given.map { $0.guidanceFacts + $0.behavioralFacts + $0.userFacts + $0.relevantFacts } ?? [])
      + (generation.map { $0.userFacts + $0.relevantFacts } ?? [])
    isLoaded = loaded.contains { $0.matches(fact) }
    let isUsed = used.contains { $0.matches(fact) }
    guard isLoaded || isUsed else { return nil }
    sessionID = session.sessionID
    generatedAtMs = isUsed ? generation?.capturedAt?.milliseconds : nil
    transcript = isUsed ? generation?.incomingTranscript : nil
  }
}

extension Fact {
  /// By id; by text and subject where a spelling has no id.
  fileprivate func matches(_ other: Fact) -> Bool {
    if let id, let other = other.id { return id == other }
    return fact != nil && fact == other.fact && (subject == nil || subject == other.subject)
  }
}

extension ReflectionFact {
  /// Runs name no ids: match stored facts by text.
  fileprivate func isStored(as fact: Fact) -> Bool {
    guard let text = fact.fact else { return false }
    if let storedSubject, storedSubject != fact.subject { return false }
    return storedFact == text || self.fact == text
  }
}
