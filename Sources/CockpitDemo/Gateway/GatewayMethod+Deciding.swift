extension GatewayMethod {
  private static let decisions = GatewayShape.one(["allow-once", "allow-always", "deny"])
  private static let id = GatewayShape.Field.need("id", .text(min: 1))

  /// Approvals and questions (contract 10 and 11).
  static let deciding: [GatewayMethod] = [
    GatewayMethod("exec.approval.list", "approvals") { world, client, _ in
      .array(world.pending(client, plugin: false).map(\.record))
    },
    GatewayMethod("plugin.approval.list", "approvals") { world, client, _ in
      .array(world.pending(client, plugin: true).map(\.record))
    },
    GatewayMethod("exec.approval.get", "approvals", [id]) {
      (world, client, params) throws(GatewayError) in
      let approval = try world.waiting(client, params, plugin: false)
      return [
        "id": .string(approval.id), "commandText": approval.request["command"] ?? .null,
        "commandPreview": .null, "allowedDecisions": .strings(approval.allowed),
        "host": approval.request["host"] ?? .null, "nodeId": .null,
        "agentId": approval.request["agentId"] ?? .null,
        "expiresAtMs": .int(Int(approval.expiresMs)),
      ]
    },
    GatewayMethod("exec.approval.resolve", "approvals", [id, .need("decision", decisions)]) {
      (world, client, params) throws(GatewayError) in
      try world.answer(try world.waiting(client, params, plugin: false), params, client)
      return ["ok": true]
    },
    GatewayMethod("plugin.approval.resolve", "approvals", [id, .need("decision", decisions)]) {
      (world, client, params) throws(GatewayError) in
      try world.answer(try world.waiting(client, params, plugin: true), params, client)
      return ["ok": true]
    },
    GatewayMethod("approval.get", "approvals", versions: 4...4, [id]) {
      (world, client, params) throws(GatewayError) in
      ["approval": try world.approval(client, params).entry]
    },
    GatewayMethod(
      "approval.resolve", "approvals", versions: 4...4,
      [
        id, .need("kind", .one(["exec", "plugin", "system-agent"])), .need("decision", decisions),
      ]
    ) { (world, client, params) throws(GatewayError) in
      let approval = try world.approval(client, params)
      guard approval.isPlugin == (params["kind"]?.stringValue == "plugin") else {
        throw GatewayWorld.noApproval(world.version)
      }
      let applied = approval.isPending
      if applied { try world.answer(approval, params, client) }
      return ["applied": .bool(applied), "approval": approval.entry]
    },
    GatewayMethod(
      "approval.history", "approvals", versions: 4...4,
      [
        .may("limit", .whole(1...500)), .may("kind", .one(["exec", "plugin", "system-agent"])),
        .may("cursor", .text()),
      ]
    ) { world, client, params in
      let kind = params["kind"]?.stringValue
      let ended = world.approvals.filter {
        !$0.isPending && client.sees($0, version: world.version)
          && (kind == nil || $0.isPlugin == (kind == "plugin"))
      }
      let limit = Int(params["limit"]?.doubleValue ?? 100)
      return ["items": .array(ended.reversed().prefix(limit).map(\.entry))]
    },
    GatewayMethod("question.list", "questions", versions: 4...4) { world, _, _ in
      ["questions": .array(world.questions.filter(\.isPending).map(\.record))]
    },
    GatewayMethod("question.get", "questions", versions: 4...4, [id]) {
      (world, _, params) throws(GatewayError) in
      ["question": try world.question(params).record]
    },
    GatewayMethod(
      "question.resolve", "questions", versions: 4...4,
      [
        id,
        .may("answers", .object([.need("answers", .map(.list(.text())))])),
        .may("cancel", .flag),
      ]
    ) { (world, client, params) throws(GatewayError) in
      let question = try world.question(params)
      guard question.isPending else {
        throw GatewayError(
          "question '\(question.id)' is already \(question.status)",
          details: ["reason": "QUESTION_ALREADY_TERMINAL"])
      }
      if params["cancel"]?.boolValue == true {
        world.end(question, status: "cancelled", answers: nil, by: client.name)
        return ["status": "cancelled"]
      }
      guard let answers = params["answers"] else {
        throw GatewayError("invalid question.resolve params: answers or cancel is needed")
      }
      if let problem = question.problem(answers["answers"] ?? [:]) { throw GatewayError(problem) }
      world.end(question, status: "answered", answers: answers, by: client.name)
      return ["status": "answered", "answers": answers]
    },
  ]
}

extension GatewayWorld {
  static func noApproval(_ version: Int) -> GatewayError {
    var details: DemoJSON = ["reason": "APPROVAL_NOT_FOUND"]
    if version >= 4 {
      details = details.setting(
        "remediation",
        "Re-request the action; pending approvals are cleared after expiry or restart.")
    }
    return GatewayError("unknown or expired approval id", details: details)
  }

  func pending(_ client: GatewayClient, plugin: Bool) -> [GatewayApproval] {
    approvals.filter {
      $0.isPending && $0.isPlugin == plugin && client.sees($0, version: version)
    }
  }

  /// The approval that `params` names, if it exists for `client`.
  func approval(
    _ client: GatewayClient, _ params: DemoJSON
  ) throws(GatewayError) -> GatewayApproval {
    let id = params["id"]?.stringValue
    guard let found = approvals.first(where: { $0.id == id }), client.sees(found, version: version)
    else { throw Self.noApproval(version) }
    return found
  }

  func waiting(
    _ client: GatewayClient, _ params: DemoJSON, plugin: Bool
  ) throws(GatewayError) -> GatewayApproval {
    let found = try approval(client, params)
    guard found.isPending, found.isPlugin == plugin else { throw Self.noApproval(version) }
    return found
  }

  func answer(
    _ approval: GatewayApproval, _ params: DemoJSON, _ client: GatewayClient
  ) throws(GatewayError) {
    let decision = params["decision"]?.stringValue ?? ""
    guard approval.allowed.contains(decision) else {
      throw GatewayError("\(decision) is unavailable for this approval")
    }
    resolve(approval, decision, by: client.name)
  }

  func question(_ params: DemoJSON) throws(GatewayError) -> GatewayQuestion {
    let id = params["id"]?.stringValue
    guard let found = questions.first(where: { $0.id == id }) else {
      throw GatewayError("unknown question id", details: ["reason": "QUESTION_NOT_FOUND"])
    }
    return found
  }
}
