import CockpitChat
import Testing

@Suite struct MarkdownTests {
  private func blocks(_ text: String) -> [MarkdownBlock] {
    MarkdownText(text).segments.flatMap { segment -> [MarkdownBlock] in
      switch segment.kind {
      case .prose: return MarkdownBlock.blocks(segment.text)
      case .code(let language, _, _):
        var block = MarkdownBlock(kind: .code(language: language))
        block.text = segment.text
        return [block]
      }
    }
  }

  @Test func `headings, lists, quotes, code, rules`() {
    let found = blocks(
      """
      # Title #
      Text over
      two lines.

      - one
        - two **deep**
      - [x] done
      3. three

      > quote
      >> deeper

      ```swift
      let x = 1

      # no heading
      ```
      ***
      Setext
      ------
      """)
    let kinds: [MarkdownBlock.Kind] = [
      .heading(level: 1), .paragraph, .item(marker: "-", isDone: nil),
      .item(marker: "-", isDone: nil), .item(marker: "-", isDone: true),
      .item(marker: "3.", isDone: nil), .paragraph, .paragraph, .code(language: "swift"), .rule,
      .heading(level: 2),
    ]
    #expect(found.map(\.kind) == kinds)
    #expect(found[0].text == "Title")
    #expect(found[1].text == "Text over two lines.")
    #expect(found.map(\.lists) == [0, 0, 1, 2, 1, 1, 0, 0, 0, 0, 0])
    #expect(found[6].quotes == 1 && found[7].quotes == 2)
    #expect(found[8].text == "let x = 1\n\n# no heading\n")
  }

  @Test(arguments: [
    ("a **b** c", [MarkdownRun("a "), MarkdownRun("b", .strong), MarkdownRun(" c")]),
    ("*a* _b_", [MarkdownRun("a", .emphasis), MarkdownRun(" "), MarkdownRun("b", .emphasis)]),
    ("**a *b***", [MarkdownRun("a ", .strong), MarkdownRun("b", [.strong, .emphasis])]),
    (
      "snake_case_name 2*3*4",
      [MarkdownRun("snake_case_name 2"), MarkdownRun("3", .emphasis), MarkdownRun("4")]
    ),
    ("a ** b", [MarkdownRun("a ** b")]), ("**open", [MarkdownRun("**open")]),
    ("`a*b*` ``x`y``", [MarkdownRun("a*b*", .code), MarkdownRun(" "), MarkdownRun("x`y", .code)]),
    ("~~no~~ \\*x\\*", [MarkdownRun("no", .deleted), MarkdownRun(" *x*")]),
    ("[bank.com](http://evil)", [MarkdownRun("bank.com", link: "http://evil")]),
    ("![alt](http://h/a)", [MarkdownRun("[image: alt]", link: "http://h/a")]),
    ("[a](b", [MarkdownRun("[a](b")]), ("<https://x.org>", [MarkdownRun("https://x.org")]),
  ])
  func inlines(_ text: String, _ runs: [MarkdownRun]) {
    #expect(MarkdownRun.runs(of: text) == runs)
  }

  @Test func `a table has as many cells in a row as its head`() {
    guard
      case .table(let table)? = blocks("| a | b |\n|:--|--:|\n| 1 | x \\| y | z |\n| 2 |\n").first?
        .kind
    else {
      Issue.record("no table")
      return
    }
    #expect(table.rows == [["a", "b"], ["1", "x | y"], ["2", ""]])
    #expect(table.alignments == [.left, .right])
  }

  @Test func `an unclosed fence is code so far, and closes with its mark alone`() {
    var text = MarkdownText("x\n\n````py\nprint(1)\n```\n")
    #expect(text.open?.kind == .code(language: "py", block: 1, isFirst: true))
    #expect(text.open?.text == "print(1)\n```\n")
    text.append("````")
    #expect(text.open?.text == "print(1)\n```\n")
    text.append("\nafter")
    #expect(text.segments.last == .init(kind: .prose, text: "after"))
    #expect(text.code(block: 1) == "print(1)\n```\n")
  }

  @Test func `pieces of any size give the same segments as the whole`() {
    let source =
      "# A\r\n\r\ntext `a` b\n\n```\ncode\n" + String(repeating: "x = 1\n", count: 2_000)
      + "```\n| a | b |\n|---|---|\n" + String(repeating: "| 1 | 2 |\n", count: 900)
      + "\n" + String(repeating: "wörd ", count: 5_000) + "\n- a\n  - b\n"
    let whole = MarkdownText(source)
    for size in [1, 2, 3, 7, 64, 1_000, 100_000] {
      var pieces = MarkdownText()
      var left = Substring(source)
      while !left.isEmpty {
        pieces.append(String(left.unicodeScalars.prefix(size)))
        left = Substring(left.unicodeScalars.dropFirst(size))
      }
      #expect(pieces.segments == whole.segments, "pieces of \(size)")
    }
    #expect(whole.segments.allSatisfy { $0.text.utf8.count <= 9_000 })
  }

  @Test func `closed segments never change while a text grows`() {
    var text = MarkdownText()
    var seen: [MarkdownText.Segment] = []
    for line in 0..<3_000 {
      text.append(line % 50 == 0 ? "```\n" : "line \(line) | **x**\n")
      #expect(Array(text.closed.prefix(seen.count)) == seen)
      seen = text.closed
    }
  }

  @Test(arguments: [
    String(repeating: ">", count: 10_000) + " deep", String(repeating: "> ", count: 10_000),
    String(repeating: "x", count: 1_000_000), String(repeating: "*a", count: 200_000),
    String(repeating: "[", count: 100_000) + "](x)", String(repeating: "`a``b", count: 50_000),
    "|" + String(repeating: " a |", count: 1_000) + "\n|" + String(repeating: "-|", count: 1_000)
      + "\n|" + String(repeating: " 1 |", count: 1_000),
    String(repeating: "- \n  ", count: 20_000), "\u{202E}gnp.exe \u{0} \u{1B}[2J \u{7}\n",
  ])
  func `hostile text is bounded`(_ text: String) {
    let segments = MarkdownText(text).segments
    #expect(segments.allSatisfy { $0.text.utf8.count <= 9_000 })
    #expect(segments.count <= text.utf8.count / 2_000 + 20_002)
    for block in segments.flatMap({ MarkdownBlock.blocks($0.text) }) {
      #expect(block.quotes <= MarkdownBlock.depthLimit && block.lists <= MarkdownBlock.depthLimit)
      if case .table(let table) = block.kind {
        #expect(table.alignments.count <= MarkdownTable.columnLimit)
      }
      _ = block.inlines
    }
  }
}
