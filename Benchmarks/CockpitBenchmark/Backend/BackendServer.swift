import Foundation

/// HTTP/1.1 on loopback for measurements: one thread, one poll, two kinds of streams, a few answers.
struct BackendServer {
  private let listener: Int32
  let port: Int
  private var world = BackendWorld()
  private var connections: [BackendConnection] = []
  private var commands: [UInt8] = []
  /// Actions a second, and when the next one is due.
  private var rate = 0.0
  private var nextDueNs: UInt64 = 0

  init() throws {
    #if canImport(Darwin)
      listener = socket(AF_INET, SOCK_STREAM, 0)
    #else
      listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = listener
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else { throw BenchmarkError("the measuring backend found no free port") }
    port = Int(UInt16(bigEndian: address.sin_port))
    _ = fcntl(listener, F_SETFL, O_NONBLOCK)
  }

  /// Serves until the input ends.
  mutating func run() {
    while true {
      var polls = [
        pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
        pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
      ]
      polls += connections.map {
        pollfd(
          fd: $0.descriptor, events: Int16($0.isWaiting ? POLLIN | POLLOUT : POLLIN), revents: 0)
      }
      _ = poll(&polls, nfds_t(polls.count), timeoutMs())
      if polls[0].revents != 0, !takeCommands() { return }
      if polls[1].revents != 0 { accept() }
      for (index, entry) in polls.dropFirst(2).enumerated() where entry.revents != 0 {
        serve(index)
      }
      tellWhatIsDue()
      tick()
      for index in connections.indices { connections[index].flush() }
      connections.removeAll { connection in
        if connection.isOver { close(connection.descriptor) }
        return connection.isOver
      }
    }
  }

  // MARK: Commands

  private mutating func takeCommands() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = read(STDIN_FILENO, &buffer, buffer.count)
    guard count > 0 else { return false }
    commands += buffer[..<count]
    while let end = commands.firstIndex(of: 0x0A) {
      obey(String(decoding: commands[..<end], as: UTF8.self))
      commands.removeFirst(end + 1)
    }
    return true
  }

  private mutating func obey(_ line: String) {
    let words = line.split(separator: " ")
    switch words.first {
    case "rate":
      rate = words.dropFirst().first.flatMap { Double($0) } ?? 0
      nextDueNs = nowNs() + intervalNs
    case "told":
      let waiting = connections.reduce(0) { $0 + $1.waitingBytes }
      FileHandle.standardOutput.write(Data("told \(world.count) \(waiting)\n".utf8))
    default: break
    }
  }

  // MARK: Time

  private var intervalNs: UInt64 { rate > 0 ? UInt64(1e9 / rate) : 0 }

  private func timeoutMs() -> Int32 {
    var due = connections.compactMap(\.nextTickNs).min() ?? UInt64.max
    if rate > 0 { due = min(due, nextDueNs) }
    guard due < UInt64.max else { return -1 }
    let now = nowNs()
    return due <= now ? 0 : Int32(min(1000, (due - now + 999_999) / 1_000_000))
  }

  private mutating func tellWhatIsDue() {
    guard rate > 0 else { return }
    let now = nowNs()
    // A machine that was busy for a while is caught up with, a process that was stopped is not.
    if now > nextDueNs + 1_000_000_000 { nextDueNs = now }
    while nextDueNs <= now {
      nextDueNs += intervalNs
      let (kind, live) = world.next()
      let stats = world.stats
      let isVoice = kind.hasPrefix("voice_")
      for index in connections.indices {
        switch connections[index].stream {
        case .activity:
          connections[index].event("action_event", live)
          connections[index].event("stats_update", stats)
        case .voice where isVoice: connections[index].event("voice_event", live)
        case .voice, nil: break
        }
      }
    }
  }

  /// The periodic events of each stream, every 3 s (contract 2).
  private mutating func tick() {
    let now = nowNs()
    for index in connections.indices {
      guard let due = connections[index].nextTickNs, due <= now else { continue }
      connections[index].nextTickNs = now + Self.tickNs
      switch connections[index].stream {
      case .activity: connections[index].event("stats_update", world.stats)
      case .voice: connections[index].event("voice_state", BackendWorld.voiceState)
      case nil: break
      }
    }
  }

  private static let tickNs: UInt64 = 3_000_000_000

  // MARK: Connections

  private mutating func accept() {
    while case let descriptor = Foundation.accept(listener, nil, nil), descriptor >= 0 {
      connections.append(BackendConnection(descriptor))
    }
  }

  private mutating func serve(_ index: Int) {
    var connection = connections[index]
    connection.read()
    while let path = connection.nextRequest() { answer(path, &connection) }
    connections[index] = connection
  }

  private mutating func answer(_ target: String, _ connection: inout BackendConnection) {
    let parts = target.split(separator: "?", maxSplits: 1)
    if let path = parts.first, path.hasPrefix("/burst/") {
      return burst(path.dropFirst(7), &connection)
    }
    switch parts.first {
    case "/api/activity/events":
      connection.begin(.activity, tickNs: nowNs() + Self.tickNs)
      connection.event("activity_snapshot", world.snapshot)
    case "/api/voice/events":
      connection.begin(.voice, tickNs: nowNs() + Self.tickNs)
      connection.event("voice_state", BackendWorld.voiceState)
    case "/api/actions":
      let items = parts.dropFirst().first?.split(separator: "&") ?? []
      let limit = items.first { $0.hasPrefix("limit=") }.flatMap { Int($0.dropFirst(6)) }
      connection.reply(200, "application/json", world.list(limit: limit ?? 200))
    case "/api/stats": connection.reply(200, "application/json", world.stats)
    case "/api/voice/state": connection.reply(200, "application/json", BackendWorld.voiceState)
    case "/api/health": connection.reply(200, "application/json", Array(#"{"ok":true}"#.utf8))
    case "/api/guilds": connection.reply(200, "application/json", Array("[]".utf8))
    case let path? where path.hasPrefix("/chunks/"): connection.pour(Int(path.dropFirst(8)) ?? 0)
    default: connection.reply(404, "text/plain", Array("Not found.".utf8))
    }
  }

  /// The activity stream of a backend at the address `/burst/N`: N live actions as fast as the client takes
  /// them, then the end. They are none of the backend's own, which lists as many after it as before.
  private mutating func burst(
    _ path: Substring, _ connection: inout BackendConnection
  ) {
    let words = path.split(separator: "/", maxSplits: 1)
    guard words.count == 2, let count = Int(words[0]), words[1] == "api/activity/events" else {
      return connection.reply(404, "text/plain", Array("Not found.".utf8))
    }
    connection.begin(.activity, tickNs: .max)
    connection.event("activity_snapshot", world.snapshot)
    var corpus = ActionCorpus(mix: .recorded)
    connection.burst(count, writeBytes: 1 << 16) { corpus.live() }
  }
}
