import CockpitHistory
import CockpitSinks
import Testing

@Suite struct SinkMachineTests {
  private static func entries(_ range: ClosedRange<Int>) -> [SinkMachine.Entry] {
    range.map {
      SinkMachine.Entry(
        place: SequencePlace(day: "2026-05-09", seq: Int64($0)), receivedMs: Int64($0) * 1000)
    }
  }

  private static func page(_ range: ClosedRange<Int>, isWhole: Bool = false) -> SinkMachine.Input {
    .page(entries(range), isWhole: isWhole, isDue: false)
  }

  @Test("a batch is read, sent, kept, and the next one read after the window")
  func course() {
    var machine = SinkMachine(place: SequencePlace())
    #expect(machine.take(.begin) == .read(after: SequencePlace()))
    #expect(machine.take(Self.page(1...3)) == .send(0..<3))
    #expect(machine.oldestWaitingMs == 1000)
    #expect(machine.take(.answered(.accepted(), held: nil)) == .keep(parked: nil))
    #expect(machine.place.seq == 3)
    #expect(machine.delivered == 3)
    #expect(machine.oldestWaitingMs == nil)
    #expect(machine.take(.kept) == .wait(ms: 2000))
    #expect(machine.take(.woken) == .read(after: SequencePlace(day: "2026-05-09", seq: 3)))
    #expect(machine.take(Self.page(4...5, isWhole: true)) == .send(0..<2))
    #expect(machine.take(.answered(.accepted(), held: nil)) == .keep(parked: nil))
    // There are more already.
    #expect(machine.take(.kept) == .read(after: SequencePlace(day: "2026-05-09", seq: 5)))
    #expect(machine.take(.page([], isWhole: false, isDue: false)) == .wait(ms: 2000))
  }

  @Test("what is due is done behind the rows of a page, although rows keep coming")
  func due() {
    var machine = SinkMachine(place: SequencePlace())
    #expect(machine.take(.begin) == .read(after: SequencePlace()))
    let row = SinkMachine.Entry(place: SequencePlace(day: "d", seq: 1), receivedMs: 0)
    #expect(machine.take(.page([row], isWhole: false, isDue: true)) == .send(0..<1))
    #expect(machine.take(.answered(.accepted(), held: nil)) == .keep(parked: nil))
    #expect(machine.take(.kept) == .send(0..<0))
    #expect(machine.take(.answered(.accepted(), held: nil)) == .keep(parked: nil))
    #expect(machine.take(.kept) == .read(after: row.place))
  }

  @Test("waits of 1 s double to 60 s, 20 % more or less, and a success begins anew")
  func waits() {
    var machine = SinkMachine(place: SequencePlace())
    _ = machine.take(.begin)
    _ = machine.take(Self.page(1...2))
    for (seconds, random) in [
      (1, 0.5), (2, 0.5), (4, 0.5), (8, 0.5), (16, 0.5), (32, 0.5), (60, 0.5), (60, 0.5),
    ] {
      #expect(
        machine.take(.answered(.busy("503"), held: nil), random: random)
          == .wait(ms: Int64(seconds) * 1000))
      #expect(machine.take(.woken) == .send(0..<2))
    }
    #expect(machine.problem == "503")
    #expect(machine.take(.answered(.busy("503"), held: nil), random: 0) == .wait(ms: 48_000))
    _ = machine.take(.woken)
    #expect(
      machine.take(.answered(.busy("503"), held: nil), random: 0.999_999) == .wait(ms: 71_999))
    _ = machine.take(.woken)
    _ = machine.take(.answered(.accepted(), held: nil))
    #expect(machine.problem == nil)
    _ = machine.take(.kept)
    _ = machine.take(.woken)
    _ = machine.take(Self.page(3...3))
    #expect(machine.take(.answered(.busy("503"), held: nil)) == .wait(ms: 1000))
  }

  @Test("Retry-After is honoured, and not beyond an hour")
  func retryAfter() {
    var machine = SinkMachine(place: SequencePlace())
    _ = machine.take(.begin)
    _ = machine.take(Self.page(1...2))
    #expect(
      machine.take(.answered(.busy("429", retryAfterMs: 9000), held: nil)) == .wait(ms: 9000))
    _ = machine.take(.woken)
    // A shorter one does not shorten the wait.
    #expect(machine.take(.answered(.busy("429", retryAfterMs: 1), held: nil)) == .wait(ms: 2000))
    _ = machine.take(.woken)
    #expect(
      machine.take(.answered(.busy("429", retryAfterMs: .max), held: nil)) == .wait(ms: 3_600_000))
  }

  @Test("which answers of HTTP are retried, which may be a row's fault, which are neither")
  func statuses() {
    for status in [429, 502, 503, 504] {
      #expect(
        SinkAnswer(status: status, retryAfterMs: 7, words: "")
          == .busy("\(status)", retryAfterMs: 7))
    }
    for status in [400, 408, 409, 413, 415, 422, 500, 501, 505] {
      #expect(SinkAnswer(status: status, retryAfterMs: nil, words: "x") == .refused("\(status): x"))
    }
    for status in [301, 302, 307, 308, 401, 403, 404, 405] {
      guard case .closed = SinkAnswer(status: status, retryAfterMs: nil, words: "") else {
        Issue.record("\(status)")
        continue
      }
    }
    for status in [200, 202, 204] {
      #expect(SinkAnswer(status: status, retryAfterMs: nil, words: "") == .accepted())
    }
  }

  @Test(
    "a batch is halved until the refused row is found, parked, and the rest delivered",
    arguments: [1, 2, 7, 8, 1000])
  func halving(count: Int) {
    for bad in Set([1, count / 2, count - 1, count].filter { $0 >= 1 }) {
      var machine = SinkMachine(place: SequencePlace())
      _ = machine.take(.begin)
      var command = machine.take(Self.page(1...count))
      var delivered: [Int] = []
      var parked: [Int] = []
      var requests = 0
      while true {
        switch command {
        case .send(let range):
          requests += 1
          let rows = range.map { $0 + 1 }
          if rows.contains(bad) {
            command = machine.take(.answered(.refused("400"), held: nil))
          } else {
            delivered += rows
            command = machine.take(.answered(.accepted(), held: nil))
          }
        case .keep(let row):
          if let row { parked.append(row.row + 1) }
          command = machine.take(.kept)
        case .wait, .read, .end:
          #expect(delivered == (1...count).filter { $0 != bad })
          #expect(parked == [bad])
          #expect(machine.parked == 1)
          #expect(machine.place.seq == Int64(count))
          #expect(requests <= 25)
          break
        }
        if case .wait = command { break }
      }
    }
  }

  @Test("a far end that refuses everything parks no more than 20 rows before it is waited for")
  func broken() {
    var machine = SinkMachine(place: SequencePlace())
    _ = machine.take(.begin)
    var command = machine.take(Self.page(1...1000))
    var waits = 0
    for _ in 0..<200 {
      switch command {
      case .send: command = machine.take(.answered(.refused("500"), held: nil))
      case .keep: command = machine.take(.kept)
      case .wait(let ms):
        waits += 1
        #expect(ms >= 48_000)
        if waits == 1 { #expect(machine.parked == 20) }
        if waits == 3 { return }
        command = machine.take(.woken)
      case .read, .end: return
      }
    }
    Issue.record("no wait")
  }

  @Test("what is refused whatever the rows are parks none")
  func closed() {
    var machine = SinkMachine(place: SequencePlace())
    _ = machine.take(.begin)
    _ = machine.take(Self.page(1...10))
    #expect(machine.take(.answered(.closed("401"), held: nil)) == .wait(ms: 60_000))
    #expect(machine.take(.woken) == .send(0..<10))
    #expect(machine.parked == 0)
    #expect(machine.place.seq == 0)
  }

  @Test("a row that cannot be sent is parked without a request, and those around it are sent")
  func unsendable() {
    var machine = SinkMachine(place: SequencePlace())
    _ = machine.take(.begin)
    var entries = Self.entries(1...3)
    entries[1].problem = "no JSON"
    #expect(machine.take(.page(entries, isWhole: false, isDue: false)) == .send(0..<1))
    _ = machine.take(.answered(.accepted(), held: nil))
    #expect(machine.take(.kept) == .keep(parked: .init(row: 1, answer: "no JSON")))
    #expect(machine.take(.kept) == .send(2..<3))
  }

  @Test("rows that a target holds are read but not taken for delivered")
  func held() {
    var machine = SinkMachine(place: SequencePlace())
    _ = machine.take(.begin)
    _ = machine.take(Self.page(1...9))
    let held = SequencePlace(day: "2026-05-09", seq: 4)
    #expect(machine.take(.answered(.accepted(), held: held)) == .keep(parked: nil))
    #expect(machine.place == held)
    _ = machine.take(.kept)
    #expect(machine.take(.woken) == .read(after: SequencePlace(day: "2026-05-09", seq: 9)))
    // The rest is due without rows.
    #expect(machine.take(.page([], isWhole: false, isDue: true)) == .send(0..<0))
    _ = machine.take(.answered(.accepted(), held: nil))
    #expect(machine.place.seq == 9)
  }

  @Test("rows that a far end left out are counted and not sent again; once ends; stop ends")
  func ends() {
    var machine = SinkMachine(place: SequencePlace(), isOnce: true)
    _ = machine.take(.begin)
    _ = machine.take(Self.page(1...5))
    _ = machine.take(.answered(.accepted(rejected: 2, words: "too old"), held: nil))
    #expect(machine.delivered == 3)
    #expect(machine.rejected == 2)
    #expect(machine.problem == "2 rows were left out: too old")
    guard case .read = machine.take(.kept) else {
      Issue.record("no read")
      return
    }
    #expect(machine.take(.page([], isWhole: false, isDue: false)) == .end)
    #expect(machine.take(.stop) == .end)
  }
}
