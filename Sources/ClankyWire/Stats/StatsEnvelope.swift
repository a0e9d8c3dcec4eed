import LenientJSON

/// The figures of the bot and the state of its process: the body of `/api/stats` and of
/// `stats_update`, and `activity_snapshot.stats` (contract 5.1).
package struct StatsEnvelope: WireReadable {
  /// The figures; nil if the server sent none that could be read.
  package var stats: Stats?
  /// The state of the process.
  package var runtime: Runtime?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    stats: Stats? = nil, runtime: Runtime? = nil
  ) {
    self.stats = stats
    self.runtime = runtime
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    stats = fields.object("stats")
    runtime = fields.object("runtime")
  }
}

extension StatsEnvelope {
  /// Reads an envelope without `runtime.voice`: every `stats_update` repeats the whole voice state
  /// there, nine tenths of its bytes, and the voice stream and its fallback tell the same (contract
  /// 5.1 and 2.6). nil if the text is no object. Throws when it is no JSON.
  package static func withoutVoice(
    _ json: UnsafeRawBufferPointer
  ) throws(JSONError) -> StatsEnvelope? {
    var inner: JSONOutline?
    let outline = JSONOutline(json) { key, cursor in
      guard key == "runtime" else { return cursor.skipValue() }
      inner = JSONOutline(at: &cursor) { $1.skipValue() }
      return inner != nil
    }
    guard var object = outline?.object(of: json, where: { $0.key != "runtime" }),
      let runtime = inner?.object(of: json, where: { $0.key != "voice" })
    else {
      var envelope = StatsEnvelope(try JSONValue.parse(json))
      envelope?.runtime?.voice = nil
      return envelope
    }
    object.members.append(.init(key: "runtime", value: .object(runtime)))
    return StatsEnvelope(.object(object))
  }

  /// The bot's cost since midnight UTC of a day such as `2026-05-09`, in US dollars.
  ///
  /// 0 if the list has no row for the day: the backend adds one with the first action of the day
  /// (contract 3.6 and 8.9). nil if the list or the amount is missing.
  package func costToday(utcDay: String) -> Double? {
    guard let days = stats?.dailyCost else { return nil }
    guard let today = days.first(where: { $0.day == utcDay }) else { return 0 }
    return today.usd
  }

  /// The same for the UTC day of a moment.
  package func costToday(at now: WireTime) -> Double? { costToday(utcDay: now.utcDay) }
}

extension WireTime {
  /// The UTC day in the spelling of `dailyCost`, such as `2026-05-09`.
  package var utcDay: String { isoDay }
}
