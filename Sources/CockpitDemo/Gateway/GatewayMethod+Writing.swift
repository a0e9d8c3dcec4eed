import Foundation

extension GatewayMethod {
  private static let agentID = GatewayShape.Field.may("agentId", .text(min: 1))
  private static let key = GatewayShape.Field.need("key", .text(min: 1))
  private static let sessionKey = GatewayShape.Field.need("sessionKey", .text(min: 1))

  /// Messages, aborts, sessions, cron by hand.
  static let writing: [GatewayMethod] = [
    GatewayMethod(
      "chat.send", "write",
      [
        sessionKey, .need("message", .text()), .need("idempotencyKey", .text(min: 1)),
        .may("thinking", .text()), .may("deliver", .flag), .may("attachments", .list(.any)),
        .may("timeoutMs", .whole(0...Int.max)),
      ],
      new: [
        agentID, .may("queueMode", .text()), .may("replyToId", .text()),
        .may("sessionId", .text(min: 1)),
      ]
    ) { (world, client, params) throws(GatewayError) in
      try world.send(
        client, params, key: params["idempotencyKey"]?.stringValue ?? "",
        message: params["message"]?.stringValue ?? "")
    },
    GatewayMethod(
      "sessions.send", "write",
      [
        key, .need("message", .text()), .may("idempotencyKey", .text(min: 1)),
        .may("thinking", .text()), .may("timeoutMs", .whole(0...Int.max)),
      ], new: [agentID]
    ) { (world, client, params) throws(GatewayError) in
      try world.send(
        client, params,
        key: params["idempotencyKey"]?.stringValue ?? "run-\(world.idRandom.token(12))",
        message: params["message"]?.stringValue ?? "")
    },
    GatewayMethod(
      "chat.abort", "write", [sessionKey, .may("runId", .text(min: 1))], new: [agentID]
    ) { (world, _, params) throws(GatewayError) in try world.abort(params) },
    GatewayMethod(
      "sessions.abort", "write", [key, .may("runId", .text(min: 1))],
      new: [agentID, .may("clearQueued", .flag)]
    ) { (world, _, params) throws(GatewayError) in try world.abort(params) },
    GatewayMethod(
      "sessions.create", "write",
      [agentID, .may("label", .text(min: 1)), .may("message", .text()), .may("key", .text())]
    ) { (world, client, params) throws(GatewayError) in
      let agent = params["agentId"]?.stringValue ?? Cast.Gateway.agents[0].id
      let key = "agent:\(agent):\(world.idRandom.token(10))"
      let label = params["label"]?.stringValue
      let session = world.session(key, title: label ?? "New session")
      if let label { session.patched = ["label": .string(label)] }
      world.after(GatewayWorld.afterAnswerMs) {
        $0.tellChanged(session, ["reason": "create"])
      }
      if let message = params["message"]?.stringValue {
        let run = DemoJSON.object(.init()).setting("sessionKey", .string(key))
        _ = try world.send(client, run, key: world.idRandom.uuid(), message: message)
      }
      return [
        "ok": true, "key": .string(key), "sessionId": .string(session.sessionID),
        "entry": session.row(world.version),
      ]
    },
    GatewayMethod(
      "sessions.patch", "write",
      [
        key, .may("label", .clearable(.text(min: 1))), .may("model", .clearable(.text(min: 1))),
        .may("thinkingLevel", .clearable(.text(min: 1))),
      ],
      new: [
        agentID, .may("pinned", .flag), .may("archived", .flag), .may("unread", .flag),
      ]
    ) { (world, _, params) throws(GatewayError) in
      let session = world.session(try world.owned(params))
      guard case .object(let object) = params else { return ["ok": true] }
      for member in object.members where !["key", "agentId"].contains(member.key) {
        session.patched =
          member.value == .null
          ? session.patched.removing([member.key])
          : session.patched.setting(member.key, member.value)
      }
      world.after(GatewayWorld.afterAnswerMs) { $0.tellChanged(session, ["reason": "patch"]) }
      return [
        "ok": true, "path": "(multiple)", "key": .string(session.key),
        "entry": session.row(world.version),
      ]
    },
    GatewayMethod(
      "wake", "write",
      [.need("mode", .one(["now", "next-heartbeat"])), .need("text", .text(min: 1))],
      new: [agentID]
    ) { world, _, params in
      if params["mode"]?.stringValue == "now" { world.after(500) { $0.beatHeart("ok-token") } }
      return ["ok": true]
    },
    GatewayMethod(
      "cron.run", "admin", [.need("id", .text(min: 1)), .may("mode", .one(["due", "force"]))]
    ) { (world, _, params) throws(GatewayError) in
      let job = try world.job(params)
      world.after(20) { $0.run(job) }
      return [
        "ok": true, "enqueued": true,
        "runId": .string("manual:\(job.id):\(world.now):\(world.number())"),
      ]
    },
  ]
}

extension GatewayWorld {
  fileprivate func send(
    _ client: GatewayClient, _ params: DemoJSON, key: String, message: String
  ) throws(GatewayError) -> DemoJSON {
    let session = session(try owned(params))
    let images = try Self.images(params["attachments"]?.arrayValue ?? [])
    if let known = run(key) {
      let payload: DemoJSON = ["runId": .string(key), "status": "in_flight"]
      guard !isV4, known.status == "failed" else { return payload }
      // Protocol 3 repeats the failure of a repeated key, with both (contract 2).
      throw GatewayError(
        known.error ?? "failed", code: "UNAVAILABLE",
        payload: ["runId": .string(key), "status": "error", "summary": .text(known.error)])
    }
    if session.messages.isEmpty { session.title = String(message.prefix(40)) }
    let steps = RunScript.steps(message, &storyRandom, hostile: faults.isHostile)
    note(
      "message",
      [
        "run": .string(key), "session": .string(session.key), "text": .string(message),
        "images": .int(images), "over": "websocket",
      ])
    after(Self.afterAnswerMs) { world in
      world.add("user", [["type": "text", "text": .string(message)]], to: session)
      world.start(steps, id: key, session: session, by: client)
    }
    return ["runId": .string(key), "status": "started"]
  }

  /// How many images come with a message; each has to be one.
  private static func images(_ attachments: [DemoJSON]) throws(GatewayError) -> Int {
    for attachment in attachments {
      let type = attachment["mimeType"]?.stringValue ?? ""
      guard type.hasPrefix("image/"), let text = attachment["content"]?.stringValue,
        Data(base64Encoded: text)?.isEmpty == false
      else { throw GatewayError("attachment is no base64 image") }
    }
    return attachments.count
  }

  fileprivate func abort(_ params: DemoJSON) throws(GatewayError) -> DemoJSON {
    let key = try owned(params)
    let wanted = params["runId"]?.stringValue
    let live = runs.filter { run in
      run.isLive && run.sessionKey == key && (wanted.map { $0 == run.id } ?? true)
    }
    for run in live { abort(run) }
    return [
      "ok": true, "aborted": .bool(!live.isEmpty), "runIds": .strings(live.map(\.id)),
    ]
  }
}
