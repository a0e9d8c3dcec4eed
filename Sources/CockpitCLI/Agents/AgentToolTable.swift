/// The questions that a program may ask: those of docs/answers.md, and the rows that answers rest on.
enum AgentToolTable {
  /// - Parameters:
  ///   - asksBot: whether a bot is among what is asked.
  ///   - asksGateway: whether a gateway, whose agents wait for answers, is.
  ///   - allowsChanges: whether there are tools that change something.
  static func tools(
    asksBot: Bool, asksGateway: Bool, allowsChanges: Bool = false
  ) -> [AgentTool] {
    var tools = [status] + (asksGateway ? [approvals] : []) + answers + (asksBot ? bot : gateway)
    if allowsChanges {
      tools += (asksBot ? changesOfBot : []) + (asksGateway ? changesOfGateway : [])
    }
    return tools
  }

  /// What a recording of either kind answers.
  private static var answers: [AgentTool] { [why, digest, incidents] }
  private static var bot: [AgentTool] {
    [
      compare, changes, cost, errors, rows, historySearch, sessions, session, voiceState, facts,
      factsSearch, explain,
    ]
  }
  private static var gateway: [AgentTool] { [historySearch, explain] }

  private static let status = AgentTool(
    name: "status", title: "How the bot is",
    description:
      "Is it broken, and what to do: state, what is wrong since when and the next step, actions and errors of the last hour, cost today, voice session.",
    parameters: [], verb: ["status"], arguments: { _ in ["--timeout=10"] })

  private static let why = AgentTool(
    name: "why", title: "Why it said that, or was silent",
    description:
      "Why the bot said that, or why it was silent: one sentence, the steps down to where it stopped, cost, what was slow, the facts in front of the model, each with the rows it rests on.",
    parameters: [
      .init(
        name: "subject", kind: .text(400),
        help:
          "The id of a row, message or voice session; 'last'; 'silent' for the newest silence; a name; a time such as 14:31; or words that were said.",
        isRequired: true), since("Look back so far."),
    ],
    verb: ["why"], arguments: { $0.option("since") + ["--", $0["subject"] ?? "last"] })

  private static let digest = AgentTool(
    name: "digest", title: "What happened since",
    description:
      "What the bot did since a time: answers, silences by reason, what was meant to be answered and was not, errors and troubles, voice sessions, cost beside the usual, automations, facts learned and lost.",
    parameters: [
      .init(
        name: "since", kind: .text(40),
        help:
          "22:00, 10h, 2026-05-09T22:00; 31 days at most. Without it since the owner's last look."
      )
    ],
    verb: ["digest"], arguments: { $0.option("since") })

  private static let incidents = AgentTool(
    name: "incidents", title: "What went wrong, by rule",
    description:
      "Anomalies that rules over the order of events find: answers never heard, people ignored, replies that never came. Each with its rows, what is missing, and what to try.",
    parameters: [
      since("The last so much; 24h without it."),
      .init(
        name: "level", kind: .choice(["info", "warning", "critical"]), help: "At least so severe."),
      .init(name: "rule", kind: .text(60), help: "Of one rule, by its name."),
      .init(name: "id", kind: .text(40), help: "One incident with all of its evidence."),
    ],
    verb: ["incidents"],
    arguments: {
      $0.option("since") + $0.option("level") + $0.option("rule")
        + ($0["id"].map { ["--", $0] } ?? [])
    })

  private static let compare = AgentTool(
    name: "compare", title: "Better or worse",
    description:
      "Two windows side by side: latency, skips, errors, cost per answer, tokens, with intervals; exit_code 1 means that something is worse.",
    parameters: [
      .init(
        name: "a", kind: .window,
        help: "The window before, such as 24h, 22:00..06:00, or a session's id."),
      .init(name: "b", kind: .window, help: "The window after."),
      since("How far windows without a time reach back."),
    ],
    verb: ["compare"],
    arguments: { $0.option("since") + [$0["a"], $0["b"]].compactMap { $0 } })

  private static let changes = AgentTool(
    name: "changes", title: "What changed, and what changed with it",
    description:
      "Since when latency, skips or errors are different, and which changes of prompt, model or settings happened at the same time.",
    parameters: [since("Of the last so much; 24h without it.")], verb: ["changes"],
    arguments: { $0.option("since") })

  private static let cost = AgentTool(
    name: "cost", title: "What it cost",
    description:
      "Cost of a time by model, kind, user or hour, in US dollars. What one answer cost is in 'why'.",
    parameters: [
      since("Of the last so much; 24h without it."),
      .init(
        name: "by", kind: .choice(["kind", "model", "user", "channel", "hour", "day"]),
        help: "What is summed up; kind without it."),
    ],
    verb: ["actions"],
    arguments: {
      ["--since=\($0["since"] ?? "24h")", "--filter=cost>0 | sum cost by \($0["by"] ?? "kind")"]
    })

  private static let errors = AgentTool(
    name: "errors", title: "Errors",
    description: "Rows that say that something failed, oldest first.",
    parameters: [since("Of the last so much; 24h without it."), limit(50, 500)],
    verb: ["actions"],
    arguments: {
      ["--since=\($0["since"] ?? "24h")", "--filter=is:error", "-n=\($0["limit"] ?? "50")"]
    })

  private static let rows = AgentTool(
    name: "rows", title: "Rows of the log",
    description:
      "Rows of the bot's log that match, oldest first; with stages a table, such as 'kind:llm_call since:6h | p95 ms by model'. Terms: kind:, is:error, user:, channel:, cost>0.01, ms>2000, since:, words.",
    parameters: [
      .init(name: "filter", kind: .text(1000), help: "The query; all rows without it."),
      .init(name: "kinds", kind: .text(300), help: "Exact kinds, with commas between."),
      since("Of the last so much; the newest 1,000 rows without it."), limit(50, 500),
    ],
    verb: ["actions"],
    arguments: {
      let isTable = $0["filter"]?.contains("|") ?? false
      return $0.option("since") + $0.option("kinds") + $0.option("filter")
        + (isTable && $0["limit"] == nil ? [] : ["-n=\($0["limit"] ?? "50")"])
    })

  private static let historySearch = AgentTool(
    name: "history_search", title: "Rows that were recorded",
    description:
      "Rows in what was recorded on this machine, newest first, by words or a filter; reaches further back than the bot.",
    parameters: [
      .init(
        name: "query", kind: .text(1000), help: "Words, or a filter as for rows.", isRequired: true),
      limit(50, 500),
    ],
    verb: ["history", "search"],
    arguments: { ["-n=\($0["limit"] ?? "50")", "--", $0["query"] ?? ""] }, hasPast: false)

  private static let sessions = AgentTool(
    name: "sessions", title: "Voice sessions",
    description: "Voice sessions, newest first: live ones, then past ones, with length and end.",
    parameters: [since("That ended in the last so much."), limit(20, 200)], verb: ["sessions"],
    arguments: { $0.option("since") + ["-n=\($0["limit"] ?? "20")"] })

  private static let session = AgentTool(
    name: "session", title: "One voice session",
    description: "The events of one voice session: what was said, what came of it, what failed.",
    parameters: [
      .init(
        name: "id", kind: .text(200), help: "session_id of an entry of sessions.", isRequired: true)
    ],
    verb: ["session"], arguments: { ["--", $0["id"] ?? ""] })

  private static let voiceState = AgentTool(
    name: "voice_state", title: "Voice now",
    description:
      "The live voice session: who is there, what is being said, pending turns, latencies, locks.",
    parameters: [], verb: ["snapshot"], arguments: { _ in ["--view=voice"] }, takesOne: false,
    isOfNow: true)

  private static let facts = AgentTool(
    name: "facts", title: "What it remembers",
    description: "Facts in the bot's memory, about a person or all: text, type, confidence, age.",
    parameters: [
      .init(
        name: "subject", kind: .text(100), help: "Only about this id, name, or self, lore, owner."),
      .init(
        name: "filter", kind: .text(400),
        help: "Only facts that match, such as 'type:preference conf>0.8 age<7d rust'."),
      limit(50, 500),
    ],
    verb: ["facts", "list"],
    arguments: {
      $0.option("subject") + $0.option("filter") + ["--limit=\($0["limit"] ?? "50")"]
    }, listsFacts: true, isOfNow: true)

  private static let factsSearch = AgentTool(
    name: "facts_search", title: "Facts by meaning",
    description: "Facts that the bot itself would find for these words, best first, with scores.",
    parameters: [
      .init(name: "text", kind: .text(400), help: "What to look for.", isRequired: true),
      limit(10, 24),
    ],
    verb: ["facts", "search"],
    arguments: { ["--limit=\($0["limit"] ?? "10")", "--", $0["text"] ?? ""] }, hasPast: false,
    listsFacts: true, isOfNow: true)

  private static let explain = AgentTool(
    name: "explain", title: "What a name means",
    description: "What a kind, reason, field or state of the log means, and what to do.",
    parameters: [
      .init(
        name: "name", kind: .text(80), help: "Such as reply_skipped, queue_full.",
        isRequired: true)
    ],
    verb: ["explain"], arguments: { ["--", $0["name"] ?? ""] }, hasPast: false, isOwnWords: true)

  private static let approvals = AgentTool(
    name: "approvals", title: "What waits for an answer",
    description: "What the gateway's agents wait for: commands and questions with their time left.",
    parameters: [], verb: ["approvals", "list"], arguments: { _ in [] }, takesOne: false,
    hasPast: false, isOfNow: true)

  private static func since(_ help: String) -> AgentTool.Parameter {
    .init(name: "since", kind: .text(20), help: help + " A duration: 15m, 2h, 1d.")
  }

  private static func limit(_ standard: Int, _ most: Int) -> AgentTool.Parameter {
    .init(name: "limit", kind: .number(1...most), help: "At most so many; \(standard) without it.")
  }
}
