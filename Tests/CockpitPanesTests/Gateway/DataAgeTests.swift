import CockpitDomain
import CockpitStores
import Testing

@Suite struct DataAgeTests {
  @Test("the age of a gateway's data is that of its last frame: it has no stream of activity")
  func gateway() {
    let gateway = SourceChannel("gateway", transport: "WebSocket")
    var status = SourceStatus()
    status[gateway] = StreamStatus(state: .reconnecting, lastByteAtNs: 3_000_000_000)
    #expect(
      status.dataAgeNs(.activity, receivedNs: 0, nowNs: 10_000_000_000) == 7_000_000_000)
    status[gateway].state = .live
    #expect(status.dataAgeNs(.activity, receivedNs: 0, nowNs: 10_000_000_000) == nil)
  }
}
