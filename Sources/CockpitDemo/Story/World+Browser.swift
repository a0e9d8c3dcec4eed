/// The browser agent at work.
extension World {
  /// A browser run: model steps, tool steps, results, and the summary row (contract 4.5).
  func browserRun(fails: Bool) {
    let place = Place(Cast.ridge, "bot-corner")
    let user = Cast.nadia
    let key = "reply:browser:\(place.guild ?? ""):\(place.channel ?? ""):\(now)"
    let task = fails ? "check whether the hut booking page is up" : "find the hut's opening hours"
    let steps: [(tool: String, input: DemoJSON, result: String, thought: String)] = [
      (
        "browser_open", ["url": "https://huts.example.org"],
        "- heading \"North Hut\" [ref=e1]\n- link \"Season\" [ref=e4]", "Opening the page first."
      ),
      (
        "browser_click", ["ref": "e4"], "- text \"Open 28 May to 4 October\" [ref=e9]",
        "The season page should have it."
      ),
    ]
    log(
      "browser_agent", content: "browser_persistent_profile",
      metadata: ["profile": "~/.clanky/browser-profile", "sessionKey": .string(key)])
    var delay = 0
    for (index, step) in steps.enumerated() {
      delay += pace(1400)
      after(delay) { world in
        world.browserStep(place, user, key, step: index + 1, step)
      }
    }
    delay += pace(1600)
    let cost = 0.0192
    after(delay) { world in
      world.finishBrowser(
        place, user, key, task: task, fails: fails, cost: cost, steps: steps.count)
    }
  }

  private func browserStep(
    _ place: Place, _ user: Person, _ key: String, step: Int,
    _ detail: (tool: String, input: DemoJSON, result: String, thought: String)
  ) {
    let usage = usage(system: 1100, user: 1800, reply: 80)
    log(
      "llm_tool_call", in: place, user: user.id, content: .string(Model.sonnet.label),
      metadata: [
        "provider": "anthropic", "model": "claude-sonnet-4-6", "usage": usage.json,
        "source": "reply_browser_browse", "stopReason": "tool_use",
        "responseShape": "raw=array[2] items=text:1,tool_use:1 tools=1",
        "rawContentSummary": ["shape": "array", "length": 2, "functionCallCount": 1],
        "responseDiagnostics": nil, "systemPrompt": .string(prose.browserSystem),
        "messageCount": .int(step * 2 - 1), "lastUserContent": "[tool_result] page loaded",
        "transcript": .string(detail.thought),
        "toolCalls": [["name": .string(detail.tool), "input": detail.input]],
      ], cost: usage.cost(.sonnet))
    log(
      "browser_agent_reasoning", in: place, user: user.id, content: .string(detail.thought),
      metadata: [
        "step": .int(step), "sessionKey": .string(key),
        "fullLength": .int(detail.thought.utf16.count),
      ])
    log(
      "browser_tool_step", in: place, user: user.id, content: .string(detail.tool),
      metadata: [
        "step": .int(step), "tool": .string(detail.tool), "sessionKey": .string(key),
        "input": detail.input,
      ])
    after(pace(500)) { world in
      world.log(
        "browser_tool_result", in: place, user: user.id, content: .string(detail.result),
        metadata: [
          "step": .int(step), "tool": .string(detail.tool), "sessionKey": .string(key),
          "isError": false, "fullLength": .int(detail.result.utf16.count), "imageCount": 0,
        ])
    }
  }

  private func finishBrowser(
    _ place: Place, _ user: Person, _ key: String, task: String, fails: Bool, cost: Double,
    steps: Int
  ) {
    let duration = pace(4800)
    if fails {
      log(
        "browser_browse_failed", in: place, user: user.id, content: .string(task),
        metadata: [
          "sessionKey": .string(key), "runtime": "local_browser_agent", "provider": "anthropic",
          "model": "claude-sonnet-4-6", "currentUrl": "https://huts.example.org/booking",
          "steps": .int(steps), "totalCostUsd": .double(cost), "source": "reply_browser_browse",
          "durationMs": .int(duration), "errorName": "TimeoutError",
          "errorMessage": "page.goto: Timeout 30000ms exceeded.", "errorCode": nil,
        ])
      return
    }
    let answer = "The hut is open from 28 May to 4 October; dinner is at 18:30."
    log(
      "browser_agent_final", in: place, user: user.id, content: .string(answer),
      metadata: [
        "step": .int(steps + 1), "sessionKey": .string(key),
        "fullLength": .int(answer.utf16.count),
      ])
    log(
      "browser_browse_call", in: place, user: user.id, content: .string(task),
      metadata: [
        "sessionKey": .string(key), "runtime": "local_browser_agent", "provider": "anthropic",
        "model": "claude-sonnet-4-6", "currentUrl": "https://huts.example.org/season",
        "steps": .int(steps), "hitStepLimit": false, "imageInputCount": 0,
        "totalCostUsd": .double(cost), "source": "reply_browser_browse",
        "durationMs": .int(duration),
      ], cost: cost)
    let session = "browser:\(place.guild ?? ""):\(now):1"
    log(
      "sub_agent_session_lifecycle", user: user.id, content: "turn_started",
      metadata: [
        "sessionId": .string(session), "sessionType": "browser", "status": "running",
        "inputLength": 48,
      ])
    log(
      "browser_agent_session_turn", in: place, user: user.id,
      content: "keep the season page open",
      metadata: [
        "sessionId": .string(session), "steps": 2, "turnCostUsd": 0.0041, "imageInputCount": 0,
        "source": "reply_tool_browser_session", "durationMs": .int(pace(1468)),
      ], cost: 0.0041)
  }
}
