import Foundation

/// The backend, the disturbed way to it, and the two programs that are watched.
final class Endurance {
  private let cockpit: String
  private let rowsPerSecond: Int
  private var backend: DemoProcess
  private var seed = 1
  private let port: UInt16
  private let proxy: ProxyProcess
  private let screen: Screen
  private let tail: TailProcess
  private var ledger: RowTally
  private var tracks: [ResourceTrack]
  private var startNs = nowNs()
  private var counts: [Disturbance.Kind: Int] = [:]
  private var lastLookNs: UInt64 = 0
  private var lastSampleNs: UInt64 = 0
  /// How often the log was read too late to have all of it.
  private var unseen = 0

  /// The ring size of both programs: it is full long before the end.
  static let memory = "4MiB"

  init(cockpit: String, rows: Int, folder: String) throws {
    self.cockpit = cockpit
    rowsPerSecond = rows
    backend = try Self.backend(cockpit, rows: rows, seed: 1, port: 0)
    guard let port = URL(string: backend.url)?.port.flatMap(UInt16.init(exactly:)) else {
      throw BenchmarkError("the demo backend has no port: \(backend.url)")
    }
    self.port = port
    proxy = try ProxyProcess(to: port)
    let arguments = ["--url", "http://127.0.0.1:\(proxy.port)", "--memory", Self.memory]
    screen = try Screen(cockpit, ["open"] + arguments, home: folder)
    tail = try TailProcess(cockpit, arguments)
    // Rows of before are history: tail prints the newest of them only.
    ledger = RowTally(since: Self.timestamp(secondsFromNow: 3))
    tracks = [
      ResourceTrack("cockpit", screen.processID), ResourceTrack("`tail --json`", tail.processID),
    ]
  }

  private static func backend(
    _ cockpit: String, rows: Int, seed: Int, port: UInt16
  ) throws -> DemoProcess {
    try DemoProcess(
      cockpit: cockpit, scenario: "story", flood: rows,
      options: ["--open-access", "--seed", "\(seed)", "--port", "\(port)"])
  }

  /// As the wire writes times.
  private static func timestamp(secondsFromNow seconds: Double) -> String {
    Date(timeIntervalSinceNow: seconds).formatted(
      .iso8601.year().month().day().time(includingFractionalSeconds: true))
  }

  // MARK: The run

  func run(seconds: Double, plan: [Disturbance]) throws -> EnduranceOutcome {
    startNs = nowNs()
    tail.onNews = { [unowned self] in note("tail: \($0)") }
    try wait(60, "both are live", until: { self.tail.state == "live" && self.isCockpitLive })
    for disturbance in plan {
      watch(until: disturbance.at)
      note(disturbance.kind.rawValue)
      try disturb(disturbance)
    }
    watch(until: seconds)
    // The last rows and the last holes: a reconcile comes every minute.
    let isBack = settle()
    for key in ledger.missing.keys.sorted().prefix(10) {
      note("not printed: \(key.replacing("\u{1F}", with: " | ").prefix(200))")
    }
    let length = elapsed
    screen.send("q")
    let quit = screen.end(seconds: 10)
    tail.end()
    return EnduranceOutcome(
      seconds: length, disturbances: counts, logged: ledger.loggedCount, missing: ledger.missing,
      doubled: ledger.doubled, unlogged: ledger.unlogged, unseen: unseen, lines: tail.lines,
      tracks: tracks, isBack: isBack, quit: quit)
  }

  /// Progress output.
  private func note(_ text: String) {
    FileHandle.standardError.write(Data("\(number(elapsed, 1)) s: \(text)\n".utf8))
  }

  private var elapsed: Double { Double(nowNs() - startNs) / 1e9 }

  /// `LIVE <4s` in the header.
  private var isCockpitLive: Bool {
    screen.text.prefix(Screen.columns).firstMatch(of: /LIVE <?\d/) != nil
  }

  private func watch(until seconds: Double) {
    while elapsed < seconds { step() }
  }

  /// A tenth of a second: bytes of both programs, now and then the log and the figures.
  private func step() {
    Screen.serve([screen], seconds: 0.1)
    tail.drain { ledger.note(printed: $0) }
    if nowNs() - lastLookNs > 3_000_000_000 { _ = lookAtLog() }
    if nowNs() - lastSampleNs > 10_000_000_000 {
      lastSampleNs = nowNs()
      for index in tracks.indices { tracks[index].sample(at: elapsed) }
    }
  }

  /// Asks the backend itself, past the proxy.
  private func lookAtLog() -> Bool {
    lastLookNs = nowNs()
    for limit in [200, 1000] {
      guard let body = Loopback.get("/api/actions?limit=\(limit)", port: port),
        let rows = try? JSONDecoder().decode([LoggedRow].self, from: body)
      else { return false }
      if ledger.note(log: rows) { return true }
    }
    unseen += 1
    return false
  }

  private func wait(
    _ seconds: Double, _ what: String, until isDone: () -> Bool
  ) throws {
    let deadline = elapsed + seconds
    while !isDone() {
      guard elapsed < deadline else {
        throw BenchmarkError("it did not come to this in \(Int(seconds)) s: \(what)")
      }
      step()
    }
  }

  /// Until both are live and every row was printed; false when that takes over two minutes.
  private func settle() -> Bool {
    let deadline = elapsed + 120
    while elapsed < deadline {
      step()
      if tail.state == "live", isCockpitLive, isEverythingPrinted() { return true }
    }
    return false
  }

  /// Whether all rows that the log has now are printed within a second.
  private func isEverythingPrinted() -> Bool {
    guard lookAtLog() else { return false }
    for _ in 0..<10 where !ledger.missing.isEmpty { step() }
    return ledger.missing.isEmpty
  }

  // MARK: Disturbances

  private func disturb(_ disturbance: Disturbance) throws {
    counts[disturbance.kind, default: 0] += 1
    switch disturbance.kind {
    case .reset: proxy.obey(.reset)
    case .close: proxy.obey(.close)
    case .away, .silence:
      proxy.obey(disturbance.kind == .away ? .away : .silence)
      watch(until: elapsed + disturbance.lasting)
      proxy.obey(.pass)
    case .restart: try restart(after: disturbance.lasting)
    }
  }

  /// A killed log loses rows that were not sent yet, so it is killed only when every row it is
  /// known to hold has been printed.
  private func restart(after seconds: Double) throws {
    try wait(120, "everything is printed") {
      self.tail.state == "live" && self.isEverythingPrinted()
    }
    backend.kill()
    watch(until: elapsed + seconds)
    seed += 1
    backend = try Self.backend(cockpit, rows: rowsPerSecond, seed: seed, port: port)
    ledger.startNewLog(since: Self.timestamp(secondsFromNow: 0.5))
  }
}

/// The proxy as a process of its own.
final class ProxyProcess {
  private let process = Process()
  private let orders = Pipe()
  let port: UInt16

  init(to target: UInt16) throws {
    let output = Pipe()
    process.executableURL = URL(
      fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0])
    process.arguments = ["proxy", "--to", "\(target)"]
    process.standardInput = orders
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = UInt16(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw BenchmarkError("the proxy did not start")
    }
    self.port = port
  }

  deinit {
    // The end of its orders would not do: the cockpit's process may hold the other end too.
    process.terminate()
    process.waitUntilExit()
  }

  func obey(_ order: ProxyOrder) {
    try? orders.fileHandleForWriting.write(contentsOf: Data("\(order.rawValue)\n".utf8))
  }
}
