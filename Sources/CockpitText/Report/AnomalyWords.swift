import CockpitStores
import TerminalCore

extension VoiceTurnRecord.Anomaly {
  /// Its short name, the same for all of a sort.
  package var name: String {
    switch self {
    case .highLatency: "high latency"
    case .emptyASR: "empty ASR"
    case .outputGap: "output gap"
    case .slowTool: "slow tool"
    case .silentResponse: "silent answer"
    case .watchdog: "watchdog"
    case .toolFailed: "tool failed"
    case .neverPlayed: "never played"
    }
  }

  /// What went wrong, in words.
  package var words: PlainText {
    switch self {
    case .highLatency(let ms, let mean):
      "slow: " + Figures.duration(ms: Double(ms)) + ", mean of the session "
        + Figures.duration(ms: Double(mean))
    case .emptyASR: "audio came and nothing was recognised"
    case .outputGap(let ms): "no sound of the bot for " + Figures.duration(ms: Double(ms))
    case .slowTool(let name, let ms):
      "slow tool " + PlainText(name, limit: 60) + " " + Figures.duration(ms: Double(ms))
    case .silentResponse: "the provider's response had no audio"
    case .watchdog: "the generation watchdog fired"
    case .toolFailed(let name): "tool failed: " + PlainText(name, limit: 60)
    case .neverPlayed: "generated, but never played"
    }
  }
}
