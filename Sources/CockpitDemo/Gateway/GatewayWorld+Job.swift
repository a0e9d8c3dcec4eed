/// A job of the gateway's timer.
final class GatewayJob {
  let id: String
  let name: String
  let agentID: String
  let everyMs: Int
  let message: String
  let fails: Bool
  var isEnabled = true
  var nextMs: Int64
  var lastMs: Int64?
  var lastStatus: String?
  var lastError: String?
  var lastDurationMs: Int?
  var entries: [DemoJSON] = []

  init(
    id: String, name: String, agentID: String, everyMs: Int, message: String, fails: Bool,
    nextMs: Int64
  ) {
    self.id = id
    self.name = name
    self.agentID = agentID
    self.everyMs = everyMs
    self.message = message
    self.fails = fails
    self.nextMs = nextMs
  }

  var json: DemoJSON {
    var state: DemoJSON = ["nextRunAtMs": .int(Int(nextMs))]
    if let lastMs {
      state = state.merging([
        "lastRunAtMs": .int(Int(lastMs)), "lastStatus": .text(lastStatus),
        "lastDurationMs": .number(lastDurationMs),
      ])
      if let lastError { state = state.setting("lastError", .string(lastError)) }
    }
    return [
      "id": .string(id), "name": .string(name), "enabled": .bool(isEnabled),
      "createdAtMs": 1_778_000_000_000, "updatedAtMs": 1_778_000_000_000,
      "agentId": .string(agentID), "schedule": ["kind": "every", "everyMs": .int(everyMs)],
      "sessionTarget": "isolated", "wakeMode": "now",
      "payload": ["kind": "agentTurn", "message": .string(message)], "state": state,
    ]
  }
}

extension GatewayWorld {
  /// Runs a job now: started, then finished, well or not.
  func run(_ job: GatewayJob) {
    let started = now
    job.nextMs = now + Int64(job.everyMs)
    let key = "agent:\(job.agentID):cron:\(job.id):run:\(number())"
    var first: DemoJSON = [
      "jobId": .string(job.id), "action": "started", "runAtMs": .int(Int(started)),
    ]
    if isV4 {
      first = first.setting(
        "job", ["id": .string(job.id), "name": .string(job.name), "enabled": true])
    }
    tell("cron", first)
    note("cron started", ["job": .string(job.id)])
    let ms = storyRandom.int(900...3200)
    paced(ms) { world in
      let error: String? = job.fails ? "The weather service did not answer." : nil
      job.lastMs = started
      job.lastStatus = error == nil ? "ok" : "error"
      job.lastError = error
      job.lastDurationMs = Int(world.now - started)
      var last: DemoJSON = [
        "jobId": .string(job.id), "action": "finished", "status": .text(job.lastStatus),
      ]
      if let error { last = last.setting("error", .string(error)) }
      last = last.merging([
        "summary": .string(error ?? "Nothing to do."), "runAtMs": .int(Int(started)),
        "durationMs": .number(job.lastDurationMs), "nextRunAtMs": .int(Int(job.nextMs)),
        "sessionKey": .string(key), "delivered": false, "deliveryStatus": "not-requested",
        "model": "birch-1", "provider": "birch",
      ])
      job.entries.append(
        DemoJSON.object(.init()).setting("ts", .int(Int(world.now))).merging(last))
      if job.entries.count > 200 { job.entries.removeFirst(100) }
      world.note(
        "cron finished", ["job": .string(job.id), "status": .text(job.lastStatus)])
      world.tell("cron", last)
    }
  }

  /// A heartbeat of the first agent.
  func beatHeart(_ status: String, indicator: String = "ok", preview: String? = nil) {
    var payload: DemoJSON = ["ts": .int(Int(now)), "status": .string(status)]
    if let preview {
      payload = payload.setting("to", "discord:44107").setting("channel", "discord")
        .setting("preview", .string(preview))
    }
    payload = payload.setting("durationMs", .int(storyRandom.int(300...2400)))
    if status == "failed" { payload = payload.setting("reason", "discord send failed: 502") }
    payload = payload.setting("indicatorType", .string(indicator))
    lastHeartbeat = payload
    note("heartbeat", ["status": .string(status), "indicator": .string(indicator)])
    tell("heartbeat", payload, scope: nil)
  }
}
