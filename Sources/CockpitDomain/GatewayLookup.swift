/// Something of a gateway that is read when a screen shows it, and not before.
package enum GatewayLookup: Hashable, Sendable {
  /// The files of an agent that the gateway names.
  case files(agent: String)
  /// One of them, with its text.
  case file(agent: String, name: String)
  /// What an agent's memory search finds for these words.
  case search(agent: String, words: String)
  /// The text of a file that a search found.
  case passage(agent: String, path: String)
  /// The devices that run commands for the gateway.
  case nodes
  /// The gateway's log: its end at first, then what has been written since.
  case logs
}

/// Why a lookup has no answer: one sentence with the next step. It may contain remote text.
package struct LookupFailure: Error, Hashable, Sendable {
  package var sentence: String

  package init(_ sentence: String) { self.sentence = sentence }
}
