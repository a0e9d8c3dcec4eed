import CockpitSession
import Networking
import ClankyWire
import CockpitStores

/// The sessions that have no end, for `sessions`: the backend lists them nowhere.
@MainActor
final class UnfinishedSessions {
  private let session: RestSession
  private let guild: String?
  private let voice = VoiceStore()
  private var body: [UInt8]?
  /// Other rows that name a session; nil if they could not be had.
  private var sightings: [UInt8]?
  private var askedMs: Int64 = 0

  /// The newest of them are looked into for their last event: one request each.
  private static let lookedInto = 10
  init(_ session: RestSession, guild: String?) {
    self.session = session
    self.guild = guild
  }

  /// Asks for the beginnings and ends on record, and for other rows that name a session.
  func load() async {
    askedMs = session.nowMs
    let request = RestRequest(.get, .voiceBounds(guild: guild))
    if case .success(let answer) = await session.ask(request), answer.isSuccess {
      body = answer.body
    } else {
      session.settings.output.complain(
        "Sessions that were cut off are not known: the backend does not say.")
      return
    }
    if case .success(let answer) = await session.ask(
      RestRequest(.get, .voiceSightings(guild: guild))), answer.isSuccess
    {
      sightings = answer.body
    } else {
      session.settings.output.complain(
        "Sessions that were cut off and whose start is not on record are not known: the backend does not say."
      )
    }
  }

  /// Those that have no end, newest first.
  ///
  /// - Parameters:
  ///   - known: sessions that are live or have ended.
  ///   - since: only those with an event in this time.
  func rows(besides known: Set<String>, since: HistoryDuration?, limit: Int) async -> [SessionRow] {
    guard let body else { return [] }
    let unfinished = body.withUnsafeBytes { bounds in
      guard let sightings else {
        return VoiceStore.unfinished(
          bounds: bounds, sightings: nil, besides: known, nowMs: askedMs)
      }
      return sightings.withUnsafeBytes {
        VoiceStore.unfinished(bounds: bounds, sightings: $0, besides: known, nowMs: askedMs)
      }
    }
    let oldestMs = since.map { session.nowMs - $0.milliseconds } ?? .min
    var rows: [SessionRow] = []
    for (place, past) in unfinished.prefix(limit).enumerated() {
      var row = SessionRow(past.session)
      row.evidence = past.evidence
      if place < Self.lookedInto { await lookInto(&row) }
      // It may have ended while the others were being fetched.
      guard row.endMs >= oldestMs, voice.record(row.id)?.endedAt == nil else { continue }
      rows.append(row)
    }
    return rows
  }

  private func lookInto(_ row: inout SessionRow) async {
    let target = RequestTarget(["api", "voice", "history", "sessions", row.id, "events"])
    guard case .success(let answer) = await session.ask(RestRequest(.get, target)),
      answer.isSuccess
    else { return }
    answer.body.withUnsafeBytes { voice.applyReplay($0, of: row.id) }
    if let target = voice.restTarget(of: row.id, nowMs: session.nowMs),
      case .success(let rest) = await session.ask(RestRequest(.get, target)), rest.isSuccess
    {
      rest.body.withUnsafeBytes { voice.applyRest($0, of: row.id) }
    }
    guard let summary = voice.summaries[row.id], summary.problem == nil else { return }
    row.startedAt = row.startedAt ?? summary.startedAtMs.map { WireTime(milliseconds: $0) }
    var evidence = voice.cutOffEvidence(of: row.id)
    evidence.hasStart = row.startedAt != nil
    // Events after the first 500 may be known from the other rows only.
    evidence.lastMs = [evidence.lastMs, row.evidence?.lastMs].compactMap(\.self).max()
    row.evidence = evidence
  }
}
