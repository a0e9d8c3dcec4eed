internal import CockpitDomain
internal import CockpitHistory
internal import LenientJSON
internal import Networking

/// The status of a source as it was recorded.
@MainActor
enum RecordedStatus {
  /// The state of a link record: `{"state": "live", "detail": "...", "channels": {"activity": "live"}}`.
  ///
  /// - Parameter link: nil if none was recorded; the source counts as live then.
  static func status(of link: RecordedLink?, nowMs: Int64) -> SourceStatus {
    let json = link.flatMap { try? JSONValue.parse($0.value) }
    let overall = json?["state"]?.string.flatMap(LinkState.init(rawValue:)) ?? .live
    var status = SourceStatus(overall: overall, detail: json?["detail"]?.string ?? "")
    let channels = json?["channels"]
    for channel in [SourceChannel.activity, .voice] {
      let state = channels?[channel.name]?.string.flatMap(LinkState.init(rawValue:)) ?? overall
      let lastMs = state == .live || state == .polling ? nowMs : link?.atMs
      status[channel] = StreamStatus(state: state, lastByteAtNs: lastMs.map(ReplayClock.ns))
    }
    return status
  }

  /// Nothing was recorded at this time.
  static func status(of outage: RecordedOutage) -> SourceStatus {
    var status = SourceStatus(overall: .stopped, detail: "not recorded: \(outage.reason.rawValue)")
    for channel in [SourceChannel.activity, .voice] {
      status[channel] = StreamStatus(
        state: .stopped, lastByteAtNs: ReplayClock.ns(outage.fromMs), failure: .notRecorded)
    }
    return status
  }
}
