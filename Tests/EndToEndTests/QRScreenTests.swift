import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// What the program draws on a terminal, read back from the picture of that terminal by zbarimg.
  @Suite("QR codes on the screen", .enabled(if: Zbar.isThere, "zbarimg is not here"))
  struct QRScreenTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private static let code = String(
      Data(
        #"{"url":"wss://claw.example:18789","bootstrapToken":"c0de-4711-lantern-c0de-4711-lantern","expiresAtMs":4102444800000}"#
          .utf8
      ).base64EncodedString().prefix { $0 != "=" })

    private func start(
      _ arguments: [String], rows: Int, columns: Int, term: String = "xterm-256color",
      _ more: [String: String] = [:]
    ) throws -> PTYProcess {
      try PTYProcess(
        Tool.path, arguments, environment: Tool.environment(home: home, term: term, more),
        rows: rows, columns: columns)
    }

    /// A picture of the terminal, which is green where nothing was drawn: PPM, a cell is 6 pixels wide and 12 high.
    private func picture(_ terminal: VirtualTerminal) throws -> String {
      let (width, height) = (terminal.columns * 6, terminal.rows * 12)
      var pixels = [UInt8](repeating: 0, count: width * height * 3)
      for row in 0..<terminal.rows {
        for column in 0..<terminal.columns {
          let cell = terminal[row, column]
          let back = cell.background ?? 0x004000
          let ink = cell.foreground ?? 0x00C000
          let (upper, lower) =
            switch cell.text {
            case "█": (ink, ink)
            case "▀": (ink, back)
            case "▄": (back, ink)
            default: (back, back)
            }
          for y in 0..<12 {
            for x in 0..<6 {
              let color = y < 6 ? upper : lower
              let at = ((row * 12 + y) * width + column * 6 + x) * 3
              pixels[at] = UInt8(color >> 16 & 0xFF)
              pixels[at + 1] = UInt8(color >> 8 & 0xFF)
              pixels[at + 2] = UInt8(color & 0xFF)
            }
          }
        }
      }
      let file = home.path + "/screen.ppm"
      try Data(Array("P6 \(width) \(height) 255\n".utf8) + pixels).write(to: URL(filePath: file))
      return file
    }

    private func read(_ terminal: VirtualTerminal) throws -> String {
      let tool = try PipedProcess(
        Zbar.path, ["-q", "--raw", "-Sdisable", "-Sqrcode.enable", try picture(terminal)],
        environment: ["PATH": "/usr/bin:/bin"])
      _ = tool.wait()
      return tool.text.trimmingCharacters(in: .newlines)
    }

    @Test(
      "a setup code is read back, in half blocks and in ASCII, with few colours, whatever the theme",
      arguments: [
        ([], "xterm-256color", 40, 120), ([], "xterm", 40, 120), ([], "xterm-256color", 60, 200),
        (["--ascii"], "xterm-256color", 60, 200), (["--ascii"], "xterm", 60, 120),
      ] as [([String], String, Int, Int)])
    func verb(options: [String], term: String, rows: Int, columns: Int) throws {
      let pty = try start(["qr", "-"] + options, rows: rows, columns: columns, term: term)
      pty.send(Self.code + "\n")
      #expect(pty.wait() == .exited(0), "\(pty.terminal.text)")
      #expect(try read(pty.terminal) == Self.code)
      #expect(pty.terminal.text.contains("whoever takes a picture of it can use it"))
      #expect(!pty.terminal.text.contains("history of the shell"))
    }

    @Test("short texts fit 80 by 24; NO_COLOR does not make a code unreadable; the locale decides")
    func small() throws {
      for more in [[:], ["NO_COLOR": "1"], ["LANG": "C", "LC_ALL": "C"]] {
        let isASCII = more["LANG"] != nil
        let pty = try start(
          ["qr", "lantern"], rows: isASCII ? 40 : 24, columns: 80, more)
        #expect(pty.wait() == .exited(0), "\(pty.terminal.text)")
        #expect(try read(pty.terminal) == "lantern", "\(more)")
        #expect(!pty.terminal.text.contains("can use it"))
        #expect(!isASCII || pty.output.allSatisfy { $0 < 0x80 })
      }
    }

    @Test("a terminal that is too small is told the size that is needed")
    func size() throws {
      let pty = try start(["qr", Self.code], rows: 24, columns: 80)
      #expect(pty.wait() == .exited(1))
      let words = String(decoding: pty.output, as: UTF8.self)
      let sizes = try #require(words.firstMatch(of: /needs (\d+) columns and (\d+) rows/))
      let (columns, rows) = (try #require(Int(sizes.1)), try #require(Int(sizes.2)))
      #expect(words.contains("has 80 and 24"))
      #expect(try start(["qr", Self.code], rows: rows - 1, columns: columns).wait() == .exited(1))
      #expect(try start(["qr", Self.code], rows: rows, columns: columns - 1).wait() == .exited(1))
      let fitting = try start(["qr", Self.code], rows: rows, columns: columns)
      #expect(fitting.wait() == .exited(0))
    }

    @Test(
      "into a pipe there are no control sequences, and a code on a command line is complained of")
    func pipe() throws {
      let process = try PipedProcess(
        Tool.path, ["qr", Self.code], environment: Tool.environment(home: home))
      #expect(process.wait() == .exited(0))
      #expect(!process.text.contains("\u{1B}") && process.text.contains("▄"))
      #expect(process.errorText.contains("history of the shell"))
      let none = try PipedProcess(
        Tool.path, ["qr", ""], environment: Tool.environment(home: home))
      #expect(none.wait() == .exited(2))
    }

    @Test("the demo's setup code from the picture of its terminal lets a device in")
    func demo() throws {
      let pty = try start(["demo", "--kind", "openclaw", "--qr"], rows: 60, columns: 200)
      var setupCode: String?
      #expect(
        pty.pump(timeout: Tool.patience) {
          let text = String(decoding: pty.output, as: UTF8.self)
          setupCode = text.firstMatch(of: /"setup_code":"([^"]+)"/).map { String($0.1) }
          // Complete with the two empty lines of its lower margin; no line of the symbol itself is empty.
          let end = text.split(separator: "\r\n", omittingEmptySubsequences: false).suffix(3)
          let isMargin = end.dropLast().allSatisfy { line in
            line.replacing(/\u{1B}\[[0-9;]*m/, with: "").allSatisfy { $0 == " " }
          }
          return setupCode != nil && end.last == "" && isMargin
            && text.count(where: { $0 == "▀" }) > 100
        }, "\(pty.terminal.text)")
      let read = try read(pty.terminal)
      #expect(read == setupCode)
      // As a picture of it: the way of somebody who took a photograph.
      let image = home.path + "/screen.ppm"
      let setup = try PTYProcess(
        "/bin/sh",
        [
          "-c",
          "echo '\(image)' | '\(Tool.path)' setup --kind openclaw --profile claw --setup-code-stdin --store file 2>&1",
        ], environment: Tool.environment(home: home), rows: 24, columns: 200)
      #expect(setup.wait(timeout: Tool.patience) == .exited(0), "\(setup.terminal.text)")
      #expect(setup.terminal.text.contains("It works."), "\(setup.terminal.text)")
      pty.signal(SIGTERM)
      _ = pty.wait()
    }
  }
}

private enum Zbar {
  static let path = "/usr/bin/zbarimg"
  static var isThere: Bool { FileManager.default.isExecutableFile(atPath: path) }
}
