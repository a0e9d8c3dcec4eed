import CockpitDomain
import CockpitPanes
import Testing

@testable import CockpitSession

@Suite struct ClientMeterTests {
  @Test func measuresBetweenTwoLooksThreeSecondsApart() {
    var meter = ClientMeter()
    var status = SourceStatus()
    status[.activity].bytes = 1000
    meter.measure(status, written: 100, nowNs: 1_000_000_000, isShown: true)
    // A rate needs two moments; memory does not.
    #expect(meter.figures.cpuPercent == nil && meter.figures.receivedBytesPerSecond == nil)
    #expect((meter.figures.residentBytes ?? 0) > 1 << 20)
    status[.activity].bytes = 3000
    status[.voice].bytes = 1500
    status.restBytes = 500
    meter.measure(status, written: 2100, nowNs: 2_000_000_000, isShown: true)
    #expect(meter.figures.cpuPercent == nil)
    meter.measure(status, written: 4100, nowNs: 5_000_000_000, isShown: true)
    #expect(meter.figures.receivedBytesPerSecond == 1000)
    #expect(meter.figures.writtenBytesPerSecond == 1000)
    #expect((meter.figures.cpuPercent ?? -1) >= 0)
  }

  @Test func memoryIsAskedForWhenSomebodyLooksAndThenAtOnce() {
    var meter = ClientMeter()
    meter.measure(SourceStatus(), written: 0, nowNs: 0, isShown: false)
    #expect(meter.figures.residentBytes == nil)
    meter.measure(SourceStatus(), written: 0, nowNs: 1_000_000_000, isShown: true)
    #expect((meter.figures.residentBytes ?? 0) > 1 << 20)
  }

  @Test func countersThatBeginAnewAreNoNegativeRate() {
    var meter = ClientMeter()
    var status = SourceStatus()
    status[.activity].bytes = 5000
    meter.measure(status, written: 10, nowNs: 0, isShown: true)
    meter.measure(SourceStatus(), written: 20, nowNs: 4_000_000_000, isShown: true)
    #expect(meter.figures.receivedBytesPerSecond == 0)
  }
}
