import TerminalCore
import Testing

@testable import TerminalUI

/// What is drawn over a part is not kept with it.
@Suite struct FrameHighlightTests {
  private static let size = Size(width: 12, height: 3)
  private static let area = Rect(x: 1, width: 10, height: 1)

  /// A frame with one part, in a row of the screen, with a highlight or without one.
  private func frame(after last: Frame?, row: Int, isSelected: Bool) -> Frame {
    var frame = Frame(size: Self.size, after: last)
    let area = Self.area.moved(rows: row)
    let highlight: ((inout Canvas) -> Void)? =
      isSelected ? { $0.paintRow(0, background: .selection) } : nil
    let isKnown = frame.copy(area, highlight: highlight) {
      ($0 as? SharedValue<String>)?.value == "part"
    }
    if !isKnown {
      frame.draw(SharedValue("part"), in: area, highlight: highlight) {
        $0.canvas.write("part", x: area.x, y: area.y)
      }
    }
    frame.finish()
    return frame
  }

  @Test func aPartIsCopiedAsItWasWithoutIt() {
    let selected = frame(after: nil, row: 1, isSelected: true)
    #expect(selected.canvas[1, 1].background == .selection)
    #expect(selected.canvas[0, 1].background == nil)
    let plain = frame(after: selected, row: 1, isSelected: false)
    #expect(plain.reusedParts == 1)
    #expect(plain.canvas == frame(after: nil, row: 1, isSelected: false).canvas)
    // Again with it, and moved.
    let moved = frame(after: plain, row: 2, isSelected: true)
    #expect(moved.reusedParts == 1)
    #expect(moved.canvas == frame(after: nil, row: 2, isSelected: true).canvas)
    let back = frame(after: moved, row: 0, isSelected: false)
    #expect(back.reusedParts == 1)
    #expect(back.canvas == frame(after: nil, row: 0, isSelected: false).canvas)
  }
}
