/// Code workers and the game, both May only.
extension World {
  func swarm() {
    let scope = "/srv/clanky/work/inventory"
    let task = "task_" + random.token(4)
    let worker = "worker_" + random.token(4)
    let base: DemoJSON = ["scope": .string(scope), "taskId": .string(task)]
    func add(
      _ at: Int, _ kind: String, content: String? = nil, _ metadata: DemoJSON
    ) {
      after(pace(at)) { world in
        world.log(
          kind, in: Tour.bench, user: Cast.kofi.id, content: content.map { .string($0) },
          metadata: metadata)
      }
    }
    let ask = base.merging([
      "sender": "planner", "role": "implementation", "reason": "needs a test writer",
    ])
    add(
      0, "swarm_server_status", content: "swarm_server_running",
      ["available": true, "socketPath": "/srv/clanky/run/swarm.sock"])
    add(300, "swarm_spawn_request_received", ask.merging(["priority": 2]))
    add(900, "swarm_spawn_request_accepted", ask.merging(["workerId": .string(worker)]))
    add(
      1500, "swarm_server_spawn_fallback",
      [
        "harness": "claude-code", "socketPath": "/srv/clanky/run/swarm.sock",
        "reason": "pty busy", "source": "spawn_request",
      ])
    add(
      2200, "swarm_worker_log_attached",
      [
        "instanceId": .string(worker), "taskId": .string(task), "harness": "claude-code",
        "path": "/srv/clanky/logs/\(worker).log", "source": "spawn_request",
      ])
    let work = base.merging(["workerId": .string(worker)])
    for (index, summary) in ["reading the exporter", "tests written, 2 failing", "all green"]
      .enumerated()
    {
      add(
        4000 + index * 3000, "swarm_task_progress",
        work.merging([
          "summary": .string(summary), "annotationId": .string("note_\(index)"),
          "source": "worker",
        ]))
    }
    add(
      13_000, "swarm_task_result",
      work.merging([
        "status": "done", "source": "worker", "triggerMessageId": .string(snowflake()),
        "resultLength": 812, "hasHandoff": true,
      ]))
    add(
      13_600, "swarm_worker_exit",
      [
        "instanceId": .string(worker), "ptyId": "pty_7", "harness": "claude-code",
        "launchMode": "pty", "exitCode": 0, "exitSignal": nil, "cancelled": false,
        "cancelReason": nil, "tail": "\u{1B}[32m✓\u{1B}[0m 14 tests passed\r\n",
        "logPath": .string("/srv/clanky/logs/\(worker).log"), "source": "worker",
      ])
    swarmTrouble(base, ask)
  }

  private func swarmTrouble(_ base: DemoJSON, _ ask: DemoJSON) {
    let sender: DemoJSON = ["sender": "planner"]
    let rare: [(String, DemoJSON?, DemoJSON)] = [
      ("swarm_spawn_request_declined", "worker limit reached", ask.removing(["reason"])),
      (
        "swarm_spawn_request_noop", nil,
        base.merging(sender).merging(["taskStatus": "done", "assignee": "worker_02c9"])
      ),
      (
        "swarm_spawn_request_response_error", nil,
        base.merging(sender).merging(["error": "inbox gone"])
      ),
      (
        "swarm_spawn_request_rate_limited", "spawn_request_rate_limited",
        base.merging(sender).merging(["limitPerMinute": 6])
      ),
      ("swarm_activity_bridge_error", "poll_failure", base.merging(["error": "SQLITE_BUSY"])),
      ("swarm_task_cancel_error", nil, base.merging(["error": "already finished"])),
      ("swarm_task_delivery_error", nil, base.removing(["scope"]).merging(["error": "no channel"])),
      (
        "swarm_server_spawn_failed", nil,
        [
          "harness": "codex", "socketPath": "/srv/clanky/run/swarm.sock",
          "reason": "ENOENT codex", "source": "spawn_request",
        ]
      ),
      (
        "swarm_worker_adoption_timeout", nil,
        [
          "instanceId": "worker_9f1c", "ptyId": "pty_9", "harness": "claude-code",
          "launchMode": "pty", "timeoutMs": 30000, "tail": "\u{1B}[2Jwaiting for login…\r",
          "source": "spawn_request",
        ]
      ),
      (
        "sub_agent_session_lifecycle", "turn_completed",
        [
          "sessionId": "code:worker:02c9", "sessionType": "code", "status": "idle",
          "durationMs": 14_200, "turnCount": 1,
        ]
      ),
    ]
    for (index, row) in rare.enumerated() {
      after(pace(15_000 + index * 2500)) { world in
        world.log(
          row.0, in: Tour.bench, user: Cast.kofi.id, content: row.1, metadata: row.2)
      }
    }
  }

  func minecraft() {
    let key = "minecraft:\(Cast.arcade.id)"
    let events: DemoJSON = [
      ["type": "death", "summary": "Yusuf_Ö tried to swim in lava"],
      ["type": "advancement", "summary": "kofi.b found a diamond"],
    ]
    let text = "[death] Yusuf_Ö tried to swim in lava; [advancement] kofi.b found a diamond"
    let head: DemoJSON = ["scopeKey": .string(key), "source": "minecraft_event_bridge"]
    let llm: DemoJSON = [
      "provider": "anthropic", "model": "claude-haiku-4-5", "costUsd": 0.0007,
    ]
    let rows: [(String, DemoJSON?, DemoJSON?)] = [
      (
        "minecraft_mcp_process", "spawning",
        [
          "baseUrl": "http://127.0.0.1:3847", "entryPoint": "/srv/clanky/mcp/server.js",
          "port": 3847,
        ]
      ),
      (
        "minecraft_mcp_process_output", "\u{1B}[33m[mcp]\u{1B}[0m listening on 3847",
        ["stream": "stdout"]
      ),
      ("minecraft_mcp_process", "ready", ["baseUrl": "http://127.0.0.1:3847", "port": 3847]),
      (
        "minecraft_runtime_call", "minecraft_status",
        ["args": [:], "url": "http://127.0.0.1:3847/tools/minecraft_status"]
      ),
      ("minecraft_game_events", .string(text), ["events": events, "eventCount": 2]),
      (
        "minecraft_narration_candidate", .string(text),
        head.merging([
          "serverLabel": "bench-survival", "eventCount": 2, "categories": ["death", "advancement"],
          "events": events,
        ])
      ),
      (
        "minecraft_narration_post", "yusuf has invented a very warm bath. kofi has invented envy.",
        head.merging([
          "serverLabel": "bench-survival", "reason": "death plus diamond", "events": events,
          "llm": llm,
        ])
      ),
      (
        "minecraft_narration_filtered", "no_significant_events",
        head.merging(["eventCount": 1, "events": [["type": "chat", "summary": "brb"]]])
      ),
      (
        "minecraft_narration_blocked", "message_cooldown_active",
        head.merging(["minSecondsBetweenPosts": 90, "lastActionAt": .time(now)])
      ),
      (
        "minecraft_narration_skip", "nothing worth saying",
        head.merging(["parseOk": true, "reason": "quiet", "events": events, "llm": llm])
      ),
      ("minecraft_runtime_tool_error", "bot is not connected", ["toolName": "minecraft_chat"]),
      ("minecraft_mcp_init_error", "connect ECONNREFUSED 127.0.0.1:3847", nil),
    ]
    for (index, row) in rows.enumerated() {
      after(pace(index * 2200)) { world in
        world.log(
          row.0, in: Tour.mine, user: Cast.yusuf.id, content: row.1, metadata: row.2)
      }
    }
  }
}
