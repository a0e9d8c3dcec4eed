package import Networking

/// What a channel, or the source as a whole, is doing. The raw value is the word used on screen and in
/// `tail --json`.
package enum LinkState: String, Sendable, CaseIterable {
  /// First attempt, nothing heard yet.
  case connecting
  /// Bytes arrive.
  case live
  /// Connected, but no byte for 10 s, or the machine has just woken up.
  case stale
  /// The connection is lost; a new attempt is running or scheduled.
  case reconnecting
  /// Something on the way buffers the stream, so the same data is polled over REST.
  case polling
  /// Works in part: one stream is live and the other not, or REST fails.
  case degraded
  /// Stopped by request, or by a failure that retrying cannot fix.
  case stopped
}

/// One stream, as far as a person wants to know.
package struct StreamStatus: Sendable, Equatable {
  /// The current state.
  package var state: LinkState
  /// Monotonic time of the last byte of the running or last connection.
  package var lastByteAtNs: UInt64?
  /// Dispatched events in the last 60 s.
  package var eventsPerMinute: Int
  /// Events dispatched since the start.
  package var events: Int
  /// Body bytes since the start.
  package var bytes: Int
  /// Events thrown away because they were too large or empty.
  package var rejectedEvents: Int
  /// Connections tried since the stream was last live.
  package var attempts: Int
  /// Connections tried since the start.
  package var connections: Int
  /// Monotonic time of the next attempt, while one is waited for.
  package var retryAtNs: UInt64?
  /// Why the last connection ended; nil while the stream is live.
  package var failure: LinkFailure?

  /// A link or stream that has not begun.
  package init(
    state: LinkState = .connecting, lastByteAtNs: UInt64? = nil, eventsPerMinute: Int = 0,
    events: Int = 0, bytes: Int = 0, rejectedEvents: Int = 0, attempts: Int = 0,
    connections: Int = 0, retryAtNs: UInt64? = nil, failure: LinkFailure? = nil
  ) {
    self.state = state
    self.lastByteAtNs = lastByteAtNs
    self.eventsPerMinute = eventsPerMinute
    self.events = events
    self.bytes = bytes
    self.rejectedEvents = rejectedEvents
    self.attempts = attempts
    self.connections = connections
    self.retryAtNs = retryAtNs
    self.failure = failure
  }

  /// Milliseconds since the last byte, never negative; nil before the first one.
  package func lastByteAgoMs(nowNs: UInt64) -> Int? {
    lastByteAtNs.map { Int(clamping: nowNs.since($0) / 1_000_000) }
  }

  /// Whole seconds to the next attempt, rounded up; nil if none is scheduled.
  package func nextRetryInSeconds(nowNs: UInt64) -> Int? {
    retryAtNs.map { Int(clamping: ($0.since(nowNs) + 999_999_999) / 1_000_000_000) }
  }
}

/// One channel of a source and its state.
package struct ChannelStatus: Sendable, Equatable {
  package let channel: SourceChannel
  package var status: StreamStatus
}

/// The source as a whole.
package struct SourceStatus: Sendable, Equatable {
  /// The channels folded into one (`StatusSummary.overall`).
  package var overall: LinkState
  /// All channels of the source, in the order in which they are listed. One that is not wanted is
  /// `.stopped` without a failure and does not count.
  package private(set) var channels: [ChannelStatus] = []
  /// The failure that matters most right now.
  package var failure: LinkFailure?
  /// One sentence for the status line. Remote text appears only through `failure`.
  package var detail: String
  /// The earlier of the streams' next attempts (monotonic).
  package var retryAtNs: UInt64?
  /// Time to the header of the last REST answer.
  package var restLatencyMs: Double?
  /// Median and 95th percentile of the last answers (nearest rank).
  package var restP50Ms: Double?
  package var restP95Ms: Double?
  /// REST requests that were sent, and those of them that got no answer or one of a backend that
  /// failed (5xx).
  package var restRequests = 0
  package var restFailures = 0
  /// Body bytes of all REST answers.
  package var restBytes = 0
  /// Monotonic time of the last reconnect.
  package var reconnectedAtNs: UInt64?
  /// Finished outages. An outage counts once, however many streams and retries it involved.
  package var reconnects: Int
  /// Connections that were tried in all outages, the one under way included.
  package var reconnectAttempts = 0
  /// Incremented whenever a stream returns: data fetched earlier may be stale.
  package var returns = 0
  /// Rows recovered by gap fills.
  package var gapsFilled: Int
  /// Rows reported as missing for good.
  package var rowsMissing: Int
  /// Server clock minus ours (positive: the server is ahead); good to about two seconds, and 0 where no
  /// difference can be measured.
  package var skewMs: Int?
  /// The rows contradict `skewMs`: ages are reckoned by our clock (`ClockSkew.isDoubtful`).
  package var isClockDoubted = false
  /// Why the link polls; nil if it does not.
  package var pollingReason: String?
  /// How far the past has been fetched.
  package var history = HistoryProgress()
  /// The link is about to poll and does not know yet whether that works: not the moment to give up.
  package var isPollPending = false

  /// A link or stream that has not begun.
  package init(
    overall: LinkState = .connecting, failure: LinkFailure? = nil, detail: String = "",
    retryAtNs: UInt64? = nil, restLatencyMs: Double? = nil, reconnects: Int = 0,
    gapsFilled: Int = 0, rowsMissing: Int = 0, skewMs: Int? = nil, pollingReason: String? = nil
  ) {
    self.overall = overall
    self.failure = failure
    self.detail = detail
    self.retryAtNs = retryAtNs
    self.restLatencyMs = restLatencyMs
    self.reconnects = reconnects
    self.gapsFilled = gapsFilled
    self.rowsMissing = rowsMissing
    self.skewMs = skewMs
    self.pollingReason = pollingReason
  }

  /// The status of one channel; that of the source as a whole for one that the source has not stated, so
  /// that the data of a source without channels are as new as the source says.
  package subscript(channel: SourceChannel) -> StreamStatus {
    get {
      channels.first { $0.channel == channel }?.status
        ?? StreamStatus(state: overall)
    }
    set {
      if let index = channels.firstIndex(where: { $0.channel == channel }) {
        channels[index].status = newValue
      } else {
        channels.append(ChannelStatus(channel: channel, status: newValue))
      }
    }
  }

  /// Changes the status of each channel.
  package mutating func changeChannels(_ change: (inout StreamStatus) -> Void) {
    for index in channels.indices { change(&channels[index].status) }
  }

  /// Gives a channel the state of the whole: that of a source with one connection.
  package mutating func copyState(to channel: SourceChannel) {
    self[channel].state = overall
    self[channel].failure = failure
    self[channel].retryAtNs = retryAtNs
  }

  /// Monotonic time of the last byte of the channel that was heard last.
  package var lastByteAtNs: UInt64? { channels.compactMap(\.status.lastByteAtNs).max() }

  /// A moment of our clock on the server's, so that ages and spans are right when the two differ by
  /// more than 5 s (promise P10); below that the difference is noise, and one that the rows contradict
  /// is none of the backend's.
  package func serverMs(_ wallMs: Int64) -> Int64 {
    guard let skewMs, skewMs.magnitude > 5_000, !isClockDoubted else { return wallMs }
    let (sum, overflow) = wallMs.addingReportingOverflow(Int64(skewMs))
    return overflow ? wallMs : sum
  }

  /// Whole seconds to the next attempt, rounded up.
  package func nextRetryInSeconds(nowNs: UInt64) -> Int? {
    StreamStatus(retryAtNs: retryAtNs).nextRetryInSeconds(nowNs: nowNs)
  }
}
