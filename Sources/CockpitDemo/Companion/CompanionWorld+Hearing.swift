/// What a client says: checked, then answered.
extension CompanionWorld {
  func receive(_ session: Session, _ bytes: [UInt8], isText: Bool) {
    session.recent = session.recent.filter { $0 > now - 1_000 } + [now]
    guard session.recent.count <= Self.messagesPerSecond else {
      return end(session, 4_429, "too fast")
    }
    guard isText, let frame = try? DemoJSON.parse(bytes) else {
      return refuse(session, "not JSON")
    }
    if let problem = CompanionShape.problem(frame) { return refuse(session, problem) }
    let payload = frame["payload"] ?? [:]
    let type = frame["type"]?.stringValue ?? ""
    guard case .int(let number)? = frame["timestamp"] else { return refuse(session, "timestamp") }
    let timestamp = Int64(number)
    guard frame["session_id"]?.stringValue == session.name else {
      return refuse(session, "another session")
    }
    guard timestamp > session.lastTimestamp, abs(timestamp - now) <= Self.clockMs else {
      return refuse(session, "the time stamp is not accepted")
    }
    let digest = ByteText.hex(DeviceSignature.sha256(CompanionShape.canonical(payload)))
    let signature = ByteText.decodedURL(frame["sig"]?.stringValue ?? "") ?? []
    guard
      DeviceSignature.isValid(
        signature, over: "msg|\(session.name)|\(timestamp)|\(type)|\(digest)",
        key: session.device.publicKey)
    else { return refuse(session, "bad signature") }
    session.lastTimestamp = timestamp
    take(session, type, payload)
  }

  private func refuse(_ session: Session, _ why: String) {
    note("message refused", ["why": .string(why)])
    send(session, "status", .notify, ["state": "error", "reason": .string(why)])
    end(session, 1_008, why)
  }

  private func take(_ session: Session, _ type: String, _ payload: DemoJSON) {
    switch type {
    case "heartbeat":
      if answersHeartbeats { send(session, "status", .passive, ["state": "alive"]) }
    case "text", "voice":
      let text = payload["text"]?.stringValue ?? ""
      note("text", ["type": .string(type), "bytes": .int(text.utf8.count)])
      // What a capability brings is no message to answer.
      guard session.requests[payload["message_id"]?.stringValue ?? ""] == nil else { return }
      answer(session, text)
    case "canvas_event":
      note(
        "canvas event",
        [
          "element": .string(payload["element_id"]?.stringValue ?? ""),
          "event": .string(payload["event"]?.stringValue ?? ""),
          "png": .int(payload["png"]?.stringValue?.utf8.count ?? 0),
        ])
    case "capability_response":
      if let name = payload["revoke"]?.stringValue {
        note("revoked", ["capability": .string(name)])
      } else {
        let id = payload["request_id"]?.stringValue ?? ""
        note(
          "decided",
          [
            "request": .string(id), "capability": .string(session.requests[id] ?? ""),
            "decision": .string(payload["decision"]?.stringValue ?? ""),
            "reason": .string(payload["reason"]?.stringValue ?? ""),
          ])
      }
    default: break
    }
  }

  /// An answer in two frames of one id; the later one replaces the first.
  private func answer(_ session: Session, _ text: String) {
    let id = "a-" + random.token(6)
    let number = session.id
    paced(300) { world in
      guard let session = world.session(number) else { return }
      world.send(
        session, "text", .passive, ["text": "Looking into it", "message_id": .string(id)])
    }
    paced(900) { world in
      guard let session = world.session(number) else { return }
      let words = "You wrote \(text.count) characters. The rain barrel is full."
      world.send(
        session, "text", .passive,
        ["text": .string(words), "message_id": .string(id), "final": true])
    }
  }
}
