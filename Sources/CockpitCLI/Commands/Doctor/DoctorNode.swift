import CockpitText
import LenientJSON
import OpenClawSource
import OpenClawWire

/// Whether the gateway has this device as a node. It is read from the gateway's list: a second connection of the node
/// would take the place of that of a cockpit that runs.
struct DoctorNode {
  /// The device id.
  var device: String
  /// The gateway's list; nil for a profile that changes nothing.
  var nodes: Result<JSONValue, OpenClawSource.RequestFailure>?

  var check: DoctorCheck {
    switch nodes {
    case nil:
      DoctorCheck(
        "node", .ok, "not asked for: the profile is read-only, and notify_command has no effect")
    case .failure(let failure):
      DoctorCheck("node", .warn, "not known: \(VisibleText().of(failure.description))")
    case .success(let payload): judged(payload)
    }
  }

  private func judged(_ payload: JSONValue) -> DoctorCheck {
    let command = SystemNotification.command
    let own = payload["nodes"]?.array?.first { $0["nodeId"]?.string == device }
    guard let own, own["paired"]?.bool != false else {
      return DoctorCheck(
        "node", .warn, "this device is not paired as a node; agents cannot notify you",
        "open the cockpit with this profile: it asks for the pairing and says how to approve it")
    }
    guard own["connected"]?.bool == true else {
      return DoctorCheck(
        "node", .ok, "paired; connected while a cockpit with this profile is open")
    }
    let commands = (own["commands"]?.array ?? []).compactMap(\.string)
    guard commands.contains(command) else {
      return DoctorCheck(
        "node", .warn, "paired and connected, but the gateway does not let agents use \(command)",
        "on the gateway's host: 'openclaw nodes pending', then 'openclaw nodes approve ID'")
    }
    return DoctorCheck("node", .ok, "paired and connected; agents may use \(command)")
  }
}
