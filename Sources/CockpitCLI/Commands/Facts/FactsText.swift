import CockpitSession
import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// Facts as text lines. Backend text is sanitised here.
@MainActor
struct FactsText {
  private let session: FactsSession
  private let clock: ClockFormat

  init(_ session: FactsSession) {
    self.session = session
    clock = session.settings.clock
  }

  /// Writes a list to stdout: a line for each fact, or a JSON object for each.
  func write(_ records: [FactRecord], json: Bool) async throws(Failure) {
    var breaths = Breaths()
    if json {
      for record in records {
        session.output.line(record.json)
        try await breaths.take()
      }
      if session.settings.process.textBesideJSON == nil { return }
    }
    var columns: [[PlainText]] = []
    for record in records {
      let fact = record.fact
      var cells = [
        PlainText(fact.id.map { "\($0)" } ?? "-"), subject(fact).cut(to: 24),
        PlainText(fact.factType?.rawValue ?? "-", limit: 40).cut(to: 14),
        Figures.unit(fact.confidence), day(fact),
      ]
      if let scores = record.scores { cells.insert(Figures.unit(scores.score), at: 0) }
      columns.append(cells)
      try await breaths.take()
    }
    let count = columns.first?.count ?? 0
    let widths = (0..<count).map { index in columns.map { $0[index].columns }.max() ?? 0 }
    for (cells, record) in zip(columns, records) {
      let padded = zip(cells, widths).map { $0.padded(to: $1) }
      let line = (padded + [PlainText(record.fact.fact ?? "")]).joined(separator: "  ")
      if json { session.settings.process.also([line]) } else { session.output.line(line) }
      try await breaths.take()
    }
  }

  /// All that is known about a fact, a line for each member.
  func details(_ fact: Fact) -> [PlainText] {
    let record = session.record(fact)
    let guild = fact.guildID.map(session.guildWords)
    // A fact about a user belongs to no guild, and the lists of several may have it.
    let places = guild == nil ? session.guilds(of: fact).map(session.guildWords) : []
    let name = record.subjectName.map { "\($0) (\(fact.subject ?? ""))" }
    let members: [(PlainText, String?)] = [
      ("id", fact.id.map { "\($0)" }), ("fact", fact.fact), ("type", fact.factType?.rawValue),
      ("confidence", fact.confidence.map { "\($0)" }), ("subject", name ?? fact.subject),
      ("evidence", fact.evidenceText), ("source", fact.sourceMessageID),
      ("scope", fact.scope?.rawValue), ("guild", guild),
      ("found in", places.isEmpty ? nil : places.joined(separator: ", ")),
      ("channel", fact.channelID),
      ("user", fact.userID), ("created", fact.createdAt?.iso), ("updated", fact.updatedAt?.iso),
    ]
    return members.compactMap { name, value in
      value.map { name.padded(to: 12) + PlainText($0) }
    }
  }

  /// The members that can be edited, indented: two of these below each other can be compared.
  func content(_ fact: Fact) -> [PlainText] {
    content(
      subject: fact.subject, text: fact.fact, type: fact.factType?.rawValue,
      confidence: fact.confidence, evidence: fact.evidenceText)
  }

  func content(_ edit: FactEdit) -> [PlainText] {
    let edit = edit.normalized
    return content(
      subject: edit.subject, text: edit.fact, type: edit.factType, confidence: edit.confidence,
      evidence: edit.evidenceText)
  }

  private func content(
    subject: String?, text: String?, type: String?, confidence: Double?, evidence: String?
  ) -> [PlainText] {
    let members: [(PlainText, String?)] = [
      ("fact", text), ("type", type), ("confidence", confidence.map { "\($0)" }),
      ("subject", subject), ("evidence", evidence),
    ]
    return members.map { name, value in
      PlainText("  ") + name.padded(to: 12) + PlainText(value ?? "")
    }
  }

  /// One line that identifies a fact: its subject and text.
  func title(_ fact: Fact) -> PlainText {
    "fact \(fact.id ?? 0) about \(subject(fact).cut(to: 40)): \(PlainText(fact.fact ?? "").cut(to: 400))"
  }

  private func subject(_ fact: Fact) -> PlainText {
    let subject = fact.subject ?? ""
    return PlainText(session.name(of: subject) ?? (subject.isEmpty ? "-" : subject))
  }

  private func day(_ fact: Fact) -> PlainText {
    (fact.updatedAt ?? fact.createdAt).map { clock.day(ms: $0.milliseconds) } ?? "-"
  }
}
