@testable import ClankySource
import Testing

@testable import Networking

/// A 404 means a wrong token, a wrong address or a missing path (wire contract 1.4).
@MainActor
@Suite("a path that this backend does not have") struct MissingRouteTests {
  /// Paths that not every backend has.
  private static let optional: [([String], String)] = [
    (["api", "memory", "reflections"], "reflections"), (["api", "automations"], "automations"),
    (["api", "agents", "browser-sessions"], "browser agents"), (["api", "settings"], "settings"),
    (["api", "voice", "history", "sessions"], "past voice sessions"),
    (["api", "voice", "history", "sessions", "x", "events"], "events of past voice sessions"),
    (["api", "memory", "fact-profile"], "profiles"), (["api", "something", "new"], "something"),
    (["api", "guilds", "1", "channels"], "channels"),
  ]

  /// The answers of a path that is not there: on loopback, on a tunnel, of a program in between.
  private static let answers = [
    ("Not found.", "text/plain"), (#"{"error":"Not found."}"#, "application/json"),
    ("<html>404</html>", "text/html"),
  ]

  private func ask(
    _ rig: Rig, _ segments: [String], _ answer: (body: String, type: String),
    health: (status: Int, body: String)?
  ) -> LinkFailure? {
    var failure: LinkFailure?
    rig.link.request(RestRequest(.get, RequestTarget(segments))) {
      if case .failure(let why) = $0 { failure = why.failure }
    }
    let path = "/" + segments.joined(separator: "/")
    rig.transport.open(path)?.answer(404, answer.body, type: answer.type)
    if let health {
      rig.transport.open("/api/health")?.answer(health.status, health.body)
    } else {
      #expect(rig.transport.open("/api/health") == nil)
    }
    return failure
  }

  @Test("H6: while all else is live it is called missing, and nothing more is asked")
  func live() throws {
    for (segments, words) in Self.optional {
      for answer in Self.answers {
        for url in ["http://127.0.0.1:8787", "https://bot.example"] {
          let rig = try Rig(url: url)
          rig.goLive()
          let failure = try #require(ask(rig, segments, answer, health: nil))
          #expect(failure.name == "no_route", "\(failure)")
          #expect(failure.sentence.hasPrefix("This backend has no "), "\(failure)")
          #expect(failure.sentence.contains(words), "\(failure)")
          #expect(failure.exitCode == 1)
        }
      }
    }
  }

  @Test("H6: where nothing was heard yet the backend is asked whether it is one")
  func unheard() throws {
    let path = ["api", "memory", "reflections"]
    for answer in Self.answers {
      let rig = try Rig(streams: [], url: "https://bot.example")
      let found = ask(rig, path, answer, health: (200, #"{"ok":true}"#))
      #expect(found?.name == "no_route")
      // Now it is known.
      #expect(ask(rig, path, answer, health: nil)?.name == "no_route")
    }
    let hidden = try Rig(streams: [], url: "https://bot.example")
    let refused = ask(
      hidden, path, Self.answers[1], health: (404, #"{"error":"Not found."}"#))
    #expect(refused == .hidden(tokenGiven: true))
  }

  @Test(
    "a path that every backend has is not called missing, nor is what the backend says of a thing")
  func others() throws {
    for segments in [["api", "health"], ["api", "stats"], ["api", "actions"]] {
      let rig = try Rig()
      rig.goLive()
      #expect(
        ask(rig, segments, Self.answers[0], health: nil) == .notClanky(.wrongPath), "\(segments)")
    }
    let rig = try Rig()
    rig.goLive()
    var answer: RestAnswer?
    rig.link.request(RestRequest(.get, RequestTarget(["api", "memory", "facts", "7"]))) {
      if case .success(let value) = $0 { answer = value }
    }
    rig.transport.open("/api/memory/facts/7")?.answer(404, #"{"error":"fact not found"}"#)
    #expect(answer?.status == 404)
  }

  @Test("a request that is cancelled while the backend is asked is not completed")
  func cancelled() throws {
    let rig = try Rig(streams: [])
    var isCompleted = false
    let handle = rig.link.request(RestRequest(.get, RequestTarget(["api", "settings"]))) { _ in
      isCompleted = true
    }
    rig.transport.open("/api/settings")?.answer(404, "Not found.", type: "text/plain")
    handle.cancel()
    rig.transport.open("/api/health")?.answer(200, #"{"ok":true}"#)
    #expect(!isCompleted)
  }
}
