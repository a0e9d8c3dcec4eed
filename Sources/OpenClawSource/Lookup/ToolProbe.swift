internal import CockpitDomain
internal import LenientJSON

/// Which tools of a gateway an agent may use, asked all at once (contract 12.3).
///
/// A tool that is unknown or denied answers 404. Every other refusal says that it is there: most are asked without
/// what they need, so that nothing is searched or read.
@MainActor
final class ToolProbe {
  private var found: [String: JSONValue] = [:]
  private var isOver = false
  private let done: @MainActor (Result<JSONValue, ToolFailure>) -> Void

  init(_ done: @escaping @MainActor (Result<JSONValue, ToolFailure>) -> Void) { self.done = done }

  func start(_ tools: GatewayTools, agent: String) {
    for name in GatewayToolCall.probed {
      tools.call(name, agent: agent, Self.arguments(name)) { self.took($0, of: name) }
    }
  }

  private static func arguments(_ tool: String) -> [(key: String, value: JSONValue?)] {
    switch tool {
    case "sessions_list": [("limit", .integer(1))]
    case "browser": [("action", .string("status"))]
    default: []
    }
  }

  private func took(_ result: Result<JSONValue, ToolFailure>, of name: String) {
    guard !isOver else { return }
    switch result {
    case .success, .failure(.unreadable): note(name, "on")
    case .failure(.noTool): note(name, "off")
    case .failure(.refused(let status, let words)):
      // Asked without its arguments: the refusal is about them.
      let isExpected = name != "browser" && name != "agents_list" && name != "sessions_list"
      // 403: a rule of the gateway stopped this call.
      note(name, isExpected && status != 403 ? "on" : "failing", words)
    case .failure(let failure):
      // Of the gateway, not of one tool.
      isOver = true
      return done(.failure(failure))
    }
    guard found.count == GatewayToolCall.probed.count else { return }
    isOver = true
    done(
      .success(
        .body([("tools", .array(GatewayToolCall.probed.compactMap { found[$0] }))])))
  }

  private func note(_ name: String, _ state: String, _ words: String = "") {
    found[name] = .body([
      ("name", .string(name)), ("state", .string(state)),
      ("words", words.isEmpty || state == "on" ? nil : .string(words)),
    ])
  }
}

extension GatewayToolCall {
  /// What the tool is given.
  var arguments: [(key: String, value: JSONValue?)] {
    switch tool {
    case .agents: []
    case .sessions: [("limit", .integer(100))]
    case .status(let session): [("sessionKey", session.map { .string($0) })]
    case .history(let session): [("sessionKey", .string(session)), ("limit", .integer(50))]
    case .browserStatus: [("action", .string("status"))]
    case .browserTabs: [("action", .string("tabs"))]
    case .browserScreenshot: [("action", .string("screenshot"))]
    }
  }
}
