/// The kind of a stream event, by its name (wire contract 2.3).
package enum EventKind: Sendable, Equatable {
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

/// Maps event names of one stream to kinds. Nearly all events repeat the previous name, whose
/// string the parser reuses, so a single reference comparison suffices.
package struct EventKinds {
  private var last: (name: String, kind: EventKind) = ("", .other)

  package init() {}

  package mutating func kind(of name: String) -> EventKind {
    if name == last.name { return last.kind }
    last = (name, EventKind(name))
    return last.kind
  }
}
