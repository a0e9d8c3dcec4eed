import LenientJSON
import ClankyWire
import CockpitStores
import TerminalCore

extension SummaryBuilder {
  /// Text replies, skips and reactions.
  package mutating func text() {
    switch action.kind {
    case "sent_reply", "sent_message":
      add(channel, .textDomain)
      // The answer needs room too.
      let hasTrigger = tellsTrigger && trigger(limit: 40)
      if hasTrigger {
        add("answer", .muted)
      } else {
        count((action.content ?? "").isEmpty ? nil : Double((action.content ?? "").count), "chars")
      }
      quote(action.content)
      for (key, name) in [("webSearch", "search"), ("image", "image"), ("gif", "gif")]
      where metadata[key]?["used"]?.bool == true {
        add(name, .tool)
      }
      durationMs = metadata[path: "performance", "totalMs"]?.double
    case "reply_skipped":
      outcome = .skipped
      add(channel, .textDomain)
      add(action.content, .warning)
      trigger()
      if let confidence = metadata[path: "addressing", "confidence"]?.double {
        add("addressed " + Figures.unit(confidence), .muted)
      }
      durationMs = metadata[path: "performance", "totalMs"]?.double
    case "reacted":
      add(channel, .textDomain)
      add(action.content)
      pair("reason", "reason")
    case "text_runtime":
      add(channel, .textDomain)
      if let allow = bool("allow") {
        outcome = allow ? .ok : .skipped
        add(allow ? "allow" : "deny", allow ? .positive : .warning)
      }
      add(string("reason"), .muted)
      // Whose message it was: of one that is refused nothing else is on record.
      if bool("allow") == false { add(action.userID.map(names.user), .textDomain) }
      pair("attention", "attentionMode")
      if let tools = metadata["includedTools"]?.array {
        add(PlainText("\(tools.count) tools"), .tool)
      }
      pair("queue", "queueDepth")
      add(string("displayName"), .voice)
    default: other()
    }
  }

  /// Who wrote the message that set it off, and what: as the prompt for the reply spells it.
  ///
  /// - Returns: whether the row tells it.
  @discardableResult
  private mutating func trigger(limit: Int = .max) -> Bool {
    guard let prompt = metadata[path: "replyPrompts", "initialUserPrompt"]?.string,
      let message = TriggerWords(prompt: prompt)
    else { return false }
    add(message.author + ":", .textDomain)
    quote(
      message.words.count > limit ? message.words.prefix(limit - 1) + "…" : message.words)
    return true
  }

  /// Facts, embeddings, reflections.
  package mutating func memory() {
    switch action.kind {
    case "memory_fact":
      let sign =
        switch string("reason") {
        case "added_new": "+ "
        case "updated_existing", "merged_superseded": "~ "
        default: ""
        }
      let subject = string("subject").map(names.subject) ?? "?"
      add(sign + subject + (string("factType").map { "/\($0)" } ?? ""), .memory)
      add(Figures.unit(number("confidence")), .muted)
      quote(string("fact") ?? action.content)
    case "memory_embedding_call":
      add(string("model") ?? action.content, .heading)
      count(number("inputChars"), "chars")
      pair("for", "traceSource")
    case "memory_embedding_error", "memory_reflection_error":
      failure()
      addOnce(string("model"), .muted)
    case "memory_reflection_complete":
      add(string("dateKey"), .muted)
      count(number("factsSaved"), "saved", .positive)
      count(number("factsSkipped"), "skipped")
      add(string("model"), .muted)
    case "memory_runtime":
      if isFailure { failure() } else { add(detail) }
      count(number("totalChars") ?? number("summaryChars"), "chars")
      add(string("source"), .muted)
      addCause(string("error"))
    default: other()
    }
  }

  /// Browser, media, search and code: input and outcome.
  package mutating func work() {
    switch action.kind {
    case "browser_tool_step":
      add(
        "\(string("tool") ?? action.content ?? "?")(\((metadata["input"] ?? .null).arguments))",
        .tool)
      pair("step", "step")
    case "browser_tool_result":
      add(string("tool"), .tool)
      result(isSuccess)
      add(action.content, .muted)
    case "browser_browse_call", "browser_browse_failed", "browser_agent_session_turn":
      if isFailure {
        result(false)
        failure()
      } else {
        add(action.content)
      }
      count(number("steps"), "steps")
      add(string("model"), .muted)
      addCause(string("errorMessage"))
    case "search_call":
      quote(string("query") ?? action.content)
      count(number("returnedResults"), "results", .tool)
      add(string("providerUsed"), .muted)
    case "image_call", "video_call":
      add(string("model") ?? action.content, .heading)
      pair("size", "size")
      pair("for", "source")
    case "gif_call":
      quote(string("query") ?? action.content)
      count(number("returnedResults"), "results", .tool)
    case "video_context_call":
      add(string("title") ?? action.content)
      pair("by", "channel")
      count(number("transcriptChars"), "chars")
    case "discovery_feed_snapshot":
      for source in (metadata["sourceCounts"]?.array ?? []).prefix(6) {
        add("\(source["sourceLabel"]?.string ?? "?") \(source["count"]?.int ?? 0)", .discovery)
      }
    case "code_agent_call":
      add(string("role"), .heading)
      add(action.content)
      add(string("model") ?? string("launchMode"), .muted)
    case "swarm_task_progress":
      add(string("summary"))
      pair("task", "taskId")
    case "swarm_task_result":
      add(string("status"), string("status") == "error" ? .negative : .positive)
      pair("task", "taskId")
      count(number("resultLength"), "chars")
    case "swarm_worker_exit":
      if let code = metadata["exitCode"]?.int {
        result(code == 0, failed: PlainText("exit \(code)"))
      }
      pair("signal", "exitSignal")
      add(string("harness"), .muted)
      add(string("tail"), .muted)
    default: other()
    }
  }

  /// Automations, initiative, the program itself, games, and their failures.
  package mutating func system() {
    switch action.kind {
    case "automation_post", "initiative_post", "minecraft_narration_post":
      add(channel, .textDomain)
      quote(action.content)
    case "automation_run":
      add(action.content)
      if let status = string("runStatus") {
        result(status == "ok", ok: "ok", failed: PlainText(status))
      }
    case "initiative_skip", "minecraft_narration_skip":
      outcome = .skipped
      add(action.content, .warning)
      quote(string("thoughtText"), .muted)
    case "bot_error":
      failure()
      if let attempt = metadata["attempt"]?.int { add(PlainText("attempt \(attempt)"), .muted) }
      if let retry = number("nextRetryMs") {
        add("retry in " + Figures.duration(ms: retry), .muted)
      }
    default: other()
    }
  }
}
