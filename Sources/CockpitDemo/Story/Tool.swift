/// A tool the bot uses in a scene: how long it takes, what it returns, and which rows it writes.
struct Tool: Sendable {
  var name: String
  var ms: Int
  var input: DemoJSON
  var output: DemoJSON
  var error: String?
  var type = "function"
  /// Rows of the service behind the tool, written when it completes.
  var effect: @Sendable (World, Place, Person, String) -> Void = { _, _, _, _ in }
}

extension Tool {
  static func search(_ query: String, _ titles: [String], ms: Int = 1240) -> Tool {
    Tool(
      name: "web_search", ms: ms, input: ["query": .string(query)],
      output: [
        "ok": true, "resultCount": .int(titles.count), "resultTitles": .strings(titles),
        "error": nil,
      ],
      effect: { world, place, person, _ in
        world.log(
          "search_call", in: place, user: person.id, content: .string(query),
          metadata: [
            "query": .string(query), "source": "message_event", "maxResults": 5,
            "returnedResults": .int(titles.count), "pageReadsRequested": 2,
            "pageReadsSucceeded": 2, "providerUsed": "brave", "fallbackUsed": false,
            "latencyMs": .int(world.pace(ms)),
          ])
      })
  }

  static func remember(_ text: String, _ type: String, evidence: String) -> Tool {
    Tool(
      name: "memory_write", ms: 90,
      input: ["namespace": "speaker", "items": [["text": .string(text), "type": .string(type)]]],
      output: .string("Saved: \(text)"),
      effect: { world, place, person, message in
        world.rememberFact(
          about: person, text, type: type, evidence: evidence, in: place, message: message)
      })
  }

  static func recall(_ query: String, count: Int) -> Tool {
    Tool(
      name: "memory_search", ms: 180, input: ["query": .string(query)],
      output: ["ok": true, "count": .int(count), "error": nil],
      effect: { world, place, person, message in
        world.logEmbedding(
          in: place, user: person.id, chars: query.utf16.count, source: "memory_query",
          message: message)
      })
  }

  static func draw(_ prompt: String) -> Tool {
    Tool(
      name: "generate_image", ms: 6200, input: ["prompt": .string(prompt)],
      output: ["ok": true, "status": "done", "error": nil],
      effect: { world, place, person, _ in
        world.log(
          "image_call", in: place, user: person.id, content: "openai:gpt-image-1.5",
          metadata: [
            "provider": "openai", "model": "gpt-image-1.5", "size": "1024x1024",
            "variant": "simple", "source": "reply_message",
          ], cost: 0.04)
      })
  }

  static func gif(_ query: String) -> Tool {
    Tool(
      name: "gif_search", ms: 420, input: ["query": .string(query)], output: ["ok": true],
      effect: { world, place, person, _ in
        world.log(
          "gif_call", in: place, user: person.id, content: .string(query),
          metadata: [
            "provider": "giphy", "query": .string(query), "source": "reply_message",
            "rating": "pg-13", "returnedResults": 1, "used": true,
            "gifUrl": "https://media.example.invalid/gif/\(query.count)00.gif",
          ])
      })
  }

  static func video(_ url: String, _ title: String) -> Tool {
    Tool(
      name: "video_context", ms: 2300, input: ["url": .string(url)],
      output: ["ok": true, "resultTitle": .string(title)],
      effect: { world, place, person, _ in
        world.log(
          "video_context_call", in: place, user: person.id, content: .string(url),
          metadata: [
            "source": "reply_tool_video_context", "provider": "youtube", "kind": "youtube",
            "videoId": "dq8fernpath", "url": .string(url), "title": .string(title),
            "channel": "Trail Kitchen", "hasTranscript": true, "transcriptSource": "captions",
            "transcriptChars": 5120, "transcriptError": nil, "keyframeCount": 6,
            "keyframeError": nil, "keyframeErrorCode": nil, "transcriptErrorCode": nil,
            "missingDependencies": [], "cacheHit": false,
          ])
      })
  }

  static func note(_ text: String, _ category: String) -> Tool {
    Tool(
      name: "note_context", ms: 6, input: ["text": .string(text), "category": .string(category)],
      output: ["ok": true, "status": nil, "resultCount": nil, "error": nil],
      effect: { world, place, _, _ in
        world.sessions.first { $0.place == place }?.notes.append(
          .init(text: text, category: category, ms: world.now))
      })
  }

  static func play(_ query: String) -> Tool {
    Tool(
      name: "media_play", ms: 1500, input: ["query": .string(query), "platform": "auto"],
      output: ["ok": true, "status": "playing"],
      effect: { world, place, person, _ in
        if let session = world.sessions.first(where: { $0.place == place }) {
          world.playMusic(session, query: query, requester: person)
        }
      })
  }

  /// A search with several good answers; somebody has to choose.
  static func offer(_ query: String) -> Tool {
    Tool(
      name: "media_play", ms: 1300, input: ["query": .string(query), "platform": "auto"],
      output: ["ok": true, "status": "needs_disambiguation", "resultCount": 3],
      effect: { world, place, person, _ in
        if let session = world.sessions.first(where: { $0.place == place }) {
          world.offerMusic(session, query: query, requester: person)
        }
      })
  }

  static func choose(_ number: Int) -> Tool {
    Tool(
      name: "media_select", ms: 160, input: ["selection": .int(number)],
      output: ["ok": true, "status": "queued"],
      effect: { world, place, person, _ in
        if let session = world.sessions.first(where: { $0.place == place }) {
          world.chooseMusic(session, requester: person)
        }
      })
  }

  static func sound(_ ref: String) -> Tool {
    Tool(
      name: "play_soundboard", ms: 240, input: ["ref": .string(ref)], output: ["ok": true],
      effect: { world, place, _, _ in
        if let session = world.sessions.first(where: { $0.place == place }) {
          world.playSound(session, ref: ref)
        }
      })
  }

  static func watch(_ target: Person) -> Tool {
    Tool(
      name: "start_screen_watch", ms: 700, input: ["target": .string(target.name)],
      output: ["ok": true, "status": "ready"],
      effect: { world, place, person, _ in
        if let session = world.sessions.first(where: { $0.place == place }) {
          world.startWatch(session, target: target, requester: person)
        }
      })
  }

  /// A tool of an MCP server.
  static func mcp(_ server: String, _ tool: String, ms: Int, error: String? = nil) -> Tool {
    Tool(
      name: tool, ms: ms, input: ["when": "next"],
      output: error == nil ? ["ok": true, "count": 1] : .null, error: error, type: "mcp",
      effect: { world, place, _, _ in
        guard let session = world.sessions.first(where: { $0.place == place }),
          let index = session.servers.firstIndex(where: { $0.name == server })
        else { return }
        session.servers[index].lastCallMs = world.now
        session.servers[index].connected = error == nil
        session.servers[index].lastError = error
        if error == nil { session.servers[index].lastConnectedMs = world.now }
      })
  }
}
