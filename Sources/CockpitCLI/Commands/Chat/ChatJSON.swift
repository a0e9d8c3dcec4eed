import CockpitChat
import LenientJSON

/// Events of an answer as JSON lines (docs/chat.md).
enum ChatJSON {
  static func line(_ event: ChatEvent, session: String) -> [UInt8] {
    var line = JSONObjectWriter()
    switch event {
    case .started(let run):
      line.string("event", "started")
      line.string("session", session)
      line.string("run", run)
    case .phase(let phase):
      line.string("event", "phase")
      line.string("phase", phase)
    case .model(let model):
      line.string("event", "model")
      line.string("model", model)
    case .text(let text):
      line.string("event", "text")
      line.string("text", text)
    case .replaced(let text):
      line.string("event", "replaced")
      line.string("text", text)
    case .thinking(let text):
      line.string("event", "thinking")
      line.string("text", text)
    case .tool(let tool):
      line.string("event", "tool")
      line.string("id", tool.id)
      line.string("name", tool.name)
      line.string("state", tool.state.rawValue)
      line.int("duration_ms", tool.durationMs)
    case .usage(let usage):
      line.string("event", "usage")
      line.int("input_tokens", usage.inputTokens)
      line.int("output_tokens", usage.outputTokens)
      line.int("total_tokens", usage.totalTokens)
      line.double("cost_usd", usage.costUSD)
    case .ended(let end): write(end, into: &line)
    }
    return line.finish()
  }

  private static func write(_ end: ChatEnd, into line: inout JSONObjectWriter) {
    line.string("event", "ended")
    switch end {
    case .completed: line.string("result", "completed")
    case .aborted: line.string("result", "aborted")
    case .failed(let failure):
      line.string("result", "failed")
      line.string("kind", name(failure.kind))
      line.string("error", failure.sentence)
      line.int("retry_after_ms", failure.retryAfterMs)
    }
  }

  private static func name(_ kind: ChatFailure.Kind) -> String {
    switch kind {
    case .connection: "connection"
    case .authentication: "authentication"
    case .request: "request"
    case .unsupported: "unsupported"
    case .agent: "agent"
    case .rateLimit: "rate_limit"
    }
  }
}
