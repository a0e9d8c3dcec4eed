extension GatewayWorld {
  /// A call of a tool: its start, an approval where it needs one, its output, its end.
  func plan(_ tool: RunTool, _ run: GatewayRun) {
    run.toolCount += 1
    let call = "call-\(run.id)-\(run.toolCount)"
    run.add(25) { world, run in
      world.agent(
        run, "tool",
        [
          "phase": "start", "name": .string(tool.name), "toolCallId": .string(call),
          "args": tool.args,
        ])
      world.tellItems(run, tool, call, startedMs: world.now, end: nil)
      world.startTool(run, tool, call)
    }
  }

  private func startTool(_ run: GatewayRun, _ tool: RunTool, _ call: String) {
    let started = now
    writeDown(run, status: "started", tool: (call, tool.name))
    func end(_ world: GatewayWorld, _ run: GatewayRun, _ tool: RunTool) {
      world.paced(tool.ms) { [weak run] world in
        guard let run, run.isLive else { return }
        world.endTool(run, tool, call, startedMs: started)
        run.isWaiting = false
        world.proceed(run)
      }
    }
    run.isWaiting = true
    guard tool.asks else {
      if tool.isCommand { tellOutput(run, tool, call, half: true) }
      return end(self, run, tool)
    }
    let command = tool.args["command"]?.stringValue ?? ""
    let binding: GatewayApproval.Binding =
      run.starterDevice.map { .device($0) } ?? .elsewhere
    let approval = ask(
      command: command, agent: run.agentID, session: run.sessionKey, binding: binding,
      run: run.id, call: call
    ) { [weak run] world, isAllowed in
      guard let run, run.isLive else { return }
      var tool = tool
      if !isAllowed {
        tool.output = "Exec denied (user)"
        tool.isError = true
        tool.ms = 5
      }
      end(world, run, tool)
    }
    agent(
      run, "approval",
      [
        "phase": "requested", "kind": "exec", "status": "pending",
        "title": "Command approval requested", "itemId": .string("command:\(call)"),
        "toolCallId": .string(call), "approvalId": .string(approval.id),
        "approvalSlug": .string(approval.id), "command": .string(command), "host": "gateway",
        "message": "",
      ])
  }

  private func endTool(_ run: GatewayRun, _ tool: RunTool, _ call: String, startedMs: Int64) {
    var data: DemoJSON = [
      "phase": "result", "name": .string(tool.name), "toolCallId": .string(call),
      "meta": .string(tool.title), "isError": .bool(tool.isError),
    ]
    if isV4 {
      data = data.setting("commandBearing", .bool(tool.isCommand))
        .setting("result", ["content": [["type": "text", "text": .string(tool.output)]]])
    }
    agent(run, "tool", data)
    if tool.isCommand { tellOutput(run, tool, call, half: false, ms: Int(now - startedMs)) }
    tellItems(run, tool, call, startedMs: startedMs, end: now)
    writeDown(run, status: tool.isError ? "failed" : "succeeded", tool: (call, tool.name))
    run.usedTools.append([
      "call": .string(call), "name": .string(tool.name), "started": .int(Int(startedMs)),
      "ended": .int(Int(now)), "failed": .bool(tool.isError),
    ])
  }

  private func tellItems(
    _ run: GatewayRun, _ tool: RunTool, _ call: String, startedMs: Int64, end: Int64?
  ) {
    let kinds = tool.isCommand ? ["tool", "command"] : ["tool"]
    for kind in end == nil ? kinds : kinds.reversed() {
      var data: DemoJSON = [
        "itemId": .string("\(kind):\(call)"), "phase": end == nil ? "start" : "end",
        "kind": .string(kind), "title": .string(tool.title),
        "status": end == nil ? "running" : tool.isError ? "failed" : "completed",
        "name": .string(tool.name), "meta": .string(tool.title), "toolCallId": .string(call),
        "startedAt": .int(Int(startedMs)),
      ]
      if let end {
        data = data.setting("endedAt", .int(Int(end)))
        data = data.setting(tool.isError ? "error" : "summary", .string(tool.output))
      }
      agent(run, "item", data)
    }
  }

  private func tellOutput(
    _ run: GatewayRun, _ tool: RunTool, _ call: String, half: Bool, ms: Int = 0
  ) {
    var data: DemoJSON = [
      "itemId": .string("command:\(call)"), "phase": half ? "delta" : "end",
      "title": .string(tool.title), "toolCallId": .string(call), "name": .string(tool.name),
      "output": half ? "…" : .string(tool.output),
      "status": half ? "running" : tool.isError ? "failed" : "completed",
    ]
    if !half {
      data = data.setting("exitCode", tool.isError ? 1 : 0).setting("durationMs", .int(ms))
    }
    data = data.setting("cwd", .string("\(Cast.Gateway.home)/agents/\(run.agentID)"))
    agent(run, "command_output", data)
  }

  /// The run asks its operator and waits.
  func planQuestion(_ run: GatewayRun) {
    run.add(60) { world, run in
      let questions: DemoJSON = [
        [
          "questionId": "room", "header": "Room", "question": "Which room gets the new shelf?",
          "options": [
            ["label": "Study", "description": "beside the window"], ["label": "Hall"],
          ], "isOther": true,
        ],
        [
          "questionId": "days", "header": "Days", "question": "When may the joiner come?",
          "options": [["label": "Tue"], ["label": "Thu"], ["label": "Fri"]], "multiSelect": true,
          "isOther": false,
        ],
      ]
      let asked = world.ask(
        questions, agent: run.agentID, session: run.sessionKey, run: run.id
      ) { [weak run] world, _ in
        guard let run else { return }
        run.isWaiting = false
        world.proceed(run)
      }
      run.isWaiting = asked != nil
    }
  }

  /// The run starts another one, which speaks up in this session when it is done.
  func planChild(_ run: GatewayRun, task: String, agent: String) {
    let call = "call-\(run.id)-spawn"
    run.add(25) { world, run in
      let childKey = "agent:\(agent):subagent:\(world.storyRandom.uuid())"
      let childID = "sub-\(world.storyRandom.token(8))"
      let title = "spawn \(agent)"
      let args: DemoJSON = ["task": .string(task), "agentId": .string(agent)]
      let tool = RunTool(
        name: "sessions_spawn", title: title, args: args,
        output: "{\"status\":\"accepted\",\"childSessionKey\":\"\(childKey)\"}", ms: 300)
      world.agent(
        run, "tool",
        [
          "phase": "start", "name": .string(tool.name), "toolCallId": .string(call), "args": args,
        ])
      world.writeDown(run, status: "started", tool: (call, tool.name))
      world.tellItems(run, tool, call, startedMs: world.now, end: nil)
      world.endTool(run, tool, call, startedMs: world.now)
      world.startChild(of: run, task: task, key: childKey, id: childID)
    }
  }

  private func startChild(of parent: GatewayRun, task: String, key: String, id: String) {
    let session = session(key, title: task)
    session.spawnedBy = parent.sessionKey
    self.session(parent.sessionKey).children.append(key)
    tellTask(id, parent, session, status: "running", summary: task)
    let sum = storyRandom.int(400...1900)
    let words = RunScript.split("The household spent \(sum) euros in May.")
    let parentKey = parent.sessionKey
    start([.words(words)], id: id, session: session, spawnedBy: parentKey) { world, child in
      world.tellTask(id, parent, session, status: "completed", summary: child.text)
      world.start(
        [.words(RunScript.split("Tally is done: \(child.text)"))], id: "announce:\(id)",
        session: world.session(parentKey))
    }
  }

  private func tellTask(
    _ id: String, _ parent: GatewayRun, _ session: GatewaySession, status: String, summary: String
  ) {
    guard isV4 else { return }
    var task: DemoJSON = [
      "id": .string("task-\(id)"), "taskId": .string("task-\(id)"), "kind": "subagent",
      "runtime": "subagent", "status": .string(status), "title": .string(session.title),
      "agentId": .string(session.agentID), "sessionKey": .string(parent.sessionKey),
      "childSessionKey": .string(session.key), "ownerKey": .string(parent.sessionKey),
      "runId": .string(id), "createdAt": .int(Int(session.createdMs)),
      "startedAt": .int(Int(session.createdMs)),
    ]
    if status == "running" {
      task = task.setting("progressSummary", .string(summary))
    } else {
      task = task.setting("terminalSummary", .string(summary)).setting("endedAt", .int(Int(now)))
    }
    tasks.removeAll { $0["id"]?.stringValue == "task-\(id)" }
    tasks.append(task)
    tell("task", ["action": "upserted", "task": task])
  }
}
