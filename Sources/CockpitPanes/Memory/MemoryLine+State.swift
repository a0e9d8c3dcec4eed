import CockpitText
import CockpitStores
import TerminalCore

extension MemoryLine {
  /// Placeholder lines for data that is not loaded.
  @MainActor static func state<Value>(
    _ load: Fetched<Value>, _ name: PlainText, _ facts: ViewContext, width: Int
  ) -> [MemoryLine] {
    switch load {
    case .none:
      let text: PlainText =
        facts.isHeard ? "asking for \(name)" : "no connection: \(name) come with one"
      return MemoryLine.wrapped(text, .muted, width: width)
    case .loading(nil): return [MemoryLine("loading \(name) …", .muted)]
    case .loading: return [MemoryLine("loading anew …", .muted)]
    case .loaded: return []
    case .notServed:
      return MemoryLine.wrapped("this backend has no \(name)", .warning, width: width)
    case .failed(let failure, let value):
      let rest: PlainText = value == nil ? "" : "; what follows is from before"
      return MemoryLine.wrapped(
        PlainText(problem: failure.sentence, limit: 300) + rest + "; " + facts.keys.text(.refresh)
          + " asks again",
        .negative,
        width: width)
    }
  }
}
