/// What the agent of the demo does in a session.
extension CompanionWorld {
  func story(_ number: Int) {
    func step(_ ms: Int, _ run: @escaping (CompanionWorld, Session) -> Void) {
      paced(ms) { world in if let session = world.session(number) { run(world, session) } }
    }
    step(500) { world, session in
      world.send(
        session, "text", .passive,
        [
          "text": "Good evening. I keep an eye on the garden.", "message_id": "greeting",
          "final": true,
        ])
      world.send(
        session, "status", .passive,
        ["state": "active", "quote": "Looking at the rain barrel", "pending": 1])
    }
    let families = [
      ("camera.front.once", "see whether the barrel runs over"),
      ("notify", "tell you when it rains"), ("location.once", "find the nearest forecast"),
      ("microphone.short", "hear the pump"), ("screen.once", "see the chart that you see"),
      ("ble.scan", "find the soil sensor"), ("canvas.draw", "draw the garden"),
    ]
    for (index, (name, purpose)) in families.enumerated() {
      step(3_000 + index * 6_000) { $0.ask($1, name, purpose) }
    }
    step(48_000) { $0.ask($1, "camera.front.once", "an expired token", age: 600_000) }
    step(52_000) { $0.ask($1, "camera.front.once", "a forged token", isForged: true) }
    step(6_000) { $0.draw($1) }
    step(20_000) { $0.update($1) }
    step(60_000) { world, session in
      world.send(session, "canvas_update", .passive, ["action": "clear", "elements": []])
    }
    let levels: [Level] = [.passive, .notify, .active, .interrupt, .urgent]
    for (index, level) in levels.enumerated() {
      step(10_000 + index * 7_000) { world, session in
        world.send(
          session, "attention", level, ["reason": .string("the barrel is at \(80 + index * 5) %")])
      }
    }
  }

  /// Asks for a capability, with a signed token.
  ///
  /// - Parameters:
  ///   - seconds: for how long it is asked for.
  ///   - age: ms since the token was granted.
  ///   - isForged: whether its signature is of another text.
  func ask(
    _ session: Session, _ capability: String, _ purpose: String, seconds: Int = 60,
    age: Int64 = 1_000, isForged: Bool = false
  ) {
    let id = "req-" + random.token(6)
    session.requests[id] = capability
    let from = DemoTime.iso(now - age)
    let to = DemoTime.iso(now - age + 300_000)
    let nonce = random.token(12)
    let text = "\(capability)|\(from)|\(to)|\(session.name)|\(nonce)"
    note("asked", ["request": .string(id), "capability": .string(capability)])
    send(
      session, "capability_request", .interrupt,
      [
        "request_id": .string(id), "capability": .string(capability), "duration_s": .int(seconds),
        "purpose": .string(purpose),
        "token": [
          "capability": .string(capability), "granted_at": .string(from),
          "expires_at": .string(to), "session_id": .string(session.name),
          "nonce": .string(nonce),
          "signature": .string(signer.signature(of: isForged ? text + "x" : text)),
        ],
      ])
  }

  func draw(_ session: Session) {
    send(
      session, "canvas_update", .passive,
      [
        "action": "draw", "transition": "fade",
        "elements": [
          Self.element("title", "text", (50, 30, 900, 80), "The garden"),
          Self.element("barrel", "shape", (100, 200, 200, 500), "rect"),
          Self.element("level", "highlight", (100, 300, 200, 400), "85 %"),
          Self.element("open", "text", (500, 300, 300, 100), "Open the tap", isInteractive: true),
          Self.element("later", "text", (500, 450, 300, 100), "Ask me later", isInteractive: true),
          Self.element("clip", "video", (500, 600, 400, 200), "https://garden.example/barrel.mp4"),
        ],
      ])
  }

  private func update(_ session: Session) {
    send(
      session, "canvas_update", .passive,
      [
        "action": "animate", "transition": "slide",
        "elements": [
          Self.element("level", "highlight", (100, 250, 200, 450), "95 %"),
          Self.element("note", "text", (50, 850, 900, 80), "It rains until four."),
        ],
      ])
  }

  private static func element(
    _ id: String, _ type: String, _ box: (Int, Int, Int, Int), _ content: String,
    isInteractive: Bool = false
  ) -> DemoJSON {
    [
      "id": .string(id), "type": .string(type),
      "bounds": [
        "x": .int(box.0), "y": .int(box.1), "width": .int(box.2), "height": .int(box.3),
      ],
      "content": .string(content), "style": [:], "interactive": .bool(isInteractive),
    ]
  }
}
