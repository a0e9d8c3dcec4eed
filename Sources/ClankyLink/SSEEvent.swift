/// Event names of the wire contract (2.3), so that dispatch compares no strings.
package enum SSEEventKind: Sendable, Equatable {
  case activitySnapshot, actionEvent, statsUpdate, voiceState, voiceEvent, other

  package init(_ name: String) {
    switch name {
    case "activity_snapshot": self = .activitySnapshot
    case "action_event": self = .actionEvent
    case "stats_update": self = .statsUpdate
    case "voice_state": self = .voiceState
    case "voice_event": self = .voiceEvent
    default: self = .other
    }
  }
}

/// One dispatched event. Not copyable, because `data` is borrowed and valid during the call only.
package struct SSEEvent: ~Copyable {
  /// What `name` stands for in the wire contract.
  package let kind: SSEEventKind
  /// The `event` field, `"message"` when there was none.
  package let name: String
  /// The `data` lines joined by LF, exactly as sent: not necessarily valid UTF-8.
  package let data: UnsafeRawBufferPointer
  /// The last event id of the stream at this event.
  package let lastEventID: String

  package init(
    kind: SSEEventKind, name: String, data: UnsafeRawBufferPointer, lastEventID: String
  ) {
    self.kind = kind
    self.name = name
    self.data = data
    self.lastEventID = lastEventID
  }
}
