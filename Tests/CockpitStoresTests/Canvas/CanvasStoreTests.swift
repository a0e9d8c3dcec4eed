import LenientJSON
import Testing

@testable import CockpitStores

/// A canvas as a store reads it.
@MainActor
@Suite struct CanvasStoreTests {
  private func apply(_ store: ControlStore, _ text: String) {
    Array(text.utf8).withUnsafeBytes { store.apply(canvas: $0) }
  }

  @Test("one bad field costs the field, one bad element the element, and a bad document nothing")
  func lenient() throws {
    let store = ControlStore()
    apply(store, "[]")
    apply(store, "{")
    #expect(store.canvas == nil)
    apply(
      store,
      #"{"agent":7,"changed_ms":"5","transition":3,"left_out":{"too_large":2,"too_many":-4},"elements":[{"id":"a","type":"text","bounds":[],"content":9,"style":[],"interactive":"yes"},{"id":"","type":"text"},{"id":"b"},null,{"id":"a","type":"shape"}]}"#
    )
    let board = try #require(store.canvas)
    #expect(board.agent == nil && board.changedMs == 5 && board.transition == "instant")
    #expect(board.elements.first?.bounds == .init(x: 0, y: 0, width: 1_000, height: 1_000))
    #expect(board["a"]?.kind == .text)
    #expect(board.leftOut.contains(.init(count: 2, reason: "too large")))
    #expect(board.leftOut.contains(.init(count: 1, reason: "with the id of another")))
    apply(store, #""text""#)
    #expect(store.canvas == board, "what cannot be read changes nothing")
  }

  @Test("data: URIs: images in base64 and what stands for them in a recording, no other kind")
  func uris() {
    #expect(CanvasDataURI("data:image/png;base64,QUJD")?.byteCount == 3)
    #expect(CanvasDataURI("DATA:IMAGE/PNG;base64,QUJD")?.type == "image/png")
    #expect(CanvasDataURI("data:image/png;omitted,4100")?.omittedBytes == 4_100)
    for text in [
      "", "data:", "data:,x", "data:text/html;base64,QUJD", "data:image/png,raw", "image/png",
      "https://example.org/a.png", "data:image/png;base64" + String(repeating: " ", count: 9_000),
    ] {
      #expect(CanvasDataURI(text) == nil, "\(text.prefix(40))")
    }
    #expect(CanvasDataURI.omitted("data:image/png;base64,QUJD") == "data:image/png;omitted,3")
    #expect(CanvasDataURI.omitted("data:image/png;omitted,3") == nil)
  }

  @Test("equal pictures have one key, whatever element has them; other contents have none")
  func keys() throws {
    let store = ControlStore()
    apply(
      store,
      #"{"elements":[{"id":"a","type":"image","content":"data:image/png;base64,QUJD"},{"id":"b","type":"video","content":"data:image/png;base64,QUJD"},{"id":"c","type":"image","content":"data:image/png;base64,QUJE"},{"id":"d","type":"image","content":"https://example.org/a.png"}]}"#
    )
    let keys = try #require(store.canvas).elements.map(\.pictureKey)
    #expect(keys[0] != nil && keys[0] == keys[1] && keys[2] != keys[0] && keys[3] == nil)
  }
}
