import CockpitSession
import Networking
import ClankyWire
import CockpitStores

/// The sessions that have a beginning and no end, for `sessions`: the backend lists them nowhere.
@MainActor
final class UnfinishedSessions {
  private let session: RestSession
  private let guild: String?
  private let voice = VoiceStore()
  private var body: [UInt8]?
  private var askedMs: Int64 = 0

  /// The newest of them are looked into for their last event: one request each.
  private static let lookedInto = 10
  init(_ session: RestSession, guild: String?) {
    self.session = session
    self.guild = guild
  }

  /// Asks for the beginnings and ends on record.
  func load() async {
    askedMs = session.nowMs
    let request = RestRequest(.get, .voiceBounds(guild: guild))
    if case .success(let answer) = await session.ask(request), answer.isSuccess {
      body = answer.body
    } else {
      session.settings.output.complain(
        "Sessions that were cut off are not known: the backend does not say.")
    }
  }

  /// Those that have no end, newest first.
  ///
  /// - Parameters:
  ///   - known: sessions that are live or have ended.
  ///   - since: only those with an event in this time.
  func rows(besides known: Set<String>, since: HistoryDuration?, limit: Int) async -> [SessionRow] {
    guard let body else { return [] }
    let unfinished = body.withUnsafeBytes {
      VoiceStore.unfinished(in: $0, besides: known, nowMs: askedMs)
    }
    let oldestMs = since.map { session.nowMs - $0.milliseconds } ?? .min
    var rows: [SessionRow] = []
    for (place, past) in unfinished.prefix(limit).enumerated() {
      var row = SessionRow(past)
      row.isCutOff = true
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
    row.lastEvent = voice.lastEventMs(of: row.id).map { WireTime(milliseconds: $0) }
    row.mayHaveLater = voice.mayHaveLater(row.id)
  }
}
