import Foundation
import TerminalCore
import TerminalCurses
import TerminalTestKit
import Testing

extension TerminalSuite {
  /// Links on the screen (OSC 8), as a terminal has them.
  @MainActor @Suite(.serialized) struct LinkScreenTests {
    private func screen(
      _ environment: [String: String] = [:], term: String = "xterm-256color", size: Size,
      links: Bool? = true
    ) throws -> CursesScreen {
      setlocale(LC_CTYPE, "C.UTF-8")
      return try CursesScreen(
        term: term, environment: environment, depth: nil, theme: .plain, size: size, links: links)
    }

    /// Compares every cell: what it shows with libvterm, where it leads to with the canvas.
    private func expectSame(
      _ canvas: Canvas, _ links: LinkTerminal, _ terminal: VirtualTerminal, _ what: String
    ) -> Bool {
      guard links.unknown.isEmpty else {
        Issue.record("\(what): \(links.unknown)")
        return false
      }
      let runs = canvas.linkRuns
      for y in 0..<canvas.size.height {
        guard links.lines[y] == terminal.line(y), links.lines[y] == canvas.text(row: y) else {
          Issue.record(
            "\(what): row \(y)\n\(links.lines[y])\n\(terminal.line(y))\n\(canvas.text(row: y))")
          return false
        }
        for x in 0..<canvas.size.width {
          let wanted = runs[y]?.first { $0.columns.contains(x) }?.target
          guard links.cells[y][x].url == wanted?.url, links.cells[y][x].id == wanted?.id else {
            Issue.record(
              "\(what): \(x), \(y) leads to \(links.cells[y][x].url ?? "nothing") and not to \(wanted?.url ?? "nothing")"
            )
            return false
          }
        }
      }
      return true
    }

    /// Lines of text, some with links, moved as a conversation that is scrolled, with something over it at times.
    private func canvas(
      _ size: Size, lines: [(text: PlainText, links: [(Range<Int>, LinkTarget)])], top: Int,
      using random: inout some RandomNumberGenerator
    ) -> Canvas {
      var canvas = Canvas(size: size)
      canvas.write("header", y: 0, role: .header)
      canvas.inside(Rect(x: 2, y: 1, width: size.width - 4, height: size.height - 2)) { canvas in
        for y in 0..<canvas.bounds.height where lines.indices.contains(top + y) {
          canvas.write(lines[top + y].text, y: y)
          for (columns, target) in lines[top + y].links {
            canvas.link(target, x: columns.lowerBound, y: y, count: columns.count)
          }
        }
      }
      if Int.random(in: 0..<4, using: &random) == 0 {
        canvas.inside(
          Rect(
            x: .random(in: 0..<size.width / 2, using: &random),
            y: .random(in: 0..<size.height / 2, using: &random), width: 20, height: 4)
        ) {
          $0.clear($0.bounds)
          $0.write("a menu", y: 1, role: .selection)
        }
      }
      if Bool.random(using: &random) {
        canvas.placeCursor(
          x: .random(in: 0..<size.width, using: &random),
          y: .random(in: 0..<size.height, using: &random), isVisible: Bool.random(using: &random))
      }
      return canvas
    }

    @Test(
      "after any sequence of frames each cell has the link of the canvas, and no other",
      arguments: 1...8)
    func property(seed: UInt64) throws {
      var random = SystemRandomNumberGenerator()
      let size = Size(
        width: .random(in: 30...90, using: &random), height: .random(in: 8...30, using: &random))
      let environment = seed % 2 == 0 ? ["COLORTERM": "truecolor"] : [:]
      let screen = try screen(
        environment, term: seed % 3 == 0 ? "tmux-256color" : "xterm-256color", size: size)
      var links = LinkTerminal(size)
      let terminal = VirtualTerminal(rows: size.height, columns: size.width)
      let words: [PlainText] = ["step", "three", "of", "the", "build", "log", "says", "no", "more"]
      let targets = try (0..<4).map { try #require(LinkTarget("https://ci\($0).example/\($0)")) }
      let lines = (0..<80).map { _ in
        var text: PlainText = ""
        var spans: [(Range<Int>, LinkTarget)] = []
        for _ in 0..<Int.random(in: 0...9, using: &random) {
          let word = words[.random(in: 0..<words.count, using: &random)]
          if Int.random(in: 0..<5, using: &random) == 0 {
            let target = targets[.random(in: 0..<4, using: &random)]
            spans.append((text.columns..<text.columns + word.columns, target))
          }
          text += word + " "
        }
        return (text: text, links: spans)
      }
      var top = 0
      for turn in 0..<80 {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: top = .random(in: 0..<60, using: &random)
        case 1...4: top += .random(in: 1...3, using: &random)
        case 5...7: top -= .random(in: 1...3, using: &random)
        case 8: screen.repaint()
        default: break
        }
        top = max(-2, min(75, top))
        let canvas = canvas(size, lines: lines, top: max(0, top), using: &random)
        let bytes = screen.frame(canvas)
        links.feed(bytes)
        terminal.feed(bytes)
        guard expectSame(canvas, links, terminal, "turn \(turn)") else { return }
      }
    }

    @Test("a link whose address alone changes is written again, and an equal canvas costs nothing")
    func sameCells() throws {
      let size = Size(width: 20, height: 3)
      let screen = try screen(size: size)
      var links = LinkTerminal(size)
      let terminal = VirtualTerminal(rows: 3, columns: 20)
      for address in ["https://a.example", "https://b.example", "mailto:x@c.example"] {
        var canvas = Canvas(size: size)
        canvas.write("see the log", y: 1)
        canvas.link(try #require(LinkTarget(address)), x: 8, y: 1, count: 3)
        let bytes = screen.frame(canvas)
        links.feed(bytes)
        terminal.feed(bytes)
        #expect(expectSame(canvas, links, terminal, address))
        #expect(screen.frame(canvas).isEmpty)
      }
    }

    @Test("without a link, and where none is to be written, not a byte is different")
    func nothing() throws {
      let size = Size(width: 30, height: 4)
      var canvas = Canvas(size: size)
      canvas.write("some words", y: 1, role: .heading)
      var linked = canvas
      linked.link(try #require(LinkTarget("https://a.example")), x: 0, y: 1, count: 4)
      let plain = try screen(size: size, links: false).frame(canvas)
      #expect(try screen(size: size, links: true).frame(canvas) == plain)
      #expect(try screen(size: size, links: false).frame(linked) == plain)
      #expect(try screen(size: size, links: nil).frame(linked) == plain)
      #expect(try screen(term: "linux", size: size).frame(linked).firstRange(of: "]8;".utf8) == nil)
      let known = try screen(["VTE_VERSION": "7600"], size: size, links: nil).frame(linked)
      #expect(known.firstRange(of: "]8;id=".utf8) != nil)
      // What was written before the links is what is written without them.
      #expect(known.starts(with: plain))
    }

    @Test("the style after a link is the one before it")
    func style() throws {
      let size = Size(width: 30, height: 3)
      let screen = try screen(size: size)
      let terminal = VirtualTerminal(rows: 3, columns: 30)
      var canvas = Canvas(size: size)
      canvas.write("bold and a link", y: 0, role: .heading)
      canvas.link(try #require(LinkTarget("https://a.example")), x: 11, y: 0, count: 4)
      terminal.feed(screen.frame(canvas))
      canvas.write("plain", y: 2)
      terminal.feed(screen.frame(canvas))
      #expect(terminal[0, 0].bold && terminal[0, 12].bold && !terminal[2, 0].bold)
    }
  }
}
