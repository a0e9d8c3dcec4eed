import ParserProperties
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@testable import TerminalCore

/// Laws of sanitised text, over texts of all the dangerous kinds (promises P1 and P2).
@Suite("any text (promises P1, P2)") struct TextPropertyTests {
  @Test(
    "sanitising once is enough, and the width is the sum of the glyphs", arguments: Seeded.seeds(40)
  )
  func sanitising(seed: UInt64) {
    var random = Seeded(seed)
    for _ in 0..<60 {
      let text = PlainText(random.text(upTo: 60))
      #expect(
        text.description.unicodeScalars.allSatisfy(HarmlessScalar.holds), "seed \(seed): \(text)")
      // A line break that was drawn is a stranger's own glyph the second time.
      let again = PlainText(
        String(
          String.UnicodeScalarView(text.description.unicodeScalars.map { $0 == "⏎" ? "\n" : $0 })))
      #expect(again == text, "seed \(seed): \(text)")
      var sum = 0
      var marks = 0
      text.forEachPiece { piece in
        sum += piece.columns
        marks = max(marks, piece.glyph.scalars.count - 1)
        return true
      }
      #expect(sum == text.columns && marks <= Glyph.maxMarks, "seed \(seed): \(text)")
    }
  }

  @Test("a cut is never wider, and is a beginning of the text", arguments: Seeded.seeds(40))
  func cutting(seed: UInt64) {
    var random = Seeded(seed)
    for _ in 0..<40 {
      let source = random.text(upTo: 60)
      let text = PlainText(source)
      for width in [-1, 0, 1, 2, random.int(0...40)] {
        let cut = text.cut(to: width)
        #expect(cut.columns <= max(0, width), "seed \(seed)")
        if text.columns > width, width > 0 {
          #expect(
            text.description.unicodeScalars.starts(with: cut.description.unicodeScalars.dropLast()))
        }
        let limited = PlainText(source, limit: width)
        #expect(limited.columns <= max(0, width), "seed \(seed)")
        #expect(text.description.unicodeScalars.starts(with: limited.description.unicodeScalars))
        let rest = text.dropFirst(columns: width)
        #expect(rest.columns == max(0, text.columns - max(0, width)), "seed \(seed)")
      }
    }
  }

  @Test("wrapping loses and doubles nothing at any width", arguments: Seeded.seeds(40))
  func wrapping(seed: UInt64) {
    var random = Seeded(seed)
    func letters(_ texts: [PlainText]) -> [Unicode.Scalar] {
      texts.flatMap { $0.description.unicodeScalars.filter { $0 != " " && $0 != "⏎" } }
    }
    for _ in 0..<25 {
      let text = PlainText(random.text(upTo: 80))
      for width in [2, 3, random.int(2...30), 200] {
        let lines = text.wrapped(to: width)
        #expect(letters(lines) == letters([text]), "seed \(seed), width \(width): \(text)")
        #expect(lines.allSatisfy { $0.columns <= width }, "seed \(seed), width \(width)")
      }
      // At one column a wide glyph has no room and is shown as replaced, still once.
      let narrow = text.wrapped(to: 1)
      #expect(narrow.allSatisfy { $0.columns <= 1 })
      var glyphs = 0
      text.forEachPiece { piece in
        if piece.glyph.base != 0x20, piece.glyph.base != Sanitizer.newline { glyphs += 1 }
        return true
      }
      let drawn = narrow.filter { !$0.isEmpty && $0 != " " }.count
      #expect(drawn == glyphs, "seed \(seed): \(text)")
    }
  }

  /// A ratio of CPU times of this thread: neither the machine nor its load counts.
  @Test(
    "ten times the text is not much more than ten times the work",
    arguments: ["a", "世", "e\u{301}\u{334}", "\u{1B}[31m", "a\u{200D}\u{FE0F}", "👨‍👩‍👧", "word ", "\n"])
  func linear(unit: String) {
    func work(_ bytes: Int) -> Duration {
      let text = String(repeating: unit, count: bytes / unit.utf8.count)
      return (0..<3).map { _ in
        let start = threadTime()
        let plain = PlainText(text)
        _ = plain.wrapped(to: 80)
        _ = plain.cut(to: plain.columns - 1)
        return threadTime() - start
      }.min() ?? .zero
    }
    let (small, large) = (work(30_000), work(300_000))
    #expect(large < small * 20 + .milliseconds(20), "\(small) and \(large)")
  }

  private func threadTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
