import Foundation

extension Bench {
  /// MEMORY with 20,000 facts against MEMORY with 100: from the start to the first list, and from a
  /// letter that is typed into find to the frame that shows it.
  func measureFacts() throws {
    report.begin("MEMORY with 20,000 facts against 100")
    let few = try DemoProcess(cockpit: backend, scenario: "quiet", facts: 100)
    let many = try DemoProcess(cockpit: backend, scenario: "quiet", facts: 20_000)
    var (small, large) = ([Double](), [Double]())
    for _ in 0..<effort.pairs {
      small.append(try firstFacts(few))
      large.append(try firstFacts(many))
    }
    report.add(
      "first list of facts, 100 facts", figure: Spread(small).text("ms", digits: 0))
    report.add(
      "first list of facts, 20,000 facts", figure: Spread(large).text("ms", digits: 0))
    let ratio = Spread(zip(large, small).map { $0 / $1 })
    report.add(
      "20,000 against 100", target: "<= 2", figure: ratio.text("x"), isMet: ratio.median <= 2)

    let all = try openMemory(many)
    guard Screen.serve([all], seconds: 60, until: { Self.listsEverything(all) }) else {
      throw BenchmarkError("the facts did not all come in 60 s:\n\(all.text)")
    }
    let one = try openMemory(few)
    Screen.serve([one], seconds: 3)
    let letters = Spread(typeIntoFind(all))
    let lettersOfFew = Spread(typeIntoFind(one))
    report.add("a letter of find, 100 facts", figure: line(lettersOfFew))
    report.add(
      "a letter of find, 20,000 facts", target: "p95 <= 100 ms (a frame)", figure: line(letters),
      isMet: letters.p95 <= 100)
    if let memory = ProcessFigures.residentBytes(all.processID) {
      report.add(
        "memory with 20,000 facts", figure: "\(number(Double(memory) / 1e6, 1)) MB resident")
    }
    for screen in [all, one] {
      screen.send("\u{1B}\u{3}\u{3}")
      _ = screen.end(seconds: 5)
    }
  }

  private func openMemory(_ demo: DemoProcess) throws -> Screen {
    try openCockpit(demo, arguments: ["--tab", "memory"])
  }

  private func line(_ spread: Spread) -> String {
    "median \(number(spread.median)) ms, p95 \(number(spread.p95)) ms"
  }

  /// Whether the count in the header is the whole: five digits, and no "of".
  private static func listsEverything(_ screen: Screen) -> Bool {
    screen.text.split(separator: "\n").prefix(3).contains {
      $0.firstMatch(of: /20[,.]?0\d\d facts/) != nil && !$0.contains("loading")
        && !$0.contains(" of ")
    }
  }

  private func firstFacts(_ demo: DemoProcess) throws -> Double {
    let screen = try openMemory(demo)
    let isThere = Screen.serve([screen], seconds: 20) {
      screen.text.split(separator: "\n").count { $0.contains("▌ user …") } > 10
    }
    guard isThere else { throw BenchmarkError("no facts in 20 s:\n\(screen.text)") }
    let ms = Double(screen.lastByteNs - screen.startNs) / 1e6
    screen.send("\u{3}\u{3}")
    _ = screen.end(seconds: 5)
    return ms
  }

  /// Types words into find letter by letter and takes them back.
  private func typeIntoFind(_ screen: Screen) -> [Double] {
    var result: [Double] = []
    for word in ["kites", "learning", "note 19", "zzz"] {
      screen.send("/")
      Screen.serve([screen], seconds: 0.4)
      for letter in word {
        Screen.serve([screen], seconds: 0.15)
        let before = screen.byteCount
        let start = nowNs()
        screen.send(String(letter))
        if Screen.serve([screen], seconds: 5, until: { screen.byteCount > before }) {
          result.append(Double(screen.lastByteNs - start) / 1e6)
        }
      }
      screen.send("\u{1B}")
      Screen.serve([screen], seconds: 0.4)
    }
    return result
  }
}
