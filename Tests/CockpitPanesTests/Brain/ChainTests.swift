import TerminalUI
import TerminalCore
import TerminalTestKit
import Testing

@testable import CockpitPanes
@testable import CockpitStores

/// Drawings of chains that are written out by hand: the three paths of contract 8.8.
@MainActor
@Suite struct ChainTests {
  private func node(
    _ id: Int, _ kind: ToolChain.Kind, _ name: String, _ start: Int64?, _ duration: Int?,
    critical: Bool = true, success: Bool? = true, detail: String? = nil
  ) -> ToolChain.Node {
    var node = ToolChain.Node(kind, name)
    node.id = id
    node.startMs = start
    node.durationMs = duration
    node.endMs = start.flatMap { start in duration.map { start + Int64($0) } }
    node.isCritical = critical
    node.isSuccess = success
    node.detail = detail
    return node
  }

  private func chain(_ path: ToolChain.Path, _ columns: [[ToolChain.Node]]) -> ToolChain {
    var chain = ToolChain(path: path, columns: columns)
    chain.costUSD = 0.0145
    return chain
  }

  private func draw(_ chain: ToolChain, _ size: Size) -> Canvas {
    var frame = Frame(size: size)
    ChainPanel.draw(
      chain, scroll: 0, in: Rect(width: size.width, height: size.height), into: &frame)
    return frame.canvas
  }

  private var brain: ToolChain {
    chain(
      .brain,
      [
        [node(0, .llm, "claude-opus-4-6", 0, 2100)],
        [
          node(1, .tool, "web_search", 2100, 1200),
          node(2, .tool, "memory_recall", 2100, nil, critical: false),
          node(3, .tool, "play_sound", 2150, 300, critical: false, success: false),
        ],
        [node(4, .llm, "claude-opus-4-6", 3300, 900)],
        [node(5, .reply, "reply", 4200, nil, detail: String(repeating: "x", count: 240))],
        [node(6, .audio, "audio", 4200, 80)],
      ])
  }

  @Test("own brain, provider and text")
  func paths() throws {
    let wide = Size(width: 100, height: 14)
    try expectGolden(draw(brain, wide), "chain-brain-100x14")
    let provider = chain(
      .provider,
      [
        [node(0, .llm, "grok-voice", nil, nil)], [node(1, .tool, "web_search", 100, 700)],
        [node(2, .reply, "reply", 900, nil)],
      ])
    try expectGolden(draw(provider, wide), "chain-provider-100x14")
    let text = chain(
      .text,
      [
        [node(0, .llm, "claude-opus-4-6", nil, nil)],
        [node(1, .tool, "search_call", 500, 1240), node(2, .tool, "memory_search", nil, nil)],
        [node(3, .llm, "claude-opus-4-6", nil, nil)], [node(4, .reply, "reply", 4000, nil)],
      ])
    try expectGolden(draw(text, wide), "chain-text-100x14")
  }

  @Test("little room: the flow stays, the axis becomes one line, then goes")
  func small() throws {
    try expectGolden(draw(brain, Size(width: 78, height: 4)), "chain-brain-78x4")
    try expectGolden(draw(brain, Size(width: 40, height: 9)), "chain-brain-40x9")
    try expectGolden(draw(brain, Size(width: 70, height: 7)), "chain-brain-70x7")
  }

  @Test("a time that is not known is not written")
  func unknown() {
    let text = draw(brain, Size(width: 120, height: 12)).text
    let line = text.split(separator: "\n").first { $0.contains("memory_recall") } ?? ""
    #expect(!line.contains("0ms") && !line.contains("0.0"))
    #expect(text.contains("without a known time"))
  }

  @Test("hundreds of nodes and no nodes at all")
  func extremes() {
    let many = (0..<300).map { [node($0, .tool, "tool_\($0)", Int64($0), 1)] }
    let wide = [(0..<300).map { node($0, .tool, "tool_\($0)", Int64($0), 1) }]
    for columns in [many, wide, []] {
      for size in [
        Size(width: 1, height: 1), Size(width: 40, height: 3), Size(width: 200, height: 50),
      ] {
        #expect(draw(chain(.text, columns), size).size == size)
      }
    }
  }
}
