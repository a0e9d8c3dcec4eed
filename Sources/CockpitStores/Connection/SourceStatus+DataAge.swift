package import CockpitDomain

extension SourceStatus {
  /// The age of a stream's data once the data stopped, in ns; nil while data flow, polling
  /// included, and before the first data.
  ///
  /// - Parameters:
  ///   - receivedNs: when data of this stream last arrived; nil before any did. Both times are
  ///     monotonic. Evaluated only if the data stopped, so that observers of a live stream do not
  ///     depend on it.
  package func dataAgeNs(
    _ stream: SourceChannel, receivedNs: @autoclosure () -> UInt64?, nowNs: UInt64
  ) -> UInt64? {
    let own = channels.first { $0.channel == stream }?.status
    // A stream that is not wanted, or that the source does not have, says nothing of its data: another one does.
    let other = channels.first { $0.channel != stream && $0.status.state != .stopped }?.status
    let isWanted = own.map { $0.state != .stopped || $0.failure != nil } ?? false
    let heard = (isWanted ? own : other ?? own) ?? self[stream]
    switch heard.state {
    case .live, .polling: return nil
    case .connecting, .stale, .reconnecting, .degraded, .stopped:
      guard let receivedNs = receivedNs() else { return nil }
      let lastNs = max(heard.lastByteAtNs ?? 0, receivedNs)
      return lastNs > 0 && nowNs > lastNs ? nowNs - lastNs : 0
    }
  }
}

extension ActivityStore {
  /// When the backend's activity last arrived, in monotonic ns; nil before the first.
  package var receivedNs: UInt64? {
    stats != nil || log.count > 0 ? statsReceivedNs : nil
  }
}
