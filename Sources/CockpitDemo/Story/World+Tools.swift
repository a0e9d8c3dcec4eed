extension World {
  /// The effect of the service behind a tool when it completes: the rows it writes, and the changes
  /// in the voice session of the place.
  ///
  /// - Parameters:
  ///   - message: the message that led to it; rows that stem from one name it.
  ///   - source: what asked for it.
  func perform(
    _ effect: Tool.Effect, in place: Place, by person: Person, message: String,
    source: String = "message_event"
  ) {
    switch effect {
    case .nothing: break
    case .search(let query, let titles, let ms):
      log(
        "search_call", in: place, user: person.id, content: .string(query),
        metadata: [
          "query": .string(query), "source": .string(source), "maxResults": 5,
          "returnedResults": .int(titles), "pageReadsRequested": 2,
          "pageReadsSucceeded": 2, "providerUsed": "brave", "fallbackUsed": false,
          "latencyMs": .int(pace(ms)),
        ])
    case .remember(let text, let type, let evidence):
      rememberFact(
        about: person, text, type: type, evidence: evidence, in: place, message: message)
    case .recall(let query):
      logEmbedding(
        in: place, user: person.id, chars: query.utf16.count, source: "memory_query",
        message: message)
    case .draw:
      log(
        "image_call", in: place, user: person.id, content: "openai:gpt-image-1.5",
        metadata: [
          "provider": "openai", "model": "gpt-image-1.5", "size": "1024x1024",
          "variant": "simple", "source": "reply_message",
        ], cost: 0.04)
    case .gif(let query):
      log(
        "gif_call", in: place, user: person.id, content: .string(query),
        metadata: [
          "provider": "giphy", "query": .string(query), "source": "reply_message",
          "rating": "pg-13", "returnedResults": 1, "used": true,
          "gifUrl": "https://media.example.invalid/gif/\(query.count)00.gif",
        ])
    case .video(let url, let title):
      log(
        "video_context_call", in: place, user: person.id, content: .string(url),
        metadata: [
          "source": "reply_tool_video_context", "provider": "youtube", "kind": "youtube",
          "videoId": "dq8fernpath", "url": .string(url), "title": .string(title),
          "channel": "Trail Kitchen", "hasTranscript": true, "transcriptSource": "captions",
          "transcriptChars": 5120, "transcriptError": nil, "keyframeCount": 6,
          "keyframeError": nil, "keyframeErrorCode": nil, "transcriptErrorCode": nil,
          "missingDependencies": [], "cacheHit": false,
        ])
    case .note(let text, let category):
      sessions.first { $0.place == place }?.notes.append(
        .init(text: text, category: category, ms: now))
    case .play(let query):
      if let session = sessions.first(where: { $0.place == place }) {
        playMusic(session, query: query, requester: person)
      }
    case .offer(let query):
      if let session = sessions.first(where: { $0.place == place }) {
        offerMusic(session, query: query, requester: person)
      }
    case .choose:
      if let session = sessions.first(where: { $0.place == place }) {
        chooseMusic(session, requester: person)
      }
    case .sound(let ref):
      if let session = sessions.first(where: { $0.place == place }) {
        playSound(session, ref: ref)
      }
    case .watch(let target):
      if let session = sessions.first(where: { $0.place == place }) {
        startWatch(session, target: target, requester: person)
      }
    case .mcp(let server, let error):
      guard let session = sessions.first(where: { $0.place == place }),
        let index = session.servers.firstIndex(where: { $0.name == server })
      else { return }
      session.servers[index].lastCallMs = now
      session.servers[index].connected = error == nil
      session.servers[index].lastError = error
      if error == nil { session.servers[index].lastConnectedMs = now }
    }
  }
}
