import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// The canvas of a companion gateway: the demo's own record is the truth.
  @Suite("the canvas of an agent") struct CanvasTests {
    @Test("what the agent draws is on the screen; a tap, a long press and a drawing reach it")
    func events() throws {
      let desk = try CompanionHome(paired: "")
      let cockpit = try desk.screen()
      try cockpit.type("gx", see: "no agent has drawn anything yet")
      try desk.draw()
      try cockpit.see("Open the tap")
      #expect(cockpit.screen.contains("6 elements"))
      cockpit.type("1")
      cockpit.type("\r")
      try cockpit.see("tap: sent")
      try cockpit.type("\r", see: "long press")
      cockpit.type("j")
      cockpit.type("\r")
      try cockpit.see("long press: sent")
      cockpit.type("d")
      try cockpit.see("Enter sends  Esc")
      cockpit.type("  ll p lll")
      cockpit.type("\r")
      try cockpit.see("The drawing was sent")
      try cockpit.see("the gateway's record") { _ in (try? desk.truth("canvas event").count) == 3 }
      let events = try desk.truth("canvas event")
      #expect(events.map { $0["event"] as? String } == ["tap", "long_press", "draw"])
      #expect(events.allSatisfy { $0["element"] as? String == "open" })
      #expect((events[2]["png"] as? Int ?? 0) > 100)
      // A change of the agent is on the screen at once, and clearing empties it.
      try desk.draw([
        "action": "draw",
        "elements": [
          ["id": "x", "type": "text", "content": "Rain \u{1B}[31muntil\u{202E} four"],
          ["id": "y", "type": "hologram"],
        ],
      ])
      try cockpit.see("Rain")
      try cockpit.type("0", see: "1 left out: not readable")
      try desk.draw(["action": "clear", "elements": []])
      try cockpit.see("0 elements")
      cockpit.type("q")
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("a read-only profile shows the canvas and sends nothing")
    func readOnly() throws {
      let desk = try CompanionHome(paired: "")
      let cockpit = try desk.screen(["--read-only"])
      try desk.draw()
      try cockpit.type("gx", see: "Open the tap")
      cockpit.type("1")
      cockpit.type("\r")
      try cockpit.see("read-only")
      #expect(try desk.truth("canvas event").isEmpty)
    }

    @Test("v shows the last image with chafa, if it is there, and a key comes back")
    func viewer() throws {
      let desk = try CompanionHome(paired: "")
      let folder = desk.home.path + "/bin"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let cockpit = try desk.screen(environment: ["PATH": folder + ":/bin"])
      try cockpit.type("gx", see: "no agent has drawn anything yet")
      let png =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
      try desk.draw([
        "action": "draw",
        "elements": [
          ["id": "p", "type": "image", "content": "data:image/png;base64,\(png)"],
          ["id": "t", "type": "text", "content": "data:image/png;base64,aGVsbG8="],
        ],
      ])
      try cockpit.see("2 elements")
      if !FileManager.default.isExecutableFile(atPath: "/bin/chafa") {
        try cockpit.type("v", see: "apt install chafa")
      }
      let chafa = folder + "/chafa"
      let size = try #require(Data(base64Encoded: png)).count
      try Data("#!/bin/sh\necho \"chafa $* got $(wc -c)\"\n".utf8).write(to: URL(filePath: chafa))
      #expect(chmod(chafa, 0o755) == 0)
      try cockpit.type("v", see: "chafa --animate=off --size=120x38 - got \(size)")
      cockpit.type(" ")
      try cockpit.see("2 elements")
      cockpit.type("q")
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }
  }
}
