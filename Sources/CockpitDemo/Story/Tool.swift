/// A tool in a scene: its duration, its result, and the rows it writes.
struct Tool: Sendable {
  var name: String
  var ms: Int
  var input: DemoJSON
  var output: DemoJSON
  var error: String?
  var type = "function"
  /// The effect of the service behind the tool when it completes.
  var effect = Effect.nothing

  enum Effect: Sendable {
    case nothing
    case search(query: String, titles: Int, ms: Int)
    case remember(String, type: String, evidence: String)
    case recall(query: String)
    case draw
    case gif(query: String)
    case video(url: String, title: String)
    case note(String, category: String)
    case play(query: String)
    case offer(query: String)
    case choose
    case sound(ref: String)
    case watch(Person)
    case mcp(server: String, error: String?)
  }
}

extension Tool {
  static func search(_ query: String, _ titles: [String], ms: Int = 1240) -> Tool {
    Tool(
      name: "web_search", ms: ms, input: ["query": .string(query)],
      output: [
        "ok": true, "resultCount": .int(titles.count), "resultTitles": .strings(titles),
        "error": nil,
      ],
      effect: .search(query: query, titles: titles.count, ms: ms))
  }

  static func remember(_ text: String, _ type: String, evidence: String) -> Tool {
    Tool(
      name: "memory_write", ms: 90,
      input: ["namespace": "speaker", "items": [["text": .string(text), "type": .string(type)]]],
      output: .string("Saved: \(text)"),
      effect: .remember(text, type: type, evidence: evidence))
  }

  static func recall(_ query: String, count: Int) -> Tool {
    Tool(
      name: "memory_search", ms: 180, input: ["query": .string(query)],
      output: ["ok": true, "count": .int(count), "error": nil],
      effect: .recall(query: query))
  }

  static func draw(_ prompt: String) -> Tool {
    Tool(
      name: "generate_image", ms: 6200, input: ["prompt": .string(prompt)],
      output: ["ok": true, "status": "done", "error": nil],
      effect: .draw)
  }

  static func gif(_ query: String) -> Tool {
    Tool(
      name: "gif_search", ms: 420, input: ["query": .string(query)], output: ["ok": true],
      effect: .gif(query: query))
  }

  static func video(_ url: String, _ title: String) -> Tool {
    Tool(
      name: "video_context", ms: 2300, input: ["url": .string(url)],
      output: ["ok": true, "resultTitle": .string(title)],
      effect: .video(url: url, title: title))
  }

  static func note(_ text: String, _ category: String) -> Tool {
    Tool(
      name: "note_context", ms: 6, input: ["text": .string(text), "category": .string(category)],
      output: ["ok": true, "status": nil, "resultCount": nil, "error": nil],
      effect: .note(text, category: category))
  }

  static func play(_ query: String) -> Tool {
    Tool(
      name: "media_play", ms: 1500, input: ["query": .string(query), "platform": "auto"],
      output: ["ok": true, "status": "playing"],
      effect: .play(query: query))
  }

  /// A search with several good results, among which a user must choose.
  static func offer(_ query: String) -> Tool {
    Tool(
      name: "media_play", ms: 1300, input: ["query": .string(query), "platform": "auto"],
      output: ["ok": true, "status": "needs_disambiguation", "resultCount": 3],
      effect: .offer(query: query))
  }

  static func choose(_ number: Int) -> Tool {
    Tool(
      name: "media_select", ms: 160, input: ["selection": .int(number)],
      output: ["ok": true, "status": "queued"],
      effect: .choose)
  }

  static func sound(_ ref: String) -> Tool {
    Tool(
      name: "play_soundboard", ms: 240, input: ["ref": .string(ref)], output: ["ok": true],
      effect: .sound(ref: ref))
  }

  static func watch(_ target: Person) -> Tool {
    Tool(
      name: "start_screen_watch", ms: 700, input: ["target": .string(target.name)],
      output: ["ok": true, "status": "ready"],
      effect: .watch(target))
  }

  /// A tool of an MCP server.
  static func mcp(_ server: String, _ tool: String, ms: Int, error: String? = nil) -> Tool {
    Tool(
      name: tool, ms: ms, input: ["when": "next"],
      output: error == nil ? ["ok": true, "count": 1] : .null, error: error, type: "mcp",
      effect: .mcp(server: server, error: error))
  }
}
