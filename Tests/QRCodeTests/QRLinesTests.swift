import Testing

@testable import QRCode

@Suite struct QRLinesTests {
  /// The modules that lines show, quiet zone included, by what each character covers.
  private func modules(_ lines: [String], _ form: QRLines.Form) -> [[Bool]] {
    let plain = lines.map { line in
      line.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    }
    guard form == .halfBlocks else {
      return plain.map { line in
        let letters = Array(line)
        return stride(from: 0, to: letters.count, by: 2).map { letters[$0] == "#" }
      }
    }
    return plain.flatMap { line in
      [line.map { "█▀".contains($0) }, line.map { "█▄".contains($0) }]
    }
  }

  @Test("lines show the modules, in their middle, with four light ones around", arguments: 1...40)
  func plain(version: Int) throws {
    let code = try #require(QRCode(Array("lantern".utf8), level: .low, atLeast: version))
    for form in QRLines.Form.allCases {
      let drawing = QRLines(code, form: form)
      let lines = drawing.lines(.plain)
      #expect(lines.count == drawing.rows)
      #expect(lines.allSatisfy { $0.count == drawing.columns })
      #expect(form == .halfBlocks || lines.allSatisfy { $0.allSatisfy(\.isASCII) })
      let shown = modules(lines, form)
      for (y, row) in shown.enumerated() {
        for (x, isDark) in row.enumerated() {
          let isInside = (4..<4 + code.side).contains(x) && (4..<4 + code.side).contains(y)
          let wanted = isInside && code.modules[(y - 4) * code.side + x - 4]
          guard isDark == wanted else {
            Issue.record("version \(version), \(form): module \(x), \(y)")
            return
          }
        }
      }
    }
  }

  @Test("with colours each line is complete by itself, and has the same characters")
  func colours() throws {
    let code = try #require(QRCode(Array("lantern".utf8)))
    for form in QRLines.Form.allCases {
      let drawing = QRLines(code, form: form)
      for ink in [QRLines.Ink.eight, .indexed] {
        for line in drawing.lines(ink) {
          #expect(line.hasPrefix("\u{1B}[") && line.hasSuffix("\u{1B}[0m"))
          #expect(line.replacing(/\u{1B}\[[0-9;]*m/, with: "").count == drawing.columns)
        }
      }
    }
  }
}
