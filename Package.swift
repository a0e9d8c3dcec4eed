// swift-tools-version: 6.2
import PackageDescription

/// Every target of ours compiles with the same rules. `CLANKY_STRICT=1` (scripts/test sets it)
/// makes a warning an error; without it a newer compiler's new warnings stop nobody.
let rules: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + (Context.environment["CLANKY_STRICT"] == "1" ? [.treatAllWarnings(as: .error)] : [])

let package = Package(
  name: "clanky-cockpit",
  platforms: [.macOS(.v14)],
  products: [
    .executable(name: "clanky-cockpit", targets: ["clanky-cockpit"]),
    // For tests alone: LD_PRELOAD wants a file of its own.
    .library(name: "FaultInjection", type: .dynamic, targets: ["CFault"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    // The main thread's events. Knows nothing about what they mean.
    .target(name: "CMainLoop"),
    .target(name: "MainLoop", dependencies: ["CMainLoop"], swiftSettings: rules),

    // Other programs: the one way of starting them.
    .target(name: "CSpawn"),
    .target(name: "Children", dependencies: ["CSpawn"], swiftSettings: rules),

    // Terminal: cells and keys. Knows nothing about Clanky.
    .systemLibrary(name: "CNcurses", providers: [.apt(["libncurses-dev"]), .brew(["ncurses"])]),
    .target(name: "CTermSupport"),
    .target(name: "TerminalCore", swiftSettings: rules),
    .target(
      name: "TerminalCurses",
      dependencies: ["Children", "CNcurses", "CTermSupport", "MainLoop", "TerminalCore"],
      exclude: ["Terminfo"], swiftSettings: rules),

    // Images: bytes to pictures and back. Their libraries are loaded at the first image, and never linked.
    .target(name: "CImages"),
    .target(name: "Images", dependencies: ["CImages"], swiftSettings: rules),

    // QR codes as modules. Knows no screen.
    .target(name: "QRCode", swiftSettings: rules),

    // JSON with tolerance. Knows nothing about who sends it.
    .target(name: "CByteMarks"),
    .target(name: "LenientJSON", dependencies: ["CByteMarks"], swiftSettings: rules),

    // The Model Context Protocol as values: lines in, steps out. Knows no bot and no descriptor.
    .target(name: "AgentProtocol", dependencies: ["LenientJSON"], swiftSettings: rules),

    // Clanky: what the backend says and how it is heard. Knows nothing about screens.
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .target(name: "ClankyWire", dependencies: ["LenientJSON"], swiftSettings: rules),
    // HTTP without sockets: SSE, reconnect policy, requests, failures told apart. Knows no bot.
    .target(name: "Networking", swiftSettings: rules),
    // What a source is and what it says.
    .target(name: "CockpitDomain", dependencies: ["Networking"], swiftSettings: rules),
    .target(
      name: "ClankySource",
      dependencies: ["CockpitDomain", "Networking", "ClankyWire", "LenientJSON"],
      swiftSettings: rules),
    // WebSocket frames as values: no socket, no clock. Knows no bot.
    .target(name: "WebSocketCodec", swiftSettings: rules),
    // A server's certificate compared within OpenSSL's handshake. Linux alone: elsewhere libcurl has another TLS library.
    .target(
      name: "CLeafPin",
      linkerSettings: [
        .linkedLibrary("ssl", .when(platforms: [.linux])),
        .linkedLibrary("crypto", .when(platforms: [.linux])),
      ]),
    .target(
      name: "CurlTransport",
      dependencies: ["CCurl", "CLeafPin", "Networking", "MainLoop", "WebSocketCodec"],
      swiftSettings: rules),

    // OpenClaw: who this device is to a gateway, and what is said there. No socket, no screen.
    // COpenSSL is the part of OpenSSL that libcurl loads anyway: digests and Ed25519.
    .systemLibrary(
      name: "COpenSSL", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .target(name: "DeviceKeys", dependencies: ["COpenSSL"], swiftSettings: rules),
    .target(name: "OpenClawWire", dependencies: ["LenientJSON"], swiftSettings: rules),
    .target(
      name: "OpenClawSource",
      dependencies: [
        "ClankyWire", "CockpitChat", "CockpitDomain", "DeviceKeys", "LenientJSON", "Networking",
        "OpenClawWire",
      ],
      swiftSettings: rules),

    // ElevenLabs: what a conversation's server says, and the conversations as a source.
    .target(name: "ElevenLabsWire", dependencies: ["LenientJSON"], swiftSettings: rules),
    .target(
      name: "ElevenLabsSource",
      dependencies: [
        "ClankyWire", "CockpitChat", "CockpitDomain", "DeviceKeys", "ElevenLabsWire",
        "LenientJSON", "Networking",
      ],
      swiftSettings: rules),

    // A companion gateway: what it says, and its session as a source.
    .target(
      name: "CompanionWire", dependencies: ["ClankyWire", "DeviceKeys", "LenientJSON"],
      swiftSettings: rules),
    .target(
      name: "CompanionSource",
      dependencies: [
        "ClankyWire", "CockpitChat", "CockpitDomain", "CompanionWire", "DeviceKeys", "LenientJSON",
        "Networking",
      ],
      swiftSettings: rules),

    // Cockpit: where the two meet.
    .target(
      name: "CockpitStores",
      dependencies: ["CockpitDomain", "Networking", "ClankyWire", "LenientJSON"],
      swiftSettings: rules),
    // A conversation with an agent as values, and the transports that carry it.
    .target(
      name: "CockpitChat", dependencies: ["LenientJSON", "Networking"], swiftSettings: rules),
    // Speech to text to speech as values: detector, splitter, states, formats. No program, no socket.
    .target(
      name: "CockpitVoice", dependencies: ["LenientJSON", "Networking"], swiftSettings: rules),
    // The same with the user's programs and services, on the main loop.
    .target(
      name: "VoicePipeline",
      dependencies: ["Children", "CockpitVoice", "LenientJSON", "MainLoop", "Networking"],
      swiftSettings: rules),
    // Widgets: frames, panels, fields, dialogs. Knows nothing about Clanky.
    .target(name: "TerminalUI", dependencies: ["TerminalCore"], swiftSettings: rules),
    // The words and figures that screen, pipe and screen reader share.
    .target(
      name: "CockpitText",
      dependencies: [
        "CockpitDomain", "Networking", "ClankyWire", "CockpitStores", "LenientJSON", "TerminalCore",
      ],
      swiftSettings: rules),
    // Intervals and tests that hold for small numbers. Knows nothing about what is counted.
    .target(name: "CockpitStatistics", swiftSettings: rules),
    // Answers to an owner's questions, with their evidence: pure rules over the stores.
    .target(
      name: "CockpitAnswers",
      dependencies: [
        "CockpitDomain", "Networking", "ClankyWire", "CockpitStatistics", "CockpitStores",
        "CockpitText", "LenientJSON", "TerminalCore",
      ],
      swiftSettings: rules),
    // Rules over ordered events: what went wrong, and which rows say so.
    .target(
      name: "CockpitRules",
      dependencies: [
        "ClankyWire", "CockpitStatistics", "CockpitStores", "CockpitText", "LenientJSON",
        "TerminalCore",
      ],
      swiftSettings: rules),
    .target(
      name: "CockpitPanes",
      dependencies: [
        "CockpitChat", "CockpitVoice", "CockpitDomain", "Networking", "ClankyWire",
        "CockpitAnswers",
        "CockpitRules", "CockpitStores", "CockpitText", "LenientJSON", "TerminalCore", "TerminalUI",
      ],
      swiftSettings: rules),
    // What stands around the tabs: header, layers, palette, the `:` line.
    .target(
      name: "CockpitShell",
      dependencies: [
        "CockpitChat", "CockpitVoice", "CockpitDomain", "Networking", "ClankyWire",
        "CockpitAnswers",
        "CockpitPanes",
        "CockpitRules", "CockpitStores", "CockpitText", "LenientJSON", "TerminalCore", "TerminalUI",
      ],
      swiftSettings: rules),
    .target(name: "TOML", dependencies: ["TOMLKit"], swiftSettings: rules),
    .target(
      name: "CockpitThemes", dependencies: ["TerminalCore", "TOML", "TOMLKit"],
      path: "themes",
      resources: [
        .embedInCode("glass-light.toml"), .embedInCode("terminal-dark.toml"),
        .embedInCode("mono.toml"), .embedInCode("high-contrast.toml"), .embedInCode("okabe.toml"),
      ],
      swiftSettings: rules),
    .target(
      name: "CockpitFiles", dependencies: ["Children", "TOML", "TOMLKit"],
      swiftSettings: rules),
    .target(
      name: "CockpitDemo",
      dependencies: ["COpenSSL", .product(name: "FlyingSocks", package: "FlyingFox")],
      swiftSettings: rules),
    // The recorder's files, written and read. The one door to SQLite and zstd.
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    .target(
      name: "CockpitHistory",
      dependencies: [
        "CSQLite", "CZstd", "CockpitDomain", "CockpitFiles", "ClankyWire", "LenientJSON",
      ],
      swiftSettings: rules),
    // The past as a source: a recording played into the stores.
    .target(
      name: "HistorySource",
      dependencies: ["CockpitDomain", "CockpitHistory", "LenientJSON", "Networking"],
      swiftSettings: rules),
    // gzip of requests: the one door to zlib, which libcurl loads anyway.
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .target(name: "Gzip", dependencies: ["CZlib"], swiftSettings: rules),
    // Where a recorder sends what it has recorded: keys, batches, far ends. No loop, no transport.
    .target(
      name: "CockpitSinks",
      dependencies: [
        "ClankyWire", "CockpitDomain", "CockpitHistory", "DeviceKeys", "Gzip", "LenientJSON",
        "Networking",
      ],
      swiftSettings: rules),
    // One run on one backend: settings, connection, stores. What the screen and the verbs share.
    .target(
      name: "CockpitSession",
      dependencies: [
        "CompanionSource", "CompanionWire",
        "Children", "CurlTransport", "CockpitChat", "CockpitVoice", "VoicePipeline",
        "CockpitDomain", "Networking", "ClankySource",
        "ClankyWire",
        "CockpitAnswers", "CockpitDemo", "CockpitFiles", "CockpitHistory", "CockpitPanes",
        "CockpitRules", "CockpitShell", "CockpitSinks", "CockpitStatistics", "CockpitStores",
        "DeviceKeys", "ElevenLabsSource", "ElevenLabsWire", "HistorySource", "Images",
        "CockpitText",
        "CockpitThemes", "CTermSupport", "LenientJSON", "MainLoop",
        "OpenClawSource", "OpenClawWire", "TerminalCore", "TerminalCurses", "TerminalUI", "TOML",
      ],
      swiftSettings: rules),
    // The full-screen run loop, and linear mode.
    .target(
      name: "CockpitApp",
      dependencies: [
        "Children", "CurlTransport", "CockpitChat", "CockpitVoice", "VoicePipeline",
        "CockpitDomain", "Networking", "ClankySource",
        "ClankyWire",
        "CockpitAnswers", "CockpitFiles", "CockpitHistory", "CockpitPanes", "CockpitRules",
        "CockpitShell", "CockpitSession", "CockpitStores",
        "CockpitText", "CTermSupport", "LenientJSON", "MainLoop", "TerminalCore",
        "TerminalCurses", "TerminalUI", "TOML",
      ],
      swiftSettings: rules),
    // Verbs: from arguments to an exit code.
    .target(
      name: "CockpitCLI",
      dependencies: [
        "CompanionSource", "CompanionWire",
        "AgentProtocol", "Children", "CurlTransport", "CockpitChat", "CockpitVoice",
        "VoicePipeline",
        "CockpitDomain", "Networking", "ClankySource",
        "ClankyWire",
        "CockpitAnswers",
        "CockpitApp",
        "CockpitDemo", "CockpitFiles", "CockpitHistory", "CockpitPanes", "CockpitRules",
        "CockpitShell", "CockpitSession", "CockpitSinks", "CockpitStores",
        "CockpitText", "CockpitThemes", "CTermSupport", "DeviceKeys", "ElevenLabsSource",
        "ElevenLabsWire", "LenientJSON", "MainLoop", "OpenClawSource", "OpenClawWire",
        "QRCode", "TerminalCore", "TerminalCurses", "TerminalUI", "TOML",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: rules),
    .executableTarget(
      name: "clanky-cockpit", dependencies: ["CockpitCLI", "CockpitSession"], swiftSettings: rules),

    // Speed and memory, measured: scripts/benchmark, docs/performance.md.
    .executableTarget(
      name: "cockpit-benchmark",
      dependencies: [
        "CurlTransport", "CockpitDomain", "Networking", "CPTY", "MainLoop", "TerminalTestKit",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Benchmarks/CockpitBenchmark", swiftSettings: rules),
    // What `cockpit-benchmark` measures of the way from bytes to rows: a program of its own, so that
    // no other library is in the figures.
    .executableTarget(
      name: "cockpit-ingest",
      dependencies: ["ClankySource", "CockpitDomain", "Networking", "CockpitStores"],
      path: "Benchmarks/CockpitIngest", swiftSettings: rules),
    // The recorder, and the reader of what it wrote, in the same way.
    .executableTarget(
      name: "cockpit-recording", dependencies: ["CockpitDomain", "CockpitHistory"],
      path: "Benchmarks/CockpitRecording", swiftSettings: rules),
    // What all rules cost a row.
    .executableTarget(
      name: "cockpit-rule-cost", dependencies: ["ClankyWire", "CockpitRules"],
      path: "Benchmarks/CockpitRuleCost", swiftSettings: rules),

    // Tests mirror Sources, one target each.
    .systemLibrary(name: "CVTerm", providers: [.apt(["libvterm-dev"]), .brew(["libvterm"])]),
    .target(name: "CPTY"),
    // Makes the program crash from within, for tests: loaded into it, never linked.
    .target(name: "CFault"),
    .target(
      name: "TerminalTestKit", dependencies: ["CPTY", "CTermSupport", "CVTerm", "TerminalCore"],
      swiftSettings: rules),
    .executableTarget(
      name: "terminal-probe", dependencies: ["CockpitThemes", "TerminalCore", "TerminalCurses"],
      swiftSettings: rules),
    // Does one operation on the disk, and dies at a call of it that a test chooses.
    .executableTarget(name: "disk-probe", dependencies: ["CockpitFiles"], swiftSettings: rules),
    .testTarget(
      name: "CompanionWireTests", dependencies: ["CompanionWire", "DeviceKeys", "LenientJSON"],
      swiftSettings: rules),
    .testTarget(
      name: "CompanionSourceTests",
      dependencies: [
        "CockpitChat", "CockpitDomain", "CompanionSource", "CompanionWire", "DeviceKeys",
        "LenientJSON", "Networking",
      ],
      swiftSettings: rules),
    .testTarget(name: "ArchitectureTests", swiftSettings: rules),
    .testTarget(name: "MainLoopTests", dependencies: ["MainLoop"], swiftSettings: rules),
    .testTarget(
      name: "TerminalCoreTests",
      dependencies: ["ParserProperties", "TerminalCore", "TerminalTestKit"],
      exclude: ["Goldens"], swiftSettings: rules),
    .testTarget(
      name: "TerminalCursesTests",
      dependencies: ["TerminalCore", "TerminalCurses", "TerminalTestKit", "terminal-probe"],
      swiftSettings: rules),
    .testTarget(
      name: "ImagesTests", dependencies: ["Images", "JSONTestKit"], swiftSettings: rules),
    .testTarget(
      name: "QRCodeTests", dependencies: ["JSONTestKit", "QRCode"], swiftSettings: rules),
    .testTarget(name: "TOMLTests", dependencies: ["TOML", "TOMLKit"], swiftSettings: rules),
    .testTarget(
      name: "CockpitThemesTests", dependencies: ["CockpitThemes", "TerminalCore"],
      swiftSettings: rules),
    // What must hold for every input of a parser. scripts/fuzz builds it once more, with coverage.
    .target(
      name: "ParserProperties",
      dependencies: [
        "CockpitDomain", "Networking", "ClankyWire", "CockpitStores", "LenientJSON", "TerminalCore",
      ],
      path: "Tests/Fuzzing/Properties", swiftSettings: rules),
    .testTarget(
      name: "ParserPropertiesTests",
      dependencies: [
        "CockpitDomain", "Networking", "ClankyWire", "LenientJSON", "ParserProperties",
      ],
      path: "Tests/Fuzzing/Tests", swiftSettings: rules),
    // Random JSON from a seed, for the tests of whatever reads it.
    .target(name: "JSONTestKit", path: "Tests/JSONTestKit", swiftSettings: rules),
    .testTarget(
      name: "AgentProtocolTests", dependencies: ["AgentProtocol", "LenientJSON"],
      swiftSettings: rules),
    .testTarget(
      name: "LenientJSONTests", dependencies: ["CByteMarks", "JSONTestKit", "LenientJSON"],
      swiftSettings: rules),
    .testTarget(
      name: "ClankyWireTests", dependencies: ["ClankyWire", "JSONTestKit", "LenientJSON"],
      swiftSettings: rules),
    .testTarget(name: "NetworkingTests", dependencies: ["Networking"], swiftSettings: rules),
    .testTarget(
      name: "WebSocketCodecTests", dependencies: ["JSONTestKit", "WebSocketCodec"],
      swiftSettings: rules),
    .testTarget(
      name: "OpenClawWireTests", dependencies: ["DeviceKeys", "LenientJSON", "OpenClawWire"],
      swiftSettings: rules),
    .testTarget(
      name: "ElevenLabsWireTests", dependencies: ["ElevenLabsWire", "JSONTestKit", "LenientJSON"],
      swiftSettings: rules),
    .testTarget(
      name: "ElevenLabsSourceTests",
      dependencies: [
        "ClankyWire",
        "CockpitChat", "CockpitDomain", "ElevenLabsSource", "ElevenLabsWire", "JSONTestKit",
        "LenientJSON", "Networking",
      ],
      swiftSettings: rules),
    .testTarget(
      name: "CockpitChatTests",
      dependencies: ["CockpitChat", "JSONTestKit", "LenientJSON", "Networking"],
      swiftSettings: rules),
    .testTarget(
      name: "CockpitVoiceTests", dependencies: ["CockpitVoice"], swiftSettings: rules),
    .testTarget(
      name: "VoicePipelineTests",
      dependencies: [
        "Children", "CockpitVoice", "CurlTransport", "LenientJSON", "MainLoop", "Networking",
        "VoicePipeline",
      ],
      swiftSettings: rules),
    .testTarget(
      name: "OpenClawSourceTests",
      dependencies: [
        "ClankyWire", "CockpitChat", "CockpitDomain", "DeviceKeys", "JSONTestKit", "LenientJSON",
        "Networking", "OpenClawSource", "OpenClawWire",
      ],
      swiftSettings: rules),
    .testTarget(
      name: "ClankySourceTests",
      dependencies: [
        "CockpitDomain", "Networking", "ClankySource", "ClankyWire", "CockpitStores",
        "LenientJSON",
      ],
      swiftSettings: rules),
    .testTarget(
      name: "CurlTransportTests",
      dependencies: [
        "CurlTransport", "CockpitDomain", "Networking", "ClankySource", "WebSocketCodec",
      ],
      swiftSettings: rules),
    .testTarget(
      name: "CockpitRulesTests",
      dependencies: [
        "ClankyWire", "CockpitRules",
        "CockpitStatistics", "CockpitStores", "LenientJSON", "CockpitDomain",
        "CockpitAnswers", "CockpitDemo", "JSONTestKit",
      ],
      swiftSettings: rules),
    .testTarget(
      name: "CockpitStatisticsTests", dependencies: ["CockpitStatistics"],
      exclude: ["Vectors"], swiftSettings: rules),
    .testTarget(
      name: "CockpitAnswersTests",
      dependencies: [
        "CockpitDomain", "Networking", "ClankySource", "ClankyWire", "CockpitAnswers",
        "CockpitDemo",
        "CockpitStatistics", "CockpitStores", "CockpitText", "LenientJSON", "TerminalCore",
      ],
      swiftSettings: rules),
    .testTarget(
      name: "CockpitStoresTests",
      dependencies: ["ClankyWire", "CockpitDemo", "CockpitStores", "LenientJSON"],
      swiftSettings: rules),
    .testTarget(
      name: "CockpitDemoTests",
      dependencies: [
        "COpenSSL", "CockpitDemo", .product(name: "FlyingSocks", package: "FlyingFox"),
      ],
      swiftSettings: rules),
    .testTarget(
      name: "CockpitFilesTests", dependencies: ["Children", "CockpitFiles", "TOML", "disk-probe"],
      swiftSettings: rules),
    // A history in memory.
    .target(
      name: "HistoryTestKit", dependencies: ["CockpitDomain", "CockpitHistory"],
      path: "Tests/HistoryTestKit",
      swiftSettings: rules),
    // Records until a test kills it.
    .executableTarget(
      name: "history-probe", dependencies: ["CockpitDomain", "CockpitHistory"], swiftSettings: rules
    ),
    .testTarget(
      name: "CockpitHistoryTests",
      dependencies: [
        "CockpitDomain", "CockpitHistory", "HistoryTestKit", "LenientJSON", "history-probe",
      ],
      swiftSettings: rules),
    .testTarget(
      name: "HistorySourceTests",
      dependencies: [
        "ClankyWire", "CockpitDomain", "CockpitHistory", "CockpitStores", "HistorySource",
        "HistoryTestKit",
        "Networking",
      ],
      swiftSettings: rules),
    .testTarget(
      name: "CockpitSinksTests",
      dependencies: [
        "ClankyWire", "CockpitDomain", "CockpitHistory", "CockpitSinks", "DeviceKeys", "Gzip",
        "LenientJSON", "Networking",
      ],
      exclude: ["Vectors"], swiftSettings: rules),
    .testTarget(name: "GzipTests", dependencies: ["Gzip"], swiftSettings: rules),
    .testTarget(name: "ChildrenTests", dependencies: ["Children"], swiftSettings: rules),
    .testTarget(
      name: "CockpitSessionTests",
      dependencies: [
        "CockpitChat", "CockpitVoice", "VoicePipeline",
        "CockpitAnswers", "CockpitDomain", "CompanionWire", "OpenClawSource", "Networking",
        "ClankySource", "ClankyWire",
        "CockpitDemo",
        "CockpitFiles", "CockpitHistory", "HistorySource", "Images",
        "CockpitPanes", "CockpitRules", "CockpitShell", "CockpitSession",
        "CockpitStatistics", "CockpitStores",
        "CockpitText",
        "LenientJSON", "QRCode",
        "TerminalCore", "TerminalUI",
      ],
      swiftSettings: rules),
    .testTarget(
      name: "CockpitAppTests",
      dependencies: [
        "CurlTransport", "CockpitDomain", "Networking", "ClankySource", "ClankyWire", "CockpitApp",
        "CockpitFiles", "CockpitPanes", "CockpitShell", "CockpitSession", "CockpitStores",
        "CockpitText",
        "LenientJSON",
        "MainLoop",
        "TerminalCore",
      ],
      swiftSettings: rules),
    .testTarget(
      name: "CockpitCLITests",
      dependencies: [
        "CockpitDomain", "Networking", "ClankySource", "ClankyWire", "CockpitApp", "CockpitCLI",
        "CockpitDemo", "CockpitFiles", "CockpitHistory",
        "CockpitPanes", "CockpitShell",
        "CockpitSession", "CockpitStores", "CockpitText", "LenientJSON", "MainLoop",
        "TerminalCore", "TerminalUI",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: rules),
    .testTarget(
      name: "TerminalUITests", dependencies: ["TerminalCore", "TerminalUI"], swiftSettings: rules),
    .testTarget(
      name: "CockpitPanesTests",
      dependencies: [
        "CockpitChat", "CockpitVoice",
        "CockpitAnswers", "CockpitDomain", "Networking", "ClankyWire", "CockpitPanes",
        "CockpitShell", "CockpitStatistics",
        "CockpitStores",
        "CockpitText", "CockpitThemes", "LenientJSON", "OpenClawSource", "OpenClawWire",
        "TerminalCore", "TerminalTestKit",
        "TerminalUI",
      ],
      exclude: ["Goldens"], swiftSettings: rules),
    .testTarget(
      name: "CockpitTextTests",
      dependencies: ["ClankyWire", "CockpitStores", "CockpitText", "LenientJSON", "TerminalCore"],
      swiftSettings: rules),
    // The pages name only what exists.
    .testTarget(
      name: "DocumentationTests", dependencies: ["CockpitPanes", "CockpitShell"],
      swiftSettings: rules),
    .testTarget(
      name: "CockpitBenchmarkTests", dependencies: ["cockpit-benchmark"], swiftSettings: rules),
    // Drives the program as it was built; links none of it.
    .testTarget(
      name: "EndToEndTests", dependencies: ["TerminalTestKit"], swiftSettings: rules),
  ]
)
