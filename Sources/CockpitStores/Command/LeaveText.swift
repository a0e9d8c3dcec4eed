/// Text on why the bot cannot be told to leave voice (contract 3.4.2).
///
/// No Clanky backend of version 1 has this route, and an unknown path answers every other method
/// like a known one does, so only the request itself can tell. It is therefore never sent before
/// the user asks for it.
package enum LeaveText {
  /// After the backend has reported that the route is missing.
  package static let notServed =
    "This backend has no route to leave voice; tell the bot in voice to leave, or disable voice in its settings, which ends every session."
  /// Before the first request.
  package static let untried =
    "Clanky has no route to leave voice; Enter asks whether this backend has one."

  /// For the row of a list, some 24 cells.
  ///
  /// - Parameter canLeave: `OperationsStore.canLeave`.
  package static func short(canLeave: Bool?) -> String {
    switch canLeave {
    case nil: "n/a in Clanky v1"
    case false?: "n/a: server has none"
    case true?: ""
    }
  }

  /// The sentence for a reason of the backend, which is untrusted text.
  package static func refusal(_ reason: String?) -> String {
    switch reason {
    case "no_active_session": "The bot is in no voice channel there; there is nothing to leave."
    case let reason?: "The bot did not leave: \(reason)."
    case nil: "The bot did not leave, and the backend does not say why; look at VOICE."
    }
  }
}
