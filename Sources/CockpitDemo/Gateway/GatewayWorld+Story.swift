/// What happens at the gateway without being asked: the same for the same seed.
extension GatewayWorld {
  /// One round of the story; then it begins again.
  private static let roundMs = 120_000

  func begin() {
    tick()
    if options.scenario != .empty { seedPast() }
    faults.isHostile = options.scenario == .hostile
    if let seconds = options.restartAfterSeconds {
      after(Int(seconds * 1000)) { $0.restart() }
    }
    switch options.scenario {
    case .empty, .quiet: break
    case .story, .hostile: tell(round: 0)
    case .faults:
      tell(round: 0)
      for (index, fault) in GatewayFault.tour.enumerated() {
        paced(20_000 * (index + 1)) { $0.apply(fault) }
      }
    }
  }

  private func seedPast() {
    let hour: Int64 = 3_600_000
    for (index, agent) in Cast.Gateway.agents.enumerated() {
      let session = session(Cast.Gateway.mainKey(agent.id), title: "Daily round of \(agent.name)")
      add("user", [["type": "text", "text": "What is new?"]], to: session)
      add(
        "assistant",
        [["type": "text", "text": .string(RunScript.answers[index % RunScript.answers.count])]],
        to: session, more: ["usage": ["input": 3100, "output": 18, "totalTokens": 3118]])
      session.status = "done"
      session.input = 3100
      session.output = 18
      session.cost = 0.0096
    }
    session(Cast.Gateway.channelKey, title: "#household").kind = "group"
    jobs = [
      GatewayJob(
        id: "job-barrel", name: "Rain barrel", agentID: "heron", everyMs: 900_000,
        message: "Look how full the rain barrel is.", fails: false, nextMs: now + hour / 4),
      GatewayJob(
        id: "job-weather", name: "Weather for the laundry", agentID: "moss", everyMs: 1_800_000,
        message: "Will it rain before six?", fails: true, nextMs: now + hour / 2),
    ]
    lastHeartbeat = [
      "ts": .int(Int(now - hour / 3)), "status": "ok-token", "durationMs": 1310,
      "indicatorType": "ok", "silent": true,
    ]
    // One has been waiting for half an hour.
    ask(
      command: "git push vault main", agent: "moss", session: Cast.Gateway.mainKey("moss"),
      lifeMs: 5_400_000, ageMs: 1_860_000, binding: .nobody)
    guests = [
      [
        "host": .string(Cast.Gateway.other), "version": "2026.8.0", "platform": "ios",
        "deviceFamily": "iPhone", "mode": "ui", "roles": ["operator"], "reason": "connect",
        "text": .string("Node: \(Cast.Gateway.other)"), "ts": .int(Int(now)),
      ]
    ]
    log("gateway", "listening")
  }

  private func tell(round: Int) {
    let tag = "r\(round)"
    paced(1500) { $0.channelRun("\(tag)-post", "Is anything due today?") }
    paced(6000) { $0.storyRun("\(tag)-plan", "heron", "Plan the weekend's shopping.") }
    paced(14_000) { $0.storyRun("\(tag)-copy", "moss", "Archive it, and have it approved.") }
    paced(22_000) { world in
      let approval = world.ask(
        command: "rm -r downloads/old", agent: "tally", session: Cast.Gateway.mainKey("tally"),
        binding: .nobody, warning: "This command deletes files.", allowed: ["allow-once", "deny"])
      world.scheduleOther(approval, afterMs: 12_000, decision: "deny")
    }
    paced(28_000) { $0.storyRun("\(tag)-sum", "heron", "Delegate the sums of May.") }
    paced(36_000) { world in if let job = world.jobs.first { world.run(job) } }
    paced(40_000) { world in if let job = world.jobs.last { world.run(job) } }
    paced(44_000) {
      $0.beatHeart("sent", indicator: "alert", preview: "The rain barrel is nearly over.")
    }
    paced(33_000) {
      $0.invoke(
        "system.notify",
        ["title": "Shopping", "body": "The list for Saturday is ready.", "priority": "active"])
    }
    paced(48_000) { world in
      world.askPlugin(
        "garden-pump", title: "Start the pump", description: "The pump wants to run for an hour.",
        detail: "Valve 2, 60 min, 900 l.", severity: "critical", tool: "pump_start",
        agent: "heron")
    }
    paced(54_000) { world in
      world.ask(
        command: "curl -s http://192.0.2.77/state", agent: "moss",
        session: Cast.Gateway.mainKey("moss"), lifeMs: 15_000, binding: .nobody,
        warning: "This command reaches the network.")
    }
    paced(60_000) { world in
      world.ask(
        [
          [
            "questionId": "tone", "header": "Tone", "question": "Formal or friendly?",
            "options": [["label": "Formal"], ["label": "Friendly"]],
          ]
        ], agent: "tally", session: Cast.Gateway.mainKey("tally"))
    }
    paced(66_000) { world in
      world.ask(
        [
          [
            "questionId": "code", "header": "Gate code", "question": "What opens the gate?",
            "options": [], "isOther": true, "isSecret": true,
          ]
        ], agent: "heron", session: Cast.Gateway.mainKey("heron"))
    }
    paced(72_000) { $0.storyRun("\(tag)-fail", "tally", "This will fail.") }
    paced(78_000) { world in
      world.degraded = true
      world.discordError = "socket closed 4004"
      world.tellHealth()
    }
    paced(92_000) { world in
      world.degraded = false
      world.discordError = nil
      world.tellHealth()
    }
    paced(96_000) { $0.strangerAsks(round: round) }
    paced(104_000) { $0.beatHeart("failed", indicator: "error") }
    paced(Self.roundMs) { $0.tell(round: round + 1) }
  }

  /// A run triggered by a message in a channel, not by a client.
  private func channelRun(_ id: String, _ text: String) {
    let session = session(Cast.Gateway.channelKey)
    add(
      "user", [["type": "text", "text": .string(text)]], to: session,
      more: ["senderLabel": "ines (discord)"])
    start(
      RunScript.steps(text, &storyRandom, hostile: faults.isHostile), id: "discord-\(id)",
      session: session)
  }

  private func storyRun(_ id: String, _ agent: String, _ text: String) {
    let session = session(Cast.Gateway.mainKey(agent))
    add("user", [["type": "text", "text": .string(text)]], to: session)
    start(
      RunScript.steps(text, &storyRandom, hostile: faults.isHostile), id: "story-\(id)",
      session: session)
  }

  /// A simulated device requests pairing; the other operator approves it if no client has decided by then.
  func strangerAsks(round: Int) {
    let key = (0..<32).map { _ in UInt8(truncatingIfNeeded: storyRandom.next()) }
    let request = PairingRequest(
      id: "pr-\(storyRandom.token(8))", deviceID: ByteText.hex(DeviceSignature.sha256(key)),
      publicKey: ByteText.url(key),
      client: [
        "id": "gateway-client", "displayName": .string("Garden tablet \(round + 1)"),
        "platform": "linux", "deviceFamily": "terminal", "mode": "ui", "version": "0.9.0",
      ], role: "operator", scopes: ["operator.read", "operator.approvals"], atMs: now,
      reason: "not-paired")
    announce(request)
    paced(60_000) { world in
      do {
        try world.decide(pairing: request.id, approves: false, by: Cast.Gateway.other)
      } catch {
        // Somebody was faster.
        world.note("pairing was decided already", ["id": .string(request.id)])
      }
    }
  }

  /// Tells everybody, closes, and answers "starting" for a while.
  func restart() {
    note("restart")
    tell("shutdown", ["reason": "gateway restarting", "restartExpectedMs": 1500], scope: nil)
    after(60) { world in
      for client in world.clients { client.close(1012, "service restart") }
      for run in world.runs where run.isLive {
        // A new process knows nothing of the old one's runs.
        run.listener?.breakOff()
        world.abort(run)
      }
      for approval in world.approvals where approval.isPending {
        world.end(
          approval, status: "cancelled", decision: "deny", by: nil, reason: "gateway-restart")
      }
      world.startingUntilMs = world.now + 1500
    }
  }
}
