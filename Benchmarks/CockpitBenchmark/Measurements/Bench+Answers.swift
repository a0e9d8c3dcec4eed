import Foundation

extension Bench {
  /// A key in an answer: what it is pressed for, and how to see that it was painted. Rows of the stream are
  /// painted as well, so a first byte says nothing.
  private struct AnswerKey {
    var name: String
    /// Typed before, and not measured.
    var before: String
    /// Typed once the answer is open: a key that comes earlier gives up what is not found yet.
    var whenOpen = ""
    var key: String
    /// On the screen when the key is answered; nil for one that moves the cursor of the answer.
    var mark: String?
    /// What the line of that cursor begins with, after the frame; the feed below has a cursor too.
    var cursor = ">"
    /// How often it is pressed in one go, for keys that move.
    var repeats = 1
    /// Closes the answer.
    var after: String
    /// On the screen until the answer is closed.
    var open: String
  }

  /// Rows in the ring before the first key.
  private static let answerRows = 100_000

  /// T22: from a key to the painted answer at 1,000 actions a second, with 100,000 rows in the ring: `W`, the
  /// list of troubles, a table of a piped filter, `K`, and walking in them.
  func measureAnswers() throws {
    let backend = try BackendProcess(itself)
    let screen = try openCockpit(backend, arguments: ["--memory", "512MiB"])
    guard Screen.serve([screen], seconds: 20, until: { Self.isCockpitComplete(screen) }) else {
      throw BenchmarkError("the cockpit shows no complete frame:\n\(screen.text)")
    }
    try fill(screen, backend)
    report.begin("A key in an answer at 1,000 actions a second, 100,000 rows in the ring, 120x40")
    try backend.tell(perSecond: 1000)
    Screen.serve([screen], seconds: 2)
    var all: [Double] = []
    // Rows that set an answer off, held in place by a chosen one.
    try filter("kind:sent_reply", until: "kind:sent_reply", screen)
    screen.send("j")
    Screen.serve([screen], seconds: 1)
    let card = " WHY "
    all += try measure(
      AnswerKey(name: "`W`", before: "", key: "W", mark: card, after: "q", open: card), screen)
    all += try measure(
      AnswerKey(
        name: "`j` in it", before: "W", whenOpen: "g", key: "j", cursor: " > ", repeats: 8,
        after: "q",
        open: card),
      screen)
    all += try measure(
      AnswerKey(
        name: "`!`", before: "", key: "!", mark: " TRIAGE ", after: "q", open: " TRIAGE "), screen)
    all += try measure(
      AnswerKey(
        name: "`K`", before: "", key: "K", mark: " EXPLAIN ", after: "q", open: " EXPLAIN "),
      screen)
    let table = " LIVE TABLE "
    all += try measure(
      AnswerKey(
        name: "Enter of `cost>=0 | count by kind`", before: "f\u{15}cost>=0 | count by kind",
        key: "\r", mark: table, after: "\u{1B}", open: table), screen)
    all += try measure(
      AnswerKey(
        name: "`j` in the table", before: "f\u{15}cost>=0 | count by kind\r", key: "j",
        repeats: 8, after: "\u{1B}", open: table), screen)
    try backend.tell(perSecond: 0)
    let spread = Spread(all)
    report.add("all of them", figure: times(of: spread))
    report.measured(.answerKeys, spread.p99, note: "of \(all.count) keys")
  }

  /// Fills the ring, as fast as the cockpit takes the rows.
  private func fill(_ screen: Screen, _ backend: BackendProcess) throws {
    try backend.tell(perSecond: 5000)
    let deadline = nowNs() + 120_000_000_000
    while (Self.rowsOnScreen(screen) ?? 0) < Self.answerRows {
      guard nowNs() < deadline else {
        throw BenchmarkError("the ring does not fill:\n\(screen.text)")
      }
      Screen.serve([screen], seconds: 1)
    }
    try backend.tell(perSecond: 0)
    Screen.serve([screen], seconds: 3)
  }

  private func filter(_ text: String, until mark: String, _ screen: Screen) throws {
    screen.send("f\u{15}\(text)\r")
    guard Screen.serve([screen], seconds: 10, until: { screen.text.contains(mark) }) else {
      throw BenchmarkError("the filter does not show:\n\(screen.text)")
    }
    Screen.serve([screen], seconds: 1)
  }

  /// Times of one key, in ms.
  private func measure(_ key: AnswerKey, _ screen: Screen) throws -> [Double] {
    var result: [Double] = []
    for round in 0..<effort.rounds * effort.keys {
      // Uneven distances, so that no timer keeps step with them.
      Screen.serve([screen], seconds: 0.12 + Double(round * 37 % 97) / 1000)
      if !key.before.isEmpty {
        screen.send(key.before)
        if key.mark == nil {
          Screen.serve([screen], seconds: 3, until: { screen.text.contains(key.open) })
        }
        Screen.serve([screen], seconds: 0.2)
        screen.send(key.whenOpen)
        Screen.serve([screen], seconds: 0.2)
      }
      for _ in 0..<key.repeats {
        let line = cursorLine(key, screen)
        let start = nowNs()
        screen.send(key.key)
        let isPainted = Screen.serve(
          [screen], seconds: 3,
          until: { key.mark.map(screen.text.contains) ?? (self.cursorLine(key, screen) != line) })
        guard isPainted else {
          throw BenchmarkError("\(key.name) is not answered within 3 s:\n\(screen.text)")
        }
        result.append(Double(screen.lastByteNs - start) / 1e6)
        if key.repeats > 1 { Screen.serve([screen], seconds: 0.03) }
      }
      screen.send(key.after)
      guard Screen.serve([screen], seconds: 3, until: { !screen.text.contains(key.open) }) else {
        throw BenchmarkError("\(key.name) does not close:\n\(screen.text)")
      }
    }
    report.add(key.name, figure: times(of: Spread(result)))
    return result
  }

  /// What the line with the cursor of the answer begins with. Not its place: a live table is sorted again.
  private func cursorLine(_ key: AnswerKey, _ screen: Screen) -> Substring? {
    screen.text.split(separator: "\n").lazy.compactMap { line in
      line.firstRange(of: "│" + key.cursor).map { line[$0.upperBound...].prefix(24) }
    }.first
  }

  private func times(of spread: Spread) -> String {
    "p50 \(number(spread.median, 1)) ms, p95 \(number(spread.p95, 1)) ms, "
      + "p99 \(number(spread.p99, 1)) ms, most \(number(spread.high, 1)) ms"
  }
}
