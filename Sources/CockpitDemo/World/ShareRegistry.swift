/// Link-based screen shares: a user without the Discord client opens a page and sends frames.
struct ShareRegistry {
  struct Share: Sendable {
    var token: String
    var guild: String
    var channel: String
    var requester: String
    var target: String
    var expiresMs: Int64
    var frames = 0
  }

  /// Minutes a link lives.
  static let minutes = 12

  private(set) var shares: [Share] = []

  func live(now: Int64) -> [Share] { shares.filter { $0.expiresMs > now } }

  func share(token: String, now: Int64) -> Share? {
    shares.first { $0.token == token && $0.expiresMs > now }
  }

  func share(requester: String, target: String, guild: String, now: Int64) -> Share? {
    shares.first {
      $0.requester == requester && $0.target == target && $0.guild == guild && $0.expiresMs > now
    }
  }

  mutating func add(_ share: Share) { shares.append(share) }

  mutating func remove(token: String) { shares.removeAll { $0.token == token } }

  /// Keeps a link open for as long as frames arrive.
  mutating func countFrame(token: String, now: Int64) {
    guard let index = shares.firstIndex(where: { $0.token == token }) else { return }
    shares[index].frames += 1
    shares[index].expiresMs = now + Int64(Self.minutes) * 60_000
  }

  /// The `screenShare` object of the runtime (contract 5.1).
  func json(now: Int64) -> DemoJSON {
    let live = live(now: now)
    return [
      "activeCount": .int(live.count), "newestExpiresAt": .time(live.map(\.expiresMs).max()),
    ]
  }
}

/// The only rate limit of the backend: 1200 frames per 60 s for one address and path (contract 1.6).
struct IngestLimit {
  static let requests = 1200
  static let windowMs: Int64 = 60_000
  /// Declared bodies above this are refused unread (contract 1.6).
  static let maxBytes = 6_000_000
  /// Windows kept at most; addresses come from a header and could be made up endlessly.
  private static let maxKeys = 512

  private var windows: [String: (startMs: Int64, count: Int)] = [:]

  /// Counts one request; false when it is one too many.
  mutating func admits(_ key: String, now: Int64) -> Bool {
    if windows.count > Self.maxKeys {
      windows = windows.filter { now - $0.value.startMs < Self.windowMs }
    }
    if windows.count > Self.maxKeys { windows = [:] }
    var window = windows[key] ?? (now, 0)
    if now - window.startMs >= Self.windowMs { window = (now, 0) }
    window.count += 1
    windows[key] = window
    return window.count <= Self.requests
  }
}
