import Foundation
import Testing

/// The dependency law of ARCHITECTURE.md. SwiftPM lets a target import whatever happens to be
/// built; this does not.
@Suite struct ArchitectureTests {
  /// What the files of each target may import, of our own modules and of the few that mean I/O.
  private static let mayImport: [String: Set<String>] = [
    "TerminalCore": [],
    "MainLoop": ["CMainLoop", "Dispatch"],
    "Children": ["CSpawn", "Dispatch"],
    "TerminalCurses": [
      "Children", "MainLoop", "TerminalCore", "CTermSupport", "CNcurses", "Dispatch",
    ],
    "LenientJSON": ["CByteMarks"],
    "AgentProtocol": ["LenientJSON"],
    "ClankyWire": ["LenientJSON"],
    "Networking": [],
    "WebSocketCodec": [],
    "CockpitDomain": ["Networking"],
    "ClankySource": ["CockpitDomain", "Networking", "ClankyWire", "LenientJSON"],
    "CurlTransport": [
      "Networking", "MainLoop", "WebSocketCodec", "CCurl", "CLeafPin", "Dispatch",
      "Synchronization",
    ],
    "DeviceKeys": ["COpenSSL"],
    "OpenClawWire": ["LenientJSON"],
    "CockpitChat": ["LenientJSON", "Networking"],
    "ElevenLabsWire": ["LenientJSON"],
    "ElevenLabsSource": [
      "CockpitChat", "ClankyWire", "CockpitDomain", "DeviceKeys", "ElevenLabsWire", "LenientJSON",
      "Networking",
    ],
    "OpenClawSource": [
      "ClankyWire", "CockpitChat", "CockpitDomain", "DeviceKeys", "LenientJSON", "Networking",
      "OpenClawWire",
    ],
    "CockpitStores": ["ClankyWire", "CockpitDomain", "Networking", "LenientJSON", "Observation"],
    "TerminalUI": ["TerminalCore"],
    "CockpitText": [
      "ClankyWire", "CockpitDomain", "Networking", "CockpitStores", "LenientJSON", "TerminalCore",
    ],
    "CockpitStatistics": [],
    "CockpitAnswers": [
      "ClankyWire", "CockpitDomain", "Networking", "CockpitStatistics", "CockpitStores",
      "CockpitText", "LenientJSON", "TerminalCore",
    ],
    "CockpitRules": [
      "ClankyWire", "CockpitStatistics", "CockpitStores", "CockpitText", "LenientJSON",
      "TerminalCore",
    ],
    "CockpitPanes": [
      "CockpitChat",
      "ClankyWire", "CockpitDomain", "Networking", "CockpitAnswers", "CockpitRules",
      "CockpitStores", "CockpitText",
      "LenientJSON",
      "TerminalCore",
      "TerminalUI",
    ],
    "CockpitShell": [
      "CockpitChat",
      "ClankyWire", "CockpitDomain", "Networking", "CockpitAnswers", "CockpitPanes",
      "CockpitRules", "CockpitStores", "CockpitText", "LenientJSON", "TerminalCore", "TerminalUI",
    ],
    "Gzip": ["CZlib"],
    "Images": ["CImages"],
    "QRCode": [],
    "TOML": ["TOMLKit"],
    "CockpitFiles": ["Children", "TOML", "TOMLKit", "Dispatch"],
    "CockpitHistory": [
      "CSQLite", "CZstd", "CockpitDomain", "CockpitFiles", "ClankyWire", "LenientJSON", "Dispatch",
      "Synchronization",
    ],
    "CockpitSinks": [
      "ClankyWire", "CockpitDomain", "CockpitHistory", "DeviceKeys", "Dispatch", "Gzip",
      "LenientJSON", "Networking", "Synchronization",
    ],
    "CockpitSession": [
      "CockpitChat", "CompanionWire",
      "Children", "CurlTransport", "CockpitDomain", "CockpitHistory", "Networking", "ClankySource",
      "ClankyWire",
      "CockpitAnswers",
      "CockpitDemo",
      "CockpitFiles", "CockpitPanes", "CockpitShell", "CockpitRules", "CockpitSinks",
      "CockpitStatistics", "CockpitStores",
      "CockpitText",
      "CockpitThemes",
      "CTermSupport", "DeviceKeys", "Dispatch", "ElevenLabsSource", "ElevenLabsWire", "Images",
      "LenientJSON", "MainLoop", "Observation", "OpenClawSource", "OpenClawWire", "Synchronization",
      "TerminalCore", "TerminalCurses",
      "TerminalUI", "TOML",
    ],
    "CockpitApp": [
      "CockpitChat",
      "Children", "CurlTransport", "CockpitDomain", "CockpitHistory", "Networking", "ClankySource",
      "ClankyWire",
      "CockpitAnswers",
      "CockpitFiles",
      "CockpitPanes", "CockpitShell", "CockpitSession", "CockpitRules", "CockpitStores",
      "CockpitText",
      "CTermSupport",
      "Dispatch", "LenientJSON", "MainLoop", "Observation", "Synchronization", "TerminalCore",
      "TerminalCurses", "TerminalUI", "TOML",
    ],
    "CockpitCLI": [
      "AgentProtocol", "CockpitChat", "QRCode",
      "ArgumentParser", "Children", "CurlTransport", "CockpitDomain", "CockpitHistory",
      "Networking", "ClankySource",
      "ClankyWire",
      "CockpitAnswers", "CockpitApp", "CockpitDemo", "CockpitFiles", "CockpitPanes", "CockpitShell",
      "CockpitSession", "CockpitSinks",
      "CockpitRules", "CockpitStores", "CockpitText", "CockpitThemes", "CTermSupport",
      "DeviceKeys", "Dispatch", "ElevenLabsSource", "ElevenLabsWire", "LenientJSON", "MainLoop",
      "OpenClawSource", "OpenClawWire", "Synchronization", "TerminalCore", "TerminalCurses",
      "TerminalUI", "TOML",
    ],
    "clanky-cockpit": ["CockpitCLI", "CockpitSession"],
    "CockpitDemo": ["COpenSSL", "FlyingSocks", "Dispatch", "Synchronization"],
    "themes": ["TOML", "TerminalCore", "TOMLKit"],
  ]

  private static let watched: Set<String> = mayImport.values.reduce(
    Set(mayImport.keys).union(["CockpitThemes", "FoundationNetworking"])
  ) { $0.union($1) }

  @Test("targets import only what they may", arguments: mayImport.keys.sorted())
  func imports(target: String) throws {
    for file in try Self.files(in: target) {
      let strays = try Self.imports(of: file).intersection(Self.watched)
        .subtracting(Self.mayImport[target, default: []])
      #expect(strays.isEmpty, "\(target)/\(file.lastPathComponent) imports \(strays.sorted())")
    }
  }

  @Test(
    "one folder imports ncurses, one target libcurl, one libcrypto, one SQLite and zstd, one images"
  )
  func oneDoor() throws {
    let all = try Self.mayImport.keys.flatMap { target in
      try Self.files(in: target).map { (target, $0) }
    }
    let curses = try all.filter { try Self.imports(of: $0.1).contains("CNcurses") }
    #expect(!curses.isEmpty)
    for (target, file) in curses {
      #expect(target == "TerminalCurses")
      #expect(file.deletingLastPathComponent().lastPathComponent == "Screen", "\(file.path)")
    }
    for (module, allowed) in [
      // The demo proves the signatures that the client makes: it shares the library, not the code.
      ("CCurl", ["CurlTransport"]), ("CLeafPin", ["CurlTransport"]),
      ("COpenSSL", ["CockpitDemo", "DeviceKeys"]),
      ("CSQLite", ["CockpitHistory"]), ("CZstd", ["CockpitHistory"]), ("CZlib", ["Gzip"]),
      ("CImages", ["Images"]), ("Images", ["CockpitSession"]),
    ] as [(String, [String])] {
      let owners = Set(
        try all.filter { try Self.imports(of: $0.1).contains(module) }.map(\.0))
      #expect(owners == Set(allowed), "\(module) is imported by \(owners.sorted())")
    }
  }

  @Test(
    "panes reach for no clock, no task and no file",
    arguments: [
      "CockpitAnswers", "CockpitPanes", "CockpitRules", "CockpitShell", "CockpitText",
      "TerminalCore", "TerminalUI",
    ])
  func purity(target: String) throws {
    let forbidden = [
      "Date()", "Date.now", ".now()", "Task {", "DispatchQueue", "FileManager", "ProcessInfo",
      "UserDefaults", "Timer(",
    ]
    for file in try Self.files(in: target) {
      let text = try String(contentsOf: file, encoding: .utf8)
      for word in forbidden {
        #expect(!text.contains(word), "\(file.lastPathComponent) uses \(word)")
      }
    }
  }

  @Test("nothing is forced, nothing is unchecked without a proof beside it")
  func noForce() throws {
    for target in Self.mayImport.keys.sorted() {
      for file in try Self.files(in: target) {
        let lines = try String(contentsOf: file, encoding: .utf8).split(
          separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
          let code = line.split(separator: "//", maxSplits: 1).first.map(String.init) ?? ""
          #expect(!code.contains("try!"), "\(file.lastPathComponent):\(index + 1)")
          guard code.contains("@unchecked Sendable") else { continue }
          let above = lines[max(0, index - 6)..<index].contains { $0.contains("//") }
          #expect(above, "\(file.lastPathComponent):\(index + 1) needs a comment that proves it")
        }
      }
    }
  }

  @Test("main.swift alone ends the process, and reads its arguments")
  func oneEnd() throws {
    for target in Self.mayImport.keys.sorted() {
      for file in try Self.files(in: target) where file.lastPathComponent != "main.swift" {
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(!text.contains("CommandLine.arguments"), "\(target)/\(file.lastPathComponent)")
        // `.exit(` is a value that says how to end.
        for line in text.split(separator: "\n") where line.contains("exit(") {
          let ends = line.firstMatch(of: #/(?:^|[^.\w]|Foundation\.|Glibc\.)_?exit\(/#) != nil
          #expect(
            !ends || line.contains("case exit("), "\(target)/\(file.lastPathComponent): \(line)")
        }
      }
    }
  }

  @Test(
    "what draws and what states needs changes nothing: it is no mutating function of a pane or the shell"
  )
  func drawingIsPure() throws {
    let pure = ["render", "needs", "draw", "drawTab", "hints", "plainText", "copyItems", "lines"]
    var found = 0
    for target in ["CockpitPanes", "CockpitShell", "CockpitText"] {
      for file in try Self.files(in: target) {
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
          guard let name = line.firstMatch(of: #/func (\w+)/#)?.output.1,
            pure.contains(String(name))
          else { continue }
          found += 1
          #expect(!line.contains("mutating"), "\(file.lastPathComponent): \(line)")
        }
      }
    }
    #expect(found > 50)
  }

  @Test(
    "what draws is made of values: no class in it remembers anything from one frame to the next",
    arguments: ["CockpitAnswers", "CockpitPanes", "CockpitShell", "CockpitText", "TerminalUI"])
  func drawingRemembersNothing(target: String) throws {
    for file in try Self.files(in: target) {
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        let code =
          line.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
        let declares = code.firstMatch(of: #/\b(?:class|actor) [A-Z]\w*/#) != nil
        #expect(!declares, "\(target)/\(file.lastPathComponent): \(line)")
      }
    }
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func files(in target: String) throws -> [URL] {
    let folder = root.appending(path: target == "themes" ? "themes" : "Sources/\(target)")
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path())
      .filter { $0.hasSuffix(".swift") }.map { folder.appending(path: $0) }
  }

  private static func imports(of file: URL) throws -> Set<String> {
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    return Set(
      lines.compactMap { line in
        let words = line.split(separator: " ")
        guard let index = words.firstIndex(of: "import"), index <= 1 else { return nil }
        return words.last.map(String.init)
      })
  }
}
