import CockpitChat
import TerminalCore
import TerminalTestKit
import Testing

@testable import CockpitPanes

@Suite struct MarkdownGoldenTests {
  private static let document = """
    # Report of *today*

    The build is **green**, `swift test` took _4 minutes_ and ~~12~~ 11 warnings are left. \
    See [the log](https://ci.example.org/log?id=4) and [bank.com](http://evil.example/login).

    ## Steps
    1. Fetch the sources
       - from `main`
         - and its submodules
       - [x] with tags
    2. Build, which takes a while when nothing is in the cache, so that this line wraps

    > A quote that is long enough to be wrapped in every one of the widths that are drawn here.
    >> and one in it

    ```swift
    func answer() -> Int {
    \treturn 42 // a comment that is rather long and goes on for more than one hundred and twenty columns of a terminal
    }
    ```

    | Name | Runs | What it says |
    |:-----|-----:|:------------:|
    | ops | 12 | all is **well** |
    | research | 1,204 | a sentence that has to be wrapped where the table has no room for it |

    ---
    Setext
    ======
    Line one\\
    line two, ![a chart](chart.png) end.

    ```sh
    an unclosed fence
    """

  private static let hostile = """
    \u{202E}gnp.exe\u{202C} \u{0}\u{7}\u{1B}[2J\u{1B}]0;x\u{7} [bank.com](http://evil) \
    [https://bank.com](https://bank.com@evil.example/) [x](javascript:alert\\(1\\)) \
    [ебанк](http://xn--80aa.example) \u{200B}\u{2066}a\u{2069}

    """ + String(repeating: ">", count: 10_000) + " deep\n\n"
    + "|" + (1...1_000).map { " c\($0) |" }.joined() + "\n|" + String(repeating: "-|", count: 1_000)
    + "\n|" + (1...1_000).map { " \($0) |" }.joined() + "\n\n"
    + String(repeating: "- ", count: 400) + "\n\n# " + String(repeating: "日本語", count: 60) + "\n"

  private func lines(_ text: String, width: Int) -> [ChatLine] {
    MarkdownText(text).segments.enumerated().flatMap { index, segment in
      (index > 0 ? [ChatLine([])] : []) + MarkdownLayout(width: width).lines(of: segment)
    }
  }

  private func canvas(_ text: String, width: Int) -> Canvas {
    let lines = lines(text, width: width)
    var canvas = Canvas(size: Size(width: width, height: min(lines.count, 120)))
    for (y, line) in lines.prefix(120).enumerated() { canvas.write(line.spans, x: 0, y: y) }
    return canvas
  }

  @Test("a document and a hostile one at three widths", arguments: [34, 76, 120])
  func goldens(width: Int) throws {
    for (name, text) in [("document", Self.document), ("hostile", Self.hostile)] {
      let canvas = canvas(text, width: width)
      #expect(SoundCanvas.problems(of: canvas).isEmpty)
      try expectGolden(canvas, "markdown-\(name)-\(width)")
    }
  }

  @Test("no line is wider than its place", arguments: [24, 34, 76, 200])
  func widths(width: Int) {
    for text in [Self.document, Self.hostile] {
      #expect(lines(text, width: width).allSatisfy { $0.columns <= width })
    }
  }

  @Test("a link shows the host that it leads to")
  func hosts() {
    let text = lines("[bank.com](http://evil/bank.com) [a](https://b@evil.org)", width: 80)
      .flatMap(\.spans).map(\.text.description).joined()
    #expect(text.contains("bank.com (evil)"))
    #expect(text.contains("a (https://b@evil.org)"))
  }
}
