package import TerminalCore
internal import CockpitStores

/// The names on screen of the parts of an answer's time.
package enum StepNames {
  /// The phases of a text reply in their order (contract 4.5, Text).
  package static let text: [(key: String, name: PlainText)] = [
    ("queueMs", "queue"), ("ingestMs", "ingest"), ("memorySliceMs", "memory"), ("llm1Ms", "llm"),
    ("followupMs", "follow-up"), ("typingDelayMs", "typing"), ("sendMs", "send"),
  ]

  /// Steps between rows, and of voice.
  private static let others: [(key: String, name: PlainText)] =
    [
      ("beforeGateMs", "before gate"), ("deliveryMs", "delivery"), ("queueWaitMs", "queue"),
      ("modelMs", "model, with no tool running"),
    ]
    + LatencyStage.allCases.map { ($0.key, PlainText($0.name)) }

  /// The wire's key itself if it is none of these.
  package static func name(of key: String) -> PlainText {
    (text + others).first { $0.key == key }?.name ?? PlainText(key, limit: 40)
  }
}
