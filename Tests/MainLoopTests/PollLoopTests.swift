#if os(Linux)
  import Dispatch
  import Glibc
  import Testing

  @testable import MainLoop

  @MainActor
  @Suite struct PollLoopTests {
    private let loop = PollLoop(mainQueue: -1)

    private func pipeEnds() -> (reader: Int32, writer: Int32) {
      var ends: [Int32] = [-1, -1]
      #expect(pipe(&ends) == 0)
      return (ends[0], ends[1])
    }

    private func closeBoth(_ ends: (reader: Int32, writer: Int32)) {
      _ = close(ends.reader)
      _ = close(ends.writer)
    }

    private var nowNs: UInt64 { DispatchTime.now().uptimeNanoseconds }

    @Test("a descriptor is reported in the directions that are wanted, as long as they are")
    func directions() {
      let ends = pipeEnds()
      defer { closeBoth(ends) }
      var seen: [Directions] = []
      let reader = loop.watch(ends.reader) { seen.append($0) }
      let writer = loop.watch(ends.writer) { seen.append($0) }
      writer.wanted = .writing
      loop.turn()
      #expect(seen == [.writing])
      writer.wanted = []
      reader.wanted = .reading
      #expect(write(ends.writer, "x", 1) == 1)
      loop.turn()
      loop.turn()  // level-triggered: nobody has read it
      #expect(seen == [.writing, .reading, .reading])
      reader.cancel()
      let timer = loop.makeTimer { seen.append([]) }
      timer.set(dueNs: nowNs, leewayNs: 0)
      loop.turn()
      #expect(seen.last == [])
    }

    @Test("a watch that another one cancels in the same turn is not called")
    func cancelledInTurn() {
      let (first, second) = (pipeEnds(), pipeEnds())
      defer {
        closeBoth(first)
        closeBoth(second)
      }
      for ends in [first, second] { #expect(write(ends.writer, "x", 1) == 1) }
      var calls = 0
      let all = Watches()
      for ends in [first, second] {
        all.list.append(
          loop.watch(ends.reader) { _ in
            calls += 1
            for watch in all.list { watch.cancel() }
          })
      }
      for watch in all.list { watch.wanted = .reading }
      loop.turn()
      #expect(calls == 1)
    }

    @MainActor
    private final class Watches {
      var list: [any DescriptorWatch] = []
    }

    @Test("a hung-up descriptor that nobody wants does not keep the loop busy")
    func hungUp() {
      let ends = pipeEnds()
      defer { _ = close(ends.reader) }
      var calls = 0
      let watch = loop.watch(ends.reader) { _ in calls += 1 }
      watch.wanted = .reading
      _ = close(ends.writer)
      loop.turn()
      #expect(calls == 1)
      watch.wanted = []
      var isOver = false
      let timer = loop.makeTimer { isOver = true }
      timer.set(dueNs: nowNs + 20_000_000, leewayNs: 0)
      loop.turn()
      #expect(calls == 1)
      #expect(isOver)
    }

    @Test("timers fire once, when due, and can be set again or taken back")
    func timers() {
      var fired: [String] = []
      let early = loop.makeTimer { fired.append("early") }
      let late = loop.makeTimer { fired.append("late") }
      let never = loop.makeTimer { fired.append("never") }
      let start = nowNs
      late.set(dueNs: start + 10_000_000, leewayNs: 0)
      early.set(dueNs: start + 1_000_000, leewayNs: 0)
      never.set(dueNs: start, leewayNs: 0)
      never.unset()
      while fired.count < 2 { loop.turn() }
      #expect(fired == ["early", "late"])
      #expect(nowNs >= start + 10_000_000)
      early.set(dueNs: nowNs, leewayNs: 0)
      loop.turn()
      #expect(fired == ["early", "late", "early"])
    }

    @Test("a timer with leeway comes along with another one's turn")
    func leeway() {
      var fired: [String] = []
      let patient = loop.makeTimer { fired.append("patient") }
      let strict = loop.makeTimer { fired.append("strict") }
      let start = nowNs
      patient.set(dueNs: start + 1_000_000, leewayNs: 60_000_000_000)
      strict.set(dueNs: start + 5_000_000, leewayNs: 0)
      loop.turn()
      #expect(Set(fired) == ["patient", "strict"])
      _ = strict
    }

    @Test("what is to be done soon is done after all else of the turn, and what it asks for next")
    func soon() {
      var order: [String] = []
      let timer = loop.makeTimer { order.append("timer") }
      let log = Log()
      loop.soon {
        log.lines.append("soon")
        loop.soon { log.lines.append("next") }
      }
      timer.set(dueNs: nowNs, leewayNs: 0)
      loop.turn()
      #expect(order == ["timer"])
      #expect(log.lines == ["soon"])
      loop.turn()  // does not wait: there is something to do
      #expect(log.lines == ["soon", "next"])
    }

    @MainActor private final class Log {
      var lines: [String] = []
    }

    @Test("a timer far beyond the clock does not overflow")
    func farAway() {
      let far = loop.makeTimer {}
      far.set(dueNs: .max - 5, leewayNs: .max)
      var isOver = false
      let near = loop.makeTimer { isOver = true }
      near.set(dueNs: nowNs, leewayNs: 0)
      loop.turn()
      #expect(isOver)
    }
  }
#endif
