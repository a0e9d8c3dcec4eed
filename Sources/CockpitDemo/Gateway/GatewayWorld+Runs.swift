/// Receives the text of a run as it streams.
protocol RunListener: AnyObject {
  func said(_ words: String)
  func finished(_ run: GatewayRun, inputTokens: Int, outputTokens: Int)
  func failed(_ words: String)
  /// The gateway's process ends.
  func breakOff()
}

/// A run of an agent, from its start to its last word.
final class GatewayRun {
  let id: String
  let sessionKey: String
  let agentID: String
  /// The session that started it as a child.
  let spawnedBy: String?
  /// The device that sent the message; nil for a run that began elsewhere.
  let starterDevice: String?
  /// The connection that sent it: tool events go there (contract 9.2).
  let starterID: Int?
  let startedMs: Int64

  /// What is still to do, with the pause before it.
  var steps: [(ms: Int, run: (GatewayWorld, GatewayRun) -> Void)] = []
  var next = 0
  var isWaiting = false

  var chatSequence = 0
  var agentSequence = 0
  var text = ""
  /// What the chat stream has not told yet.
  var untold = ""
  var lastToldMs: Int64 = 0
  var thinking = ""
  var usedTools: [DemoJSON] = []
  var toolCount = 0

  /// `running`, `done`, `failed` or `killed`.
  var status = "running"
  var error: String?
  var endedMs: Int64?
  /// Who gets the answer over HTTP.
  var listener: (any RunListener)?

  init(
    id: String, sessionKey: String, agentID: String, spawnedBy: String? = nil,
    starterDevice: String? = nil, starterID: Int? = nil, startedMs: Int64
  ) {
    self.id = id
    self.sessionKey = sessionKey
    self.agentID = agentID
    self.spawnedBy = spawnedBy
    self.starterDevice = starterDevice
    self.starterID = starterID
    self.startedMs = startedMs
  }

  var isLive: Bool { status == "running" }

  var truth: DemoJSON {
    [
      "id": .string(id), "session": .string(sessionKey), "agent": .string(agentID),
      "spawned_by": .text(spawnedBy), "device": .text(starterDevice), "status": .string(status),
      "error": .text(error), "started": .int(Int(startedMs)),
      "ended": .number(endedMs.map { Int($0) }), "text": .string(text),
      "thinking": .string(thinking), "tools": .array(usedTools),
    ]
  }

  func add(_ ms: Int, _ run: @escaping (GatewayWorld, GatewayRun) -> Void) {
    steps.append((ms, run))
  }
}

extension GatewayWorld {
  /// How long the chat stream gathers words (contract 9.1).
  static let throttleMs: Int64 = 140

  func run(_ id: String) -> GatewayRun? { runs.first { $0.id == id } }

  /// Starts a run; what it does comes later.
  @discardableResult
  func start(
    _ steps: [RunStep], id: String, session: GatewaySession, by client: GatewayClient? = nil,
    spawnedBy: String? = nil, then: ((GatewayWorld, GatewayRun) -> Void)? = nil
  ) -> GatewayRun {
    let run = GatewayRun(
      id: id, sessionKey: session.key, agentID: session.agentID, spawnedBy: spawnedBy,
      starterDevice: client?.deviceID, starterID: client?.id, startedMs: now)
    runs.append(run)
    if runs.count > 5000 { runs.removeFirst(1000) }
    session.activeRuns.append(id)
    session.status = "running"
    session.startedMs = now
    session.endedMs = nil
    session.lastError = nil
    note("run started", ["run": .string(id), "session": .string(session.key)])
    log("agent", "run started \(id)")
    writeDown(run, status: "started")
    prepare(run)
    for step in steps { plan(step, run) }
    run.add(20) { world, run in world.finish(run, then) }
    proceed(run)
    return run
  }

  /// Plans the next step of a run, unless it waits or has ended.
  func proceed(_ run: GatewayRun) {
    guard run.isLive, !run.isWaiting, run.next < run.steps.count else { return }
    let step = run.steps[run.next]
    run.next += 1
    paced(step.ms) { [weak run] world in
      guard let run, run.isLive else { return }
      step.run(world, run)
      world.proceed(run)
    }
  }

  private func prepare(_ run: GatewayRun) {
    func phase(_ name: String, _ ms: Int) {
      guard isV4 else { return }
      run.add(ms) { world, run in
        world.chat(run, "status", ["phase": .string(name)])
        world.agent(run, "run_status", ["phase": .string(name)])
      }
    }
    phase("preparing_workspace", 4)
    phase("preparing_context", 60)
    run.add(80) { world, run in
      world.agent(run, "lifecycle", ["phase": "start", "startedAt": .int(Int(run.startedMs))])
      world.tellChanged(
        world.session(run.sessionKey), ["phase": "start", "runId": .string(run.id)])
    }
    phase("starting_model", 30)
  }

  private func plan(_ step: RunStep, _ run: GatewayRun) {
    switch step {
    case .think(let text):
      for word in RunScript.split(text) {
        run.add(40) { world, run in
          run.thinking += word
          world.agent(
            run, "thinking", ["text": .string(run.thinking), "delta": .string(word)])
        }
      }
    case .plan(let steps):
      run.add(15) { world, run in
        world.agent(
          run, "plan",
          [
            "phase": "update", "title": "Plan updated", "source": "openclaw", "explanation": "",
            "steps": .array(
              steps.map { ["step": .string($0.step), "status": .string($0.status)] }),
          ])
      }
    case .tool(let tool): plan(tool, run)
    case .ask: planQuestion(run)
    case .spawn(let task, let agent): planChild(run, task: task, agent: agent)
    case .words(let words):
      for (index, word) in words.enumerated() {
        run.add(index == 0 ? 220 : 70) { world, run in world.say(word, run) }
      }
    case .paced(let pieces, let ms):
      for piece in pieces { run.add(ms) { world, run in world.say(piece, run) } }
    case .fail(let words, let kind):
      run.add(60) { world, run in world.fail(run, words, kind: kind) }
    }
  }

  // MARK: Streams

  /// A `chat` event of a run (contract 9.1).
  func chat(_ run: GatewayRun, _ state: String, _ more: DemoJSON = [:]) {
    run.chatSequence += 1
    var payload: DemoJSON = ["runId": .string(run.id), "sessionKey": .string(run.sessionKey)]
    if isV4 { payload = payload.setting("agentId", .string(run.agentID)) }
    if let parent = run.spawnedBy { payload = payload.setting("spawnedBy", .string(parent)) }
    payload = payload.setting("seq", .int(run.chatSequence)).setting("state", .string(state))
    tell("chat", payload.merging(more))
  }

  /// An `agent` event of a run (contract 9.2). Tool events go to the client that started the run, and to session subscribers as `session.tool`.
  func agent(_ run: GatewayRun, _ stream: String, _ data: DemoJSON) {
    run.agentSequence += 1
    var payload: DemoJSON = [
      "runId": .string(run.id), "stream": .string(stream), "data": data,
      "sessionKey": .string(run.sessionKey),
    ]
    if isV4 {
      payload = payload.setting("agentId", .string(run.agentID)).setting("isHeartbeat", false)
    }
    if let parent = run.spawnedBy { payload = payload.setting("spawnedBy", .string(parent)) }
    payload = payload.setting("seq", .int(run.agentSequence)).setting("ts", .int(Int(now)))
    guard stream == "tool" else { return tell("agent", payload) }
    let starter = run.starterID
    tell("agent", payload) { $0.id == starter && $0.caps.contains("tool-events") }
    tell("session.tool", payload) {
      $0.id != starter && ($0.subscribesSessions || $0.followed[run.sessionKey] != nil)
    }
  }

  func message(_ run: GatewayRun) -> DemoJSON {
    [
      "role": "assistant", "content": [["type": "text", "text": .string(run.text)]],
      "timestamp": .int(Int(now)),
    ]
  }

  private func say(_ word: String, _ run: GatewayRun) {
    run.text += word
    run.untold += word
    run.listener?.said(word)
    agent(run, "assistant", ["text": .string(run.text), "delta": .string(word)])
    if faults.dropsInRun, run.text.utf8.count > 20 {
      faults.dropsInRun = false
      note("fault", ["fault": "dropInRun", "run": .string(run.id)])
      dropAll()
    }
    if now - run.lastToldMs >= Int64(Double(Self.throttleMs) / options.rate) { tellWords(run) }
  }

  /// Tells the gathered words to the chat stream.
  func tellWords(_ run: GatewayRun) {
    guard !run.untold.isEmpty else { return }
    run.lastToldMs = now
    var more: DemoJSON = [:]
    if isV4 { more = ["deltaText": .string(run.untold)] }
    run.untold = ""
    chat(run, "delta", more.setting("message", message(run)))
  }

  // MARK: Ends

  private func finish(_ run: GatewayRun, _ then: ((GatewayWorld, GatewayRun) -> Void)?) {
    tellWords(run)
    let session = session(run.sessionKey)
    let output = max(1, run.text.utf8.count / 4)
    if isV4 { agent(run, "usage", ["outputTokens": .int(output)]) }
    let input = 3200 + session.messages.count * 90
    session.input += input
    session.output += output
    let cost = Double(input) * 3e-6 + Double(output) * 15e-6
    session.cost += cost
    var parts: [DemoJSON] = []
    if !run.thinking.isEmpty {
      parts.append(["type": "thinking", "thinking": .string(run.thinking)])
    }
    parts.append(["type": "text", "text": .string(run.text)])
    add(
      "assistant", .array(parts), to: session,
      more: [
        "provider": .string(Cast.Gateway.provider), "model": .string(Cast.Gateway.model),
        "usage": [
          "input": .int(input), "output": .int(output), "totalTokens": .int(input + output),
          "cacheRead": 0, "cacheWrite": 0, "cost": ["total": .double(cost)],
        ], "stopReason": "stop",
      ])
    if isV4 {
      agent(
        run, "lifecycle",
        [
          "phase": "finishing", "stopReason": "stop", "aborted": false,
          "livenessState": "working", "replayInvalid": false,
        ])
    }
    end(run, "done")
    agent(run, "lifecycle", ["phase": "end", "endedAt": .int(Int(now))])
    var more: DemoJSON = ["message": message(run)]
    if isV4 { more = more.setting("stopReason", "stop") }
    chat(run, "final", more)
    run.listener?.finished(run, inputTokens: input, outputTokens: output)
    tellChanged(
      session, ["phase": "end", "runId": .string(run.id), "status": "done"])
    then?(self, run)
  }

  func fail(_ run: GatewayRun, _ words: String, kind: String) {
    run.error = words
    end(run, "failed")
    let session = session(run.sessionKey)
    session.lastError = words
    agent(
      run, "lifecycle",
      ["phase": "error", "error": .string(words), "endedAt": .int(Int(now))])
    var more: DemoJSON = ["errorMessage": .string(words)]
    if isV4 { more = more.setting("errorKind", .string(kind)) }
    chat(run, "error", more)
    run.listener?.failed(words)
    tellChanged(
      session,
      [
        "phase": "error", "runId": .string(run.id), "status": "failed",
        "lastRunError": .string(words),
      ])
  }

  /// Stops a live run: what it has said stays, what it waits for is cancelled.
  func abort(_ run: GatewayRun) {
    guard run.isLive else { return }
    end(run, "killed")
    for approval in approvals where approval.isPending {
      guard approval.request["runId"]?.stringValue == run.id else { continue }
      end(approval, status: "cancelled", decision: "deny", by: nil, reason: "run-aborted")
    }
    for question in questions where question.isPending && question.runID == run.id {
      end(question, status: "cancelled", answers: nil, by: nil)
    }
    let session = session(run.sessionKey)
    after(Self.afterAnswerMs) { world in
      world.tellWords(run)
      world.agent(
        run, "lifecycle", ["phase": "end", "endedAt": .int(Int(world.now)), "aborted": true])
      world.chat(run, "aborted", ["stopReason": "rpc", "message": world.message(run)])
      run.listener?.finished(run, inputTokens: 0, outputTokens: 0)
      world.tellChanged(
        session, ["phase": "end", "runId": .string(run.id), "status": "killed"])
    }
  }

  private func end(_ run: GatewayRun, _ status: String) {
    run.status = status
    run.endedMs = now
    let session = session(run.sessionKey)
    session.activeRuns.removeAll { $0 == run.id }
    session.status = session.activeRuns.isEmpty ? status : "running"
    session.endedMs = now
    note("run \(status)", ["run": .string(run.id)])
    writeDown(run, status: Self.activityStatus(of: status))
  }
}
