import LenientJSON
import Testing

@testable import CockpitStores

/// Messages of A2UI v0.8 as elements of a canvas.
@Suite struct A2UITests {
  private func surfaces(_ lines: String...) -> A2UISurfaces {
    var surfaces = A2UISurfaces()
    surfaces.take(lines: lines.joined(separator: "\n"))
    return surfaces
  }

  private static let start = #"{"beginRendering":{"surfaceId":"main","root":"root"}}"#

  @Test("nothing is drawn before beginRendering; then texts, a button, a divider and a card are")
  func components() throws {
    let update = """
      {"surfaceUpdate":{"surfaceId":"main","components":[\
      {"id":"root","component":{"Column":{"children":{"explicitList":["title","rule","card","ok","odd"]}}}},\
      {"id":"title","component":{"Text":{"text":{"literalString":"Garden"},"usageHint":"h1"}}},\
      {"id":"rule","component":{"Divider":{}}},{"id":"card","component":{"Card":{"child":"row"}}},\
      {"id":"row","component":{"Row":{"children":{"explicitList":["level","pic"]}}}},\
      {"id":"level","component":{"Text":{"text":{"path":"/barrel/level"}}}},\
      {"id":"pic","component":{"Image":{"url":{"literalString":"data:image/png;base64,QUJD"}}}},\
      {"id":"ok","component":{"Button":{"child":"okText","action":{"name":"open"}}}},\
      {"id":"okText","component":{"Text":{"text":{"literalString":"Open"}}}},\
      {"id":"odd","component":{"Slider":{"value":{"path":"/x"}}}}]}}
      """
    let data = #"""
      {"dataModelUpdate":{"surfaceId":"main","contents":[{"key":"barrel","valueMap":[{"key":"level","valueNumber":85},{"key":"of","valueString":"m"}]}]}}
      """#
    #expect(surfaces(update, data).elements().elements.isEmpty)
    let (elements, unknown) = surfaces(update, data, Self.start).elements()
    #expect(
      elements.map(\.id)
        == [
          "main/title", "main/rule", "main/card", "main/level", "main/pic", "main/ok", "main/odd",
        ]
    )
    #expect(
      elements.map(\.kind) == [.text, .shape, .shape, .text, .image, .text, .unknown("Slider")])
    #expect(elements.map(\.content)[0] == "Garden" && elements.map(\.content)[3] == "85")
    #expect(elements[4].pictureKey != nil)
    #expect(elements[5].content == "Open" && elements[5].isInteractive)
    #expect(elements.filter(\.isInteractive).count == 1)
    #expect(unknown == ["Slider": 1])
    // A column from the top, without overlaps; a row from the left, within its card.
    let tops = [0, 1, 2, 5, 6].map { elements[$0].bounds.y }
    #expect(tops == tops.sorted() && Set(tops).count == 5)
    #expect(elements[3].bounds.x < elements[4].bounds.x)
    #expect(elements[4].bounds.x + elements[4].bounds.width <= 1_000)
    let card = elements[2].bounds
    #expect(elements[3].bounds.y > card.y && elements[3].bounds.y < card.y + card.height)
  }

  @Test("later messages update components and data in place, and a surface can be deleted")
  func updates() throws {
    let root =
      #"{"surfaceUpdate":{"surfaceId":"main","components":[{"id":"root","component":{"Text":{"text":{"path":"/user/name"}}}}]}}"#
    let all =
      #"{"dataModelUpdate":{"surfaceId":"main","contents":[{"key":"user","valueMap":[{"key":"name","valueString":"Ines"},{"key":"age","valueNumber":3}]}]}}"#
    let part =
      #"{"dataModelUpdate":{"surfaceId":"main","path":"user","contents":[{"key":"name","valueString":"Ada"}]}}"#
    var known = surfaces(root, all, Self.start)
    #expect(known.elements().elements.map(\.content) == ["Ines"])
    known.take(lines: part)
    #expect(known.elements().elements.map(\.content) == ["Ada"])
    #expect(A2UIData.value(known.surfaces["main"]?.data ?? .null, ["user", "age"])?.int == 3)
    known.take(
      lines:
        #"{"surfaceUpdate":{"surfaceId":"main","components":[{"id":"root","component":{"Text":{"text":{"literalString":"Now"}}}}]}}"#
    )
    #expect(known.elements().elements.map(\.content) == ["Now"])
    known.take(lines: #"{"deleteSurface":{"surfaceId":"main"}}"#)
    #expect(known.elements().elements.isEmpty && known.unreadable == 0)
  }

  @Test("a list repeats its template for each entry of the data, with paths that begin there")
  func templates() throws {
    let known = surfaces(
      #"{"surfaceUpdate":{"surfaceId":"main","components":[{"id":"root","component":{"List":{"children":{"template":{"componentId":"row","dataBinding":"/items"}}}}},{"id":"row","component":{"Text":{"text":{"path":"title"}}}}]}}"#,
      #"{"dataModelUpdate":{"surfaceId":"main","contents":[{"key":"items","valueMap":[{"key":"a","valueMap":[{"key":"title","valueString":"first"}]},{"key":"b","valueMap":[{"key":"title","valueString":"second"}]}]}]}}"#,
      Self.start)
    let elements = known.elements().elements
    #expect(elements.map(\.content) == ["first", "second"])
    #expect(Set(elements.map(\.id)).count == 2)
  }

  @Test("components that contain themselves or each other many times, and bad lines, are bounded")
  func hostile() {
    func column(_ id: String, _ children: [String]) -> String {
      let list = children.map { "\"\($0)\"" }.joined(separator: ",")
      return #"{"id":"\#(id)","component":{"Column":{"children":{"explicitList":[\#(list)]}}}}"#
    }
    var parts = [column("root", ["root", "c0"])]
    for level in 0..<30 {
      parts.append(column("c\(level)", Array(repeating: "c\(level + 1)", count: 150)))
    }
    let update =
      #"{"surfaceUpdate":{"surfaceId":"main","components":[\#(parts.joined(separator: ","))]}}"#
    let time = ContinuousClock().measure {
      let found = surfaces(update, Self.start).elements().elements
      #expect(found.count <= 500)
    }
    #expect(time < .seconds(20))
    let deep = String(repeating: "[", count: 10_000)
    let bad = surfaces(
      "{", deep, "null", "[]", #"{"other":{}}"#, #"{"surfaceUpdate":{}}"#,
      #"{"beginRendering":{"surfaceId":"x"}}"#,
      #"{"surfaceUpdate":{"surfaceId":"x","components":[7,{"id":"a"},{"id":"b","component":{}},{"id":"c","component":{"Text":9}}]}}"#
    )
    #expect(bad.unreadable == 11 && bad.elements().elements.isEmpty)
    var many = A2UISurfaces()
    for index in 0..<40 {
      many.take(lines: #"{"beginRendering":{"surfaceId":"s\#(index)","root":"r"}}"#)
    }
    #expect(many.surfaces.count == 16 && many.unreadable == 24)
  }

  @Test("random lines never fail")
  func fuzz() {
    let seeds = [
      Self.start, #"{"surfaceUpdate":{"surfaceId":"main","components":[]}}"#,
      #"{"dataModelUpdate":{"surfaceId":"main","path":"/a/b","contents":[{"key":"k","valueMap":[{"key":"x"}]}]}}"#,
      #"{"surfaceUpdate":{"surfaceId":"main","components":[{"id":"root","component":{"List":{"children":{"template":{"componentId":"root","dataBinding":"a"}}}}}]}}"#,
    ]
    var state: UInt64 = 11
    func next(_ below: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % below
    }
    var known = A2UISurfaces()
    for _ in 0..<2_000 {
      var bytes = Array(seeds[next(seeds.count)].utf8)
      for _ in 0..<next(3) { bytes[next(bytes.count)] = UInt8(next(128)) }
      known.take(lines: String(decoding: bytes, as: UTF8.self))
      _ = known.elements()
    }
    #expect(known.surfaces.count <= 16)
  }

  @Test("a document of a source may carry the messages, as lines or as a list")
  func document() throws {
    let text =
      #"{"a2ui":[{"surfaceUpdate":{"surfaceId":"m","components":[{"id":"r","component":{"Gauge":{}}}]}},{"beginRendering":{"surfaceId":"m","root":"r"}},3]}"#
    let board = try #require(CanvasBoard(try JSONValue.parse(Array(text.utf8))))
    #expect(board.elements.map(\.kind) == [.unknown("Gauge")])
    #expect(
      board.leftOut == [
        .init(count: 1, reason: "of the unknown type Gauge"),
        .init(count: 1, reason: "not readable"),
      ])
  }
}
