import Foundation
import Testing

@testable import CockpitDemo

@Suite struct SinkTests {
  @Test func aReaderThatNeverReadsIsCutAtTheCap() async {
    let sink = StreamSink(id: 1, faults: StreamFaults())
    let event = Data(count: 32 << 20)
    for _ in 0..<8 { #expect(sink.send(event)) }
    #expect(sink.pendingBytes == StreamSink.capacity)
    #expect(!sink.send(Data(count: 1)))
    #expect(sink.isClosed && sink.pendingBytes == 0)
    if case .events = await sink.next() { Issue.record("a closed sink has nothing to say") }
  }

  @Test func queueRunsInOrder() {
    var queue = EventQueue<World>()
    for due in [5, 1, 3, 1, 4] as [Int64] { queue.add(at: due) { _ in } }
    var order: [Int64] = []
    while let entry = queue.pop(dueBy: 4) { order.append(entry.due) }
    #expect(order == [1, 1, 3, 4])
    queue.shift(by: 10)
    #expect(queue.nextDue == 15)
  }
}
