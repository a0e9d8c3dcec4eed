package import CockpitDomain

extension LinkStatus {
  /// How long ago the data of a stream ended, in ns: nil while they go on, be it by polling, and before any
  /// came.
  ///
  /// - Parameters:
  ///   - receivedNs: when data of this stream came last; nil before any did. Both times are monotonic.
  ///     It is asked for only where the data have ended: observers of a live stream do not see it change.
  package func dataAgeNs(
    _ stream: StreamName, receivedNs: @autoclosure () -> UInt64?, nowNs: UInt64
  ) -> UInt64? {
    let (own, other) = stream == .activity ? (activity, voice) : (voice, activity)
    // A stream that is not wanted says nothing of its data.
    let isWanted = own.state != .stopped || own.failure != nil || other.state == .stopped
    switch (isWanted ? own : other).state {
    case .live, .polling: return nil
    case .connecting, .stale, .reconnecting, .degraded, .stopped:
      guard let receivedNs = receivedNs() else { return nil }
      let lastNs = max(own.lastByteAtNs ?? 0, receivedNs)
      return lastNs > 0 && nowNs > lastNs ? nowNs - lastNs : 0
    }
  }
}

extension ActivityStore {
  /// When the backend's activity came last, in monotonic ns; nil before any did.
  package var receivedNs: UInt64? {
    stats != nil || log.count > 0 ? statsReceivedNs : nil
  }
}
