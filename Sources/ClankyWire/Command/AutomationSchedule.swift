import LenientJSON

/// When an automation runs (contract 7.4).
package enum AutomationSchedule: WireReadable {
  /// Every day at a time of the bot host's local clock; its time zone is not served.
  case daily(hour: Int, minute: Int)
  /// Repeatedly, every so many minutes.
  case interval(everyMinutes: Int)
  /// Once.
  case once(at: WireTime)
  /// An unknown kind, or one with invalid members, as received.
  case other(JSONValue)

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    self = .other(json)
    switch fields.string("kind") {
    case "daily":
      if let hour = fields.int("hour"), let minute = fields.int("minute"),
        (0..<24).contains(hour), (0..<60).contains(minute)
      {
        self = .daily(hour: hour, minute: minute)
      }
    case "interval":
      if let minutes = fields.int("everyMinutes"), minutes > 0 {
        self = .interval(everyMinutes: minutes)
      }
    case "once":
      if let time = fields.time("atIso") { self = .once(at: time) }
    default: break
    }
  }
}
