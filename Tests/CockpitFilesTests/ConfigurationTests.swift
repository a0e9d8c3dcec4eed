import Testing

@testable import CockpitFiles

@Suite struct ConfigurationTests {
  @Test("a whole file is read, and a profile inherits what it leaves out")
  func whole() throws {
    let configuration = try Configuration(
      toml: """
        theme = "okabe"
        glyphs = "safe"
        utc = true
        memory = "128MiB"
        on_quit_with_held = "send"
        profile = "prod"
        [profiles.prod]
        url = "https://bot.example"
        token_command = "pass show clanky"
        [profiles.local]
        url = "http://127.0.0.1:8787"
        theme = "mono"
        read_only = true
        """, path: "c.toml")
    #expect(configuration.glyphs == "safe")
    #expect(configuration.utc == true)
    #expect(configuration.memory == 128 << 20)
    #expect(configuration.onQuitWithHeld == "send")
    let prod = try configuration.resolved(profile: nil)
    #expect(prod.url == "https://bot.example")
    #expect(prod.theme == "okabe")
    let local = try configuration.resolved(profile: "local")
    #expect(local.theme == "mono")
    #expect(local.readOnly == true)
  }

  @Test(
    "what is wrong is said with file, line and key",
    arguments: [
      ("theem = \"mono\"", "c.toml:1: 'theem' is not a known key; did you mean 'theme'?"),
      ("\nutc = 1", "c.toml:2: 'utc' must be true or false"),
      (
        "[profiles.x]\nurll = \"y\"",
        "c.toml:2: 'profiles.x.urll' is not a known key; did you mean 'url'?"
      ),
      (
        "[profiles.x]\ntoken = \"y\"",
        "c.toml:2: 'profiles.x.token' is not a known key; use token_file or token_command, or save the token with 'clanky-cockpit setup'"
      ),
      (
        "on_quit_with_held = \"never\"",
        "c.toml:1: 'on_quit_with_held' must be one of ask, send, drop"
      ),
      ("glyphs = \"emoji\"", "c.toml:1: 'glyphs' must be one of unicode, safe, ascii"),
      (
        "memory = \"1KiB\"",
        "c.toml:1: 'memory' must be a size from 4MiB to 4GiB, such as \"64MiB\""
      ),
    ])
  func errors(toml: String, sentence: String) {
    #expect {
      try Configuration(toml: toml, path: "c.toml")
    } throws: {
      "\($0)" == sentence
    }
  }

  @Test("keys, alerts, layout and what concerns the terminal")
  func terminal() throws {
    let configuration = try Configuration(
      toml: """
        preset = "less"
        title = false
        low_bandwidth = true
        [keys]
        page_down = "C-n"
        zoom = ["z", "F5"]
        suspend = []
        [alerts]
        notify = "warning"
        bell = false
        via = "command"
        command = "notify-send x"
        every = 60
        [alerts.classes]
        voice_start = "off"
        error = ["notify", "bell"]
        automation = "flash"
        [layout]
        tab = "voice"
        time = "age"
        wrap = true
        hints = false
        sidebar = false
        """, path: "c.toml")
    #expect(configuration.preset == "less")
    #expect(configuration.title == false)
    #expect(configuration.lowBandwidth == "on")
    #expect(
      configuration.keys == ["page-down": ["C-n"], "zoom": ["z", "F5"], "suspend": []])
    #expect(configuration.keyLines == ["page-down": 5, "zoom": 6, "suspend": 7])
    #expect(configuration.alerts.notify == "warning")
    #expect(configuration.alerts.bell == "off")
    #expect(configuration.alerts.flash == nil)
    #expect(configuration.alerts.every == 60)
    #expect(
      configuration.alerts.classes == [
        "voice_start": [], "error": ["notify", "bell"], "automation": ["flash"],
      ])
    #expect(configuration.layout.tab == "voice")
    #expect(configuration.layout.hints == false)
    #expect(configuration.lines["alerts.classes.error"] == 16)
    #expect(configuration.lines["preset"] == 1)
  }

  @Test("every problem is found, in the order of the lines")
  func allProblems() {
    let problems = Configuration.problems(
      toml: """
        theem = "mono"
        preset = "vim"
        [profiles."a b"]
        utc = true
        [keys]
        quit = 7
        page-down = "x"
        page_down = "y"
        [alerts]
        notify = "loud"
        via = "command"
        every = 0
        classes = { error = "shout", vocie_end = "off" }
        [layout]
        tab = 1
        """, path: "c.toml")
    #expect(
      problems.map(\.description) == [
        "c.toml:1: 'theem' is not a known key; did you mean 'theme'?",
        "c.toml:2: 'preset' must be one of default, less, k9s, arrows",
        "c.toml:4: 'profiles.\"a b\".utc' belongs to the top level of the file, above the first [table]",
        "c.toml:6: 'keys.quit' must be a key such as \"C-d\", or a list of keys",
        "c.toml:8: 'keys.page_down' is set twice, with - and with _",
        "c.toml:10: 'alerts.notify' must be one of off, on, info, warning, error",
        "c.toml:11: 'alerts.via' is \"command\", but 'alerts.command' says no command",
        "c.toml:12: 'alerts.every' must be a number of seconds from 1 to 86400",
        "c.toml:13: 'alerts.classes.vocie_end' is not a known key; did you mean 'voice_end'?",
        "c.toml:13: 'alerts.classes.error' must be \"off\", or a list of notify, bell, flash",
      ] + ["c.toml:15: 'layout.tab' must be one of pulse, voice, brain, memory, cmd"])
    #expect(Configuration.problems(toml: "a = ", path: "c.toml").count == 1)
    #expect(Configuration.problems(toml: "", path: "c.toml").isEmpty)
  }

  @Test("broken TOML names its line")
  func syntax() {
    #expect {
      try Configuration(toml: "a = \n= b", path: "c.toml")
    } throws: {
      "\($0)".hasPrefix("c.toml:")
    }
  }

  @Test("an unknown profile names the known ones")
  func unknownProfile() throws {
    let configuration = try Configuration(toml: "[profiles.prod]\nurl = \"x\"", path: "c.toml")
    #expect(throws: FileError("there is no profile 'prd'; the configuration has: prod")) {
      try configuration.resolved(profile: "prd")
    }
  }

  @Test(
    "sizes",
    arguments: [
      ("64MiB", 64 << 20), ("256M", 256 << 20), ("1g", 1 << 30), ("67108864", 64 << 20),
    ] as [(String, Int)])
  func sizes(text: String, bytes: Int) { #expect(ByteCount(text)?.value == bytes) }

  @Test(
    "no sizes", arguments: ["", "MiB", "3MiB", "5GiB", "64 bananas", "-1", "99999999999999999M"])
  func noSizes(text: String) { #expect(ByteCount(text) == nil) }

  @Test func aProfileOfAGateway() throws {
    let read = try Configuration(
      toml: """
        token_file = "~/clanky.token"
        url = "http://127.0.0.1:8787"
        allow_plain_http = true
        guild = "Lantern"
        [profiles.claw]
        kind = "openclaw"
        url = "wss://claw.example"
        scopes = "admin"
        auth = "password"
        pin = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
        client_certificate = "own.pem"
        [profiles.bot]
        kind = "clanky"
        """, path: "/c.toml")
    let claw = try read.resolved(profile: "claw")
    #expect(claw.url == "wss://claw.example" && claw.gateway?.scopes == .admin)
    #expect(claw.gateway?.isPassword == true && claw.clientCertificate == "own.pem")
    // Neither Clanky's token nor what is allowed for its address is a gateway's.
    #expect(claw.tokenFile == nil && claw.allowPlainHTTP == nil && claw.guild == nil)
    let bot = try read.resolved(profile: "bot")
    #expect(bot.gateway == nil && bot.tokenFile == "~/clanky.token")
  }

  @Test(
    "mistakes in a profile of a gateway, one sentence each",
    arguments: [
      ("kind = \"claw\"\nscopes = \"admin\"", "clanky, openclaw"),
      ("kind = \"openclaw\"", "needs a url"),
      ("scopes = \"admin\"", "belongs to a profile with kind"),
      ("kind = \"openclaw\"\nurl = \"ws://h\"\nscopes = \"all\"", "watch, operate, admin"),
      ("kind = \"openclaw\"\nurl = \"ws://h\"\nauth = \"none\"", "token, password"),
      ("kind = \"openclaw\"\nurl = \"ws://h\"\nguild = \"x\"", "belongs to a Clanky bot"),
      ("kind = \"openclaw\"\nurl = \"ws://h\"\npin = \"abc\"", "sha256//"),
      ("kind = \"openclaw\"\nurl = \"ws://h\"\npin = \"sha256//abc;\"", "sha256//"),
      (
        "kind = \"openclaw\"\nurl = \"ws://h\"\nclient_key = \"k.pem\"",
        "needs a client_certificate"
      ),
      (
        "kind = \"openclaw\"\nurl = \"ws://h\"\nmax_attention = \"loud\"",
        "passive, notify, active, interrupt, urgent"
      ),
      ("max_attention = \"notify\"", "belongs to a profile with kind"),
    ])
  func gatewayMistakes(text: String, words: String) {
    let problems = Configuration.problems(toml: "[profiles.claw]\n" + text, path: "/c.toml")
    #expect(problems.count == 1 && problems[0].description.contains(words), "\(problems)")
    #expect(Configuration.problems(toml: "kind = \"openclaw\"", path: "/c").count == 1)
  }

  @Test func aProfileOfSeveralSources() throws {
    let read = try Configuration(
      toml: """
        url = "http://127.0.0.1:8787"
        token_file = "~/clanky.token"
        theme = "paper"
        [profiles.home]
        sources = ["bot", "claw"]
        read_only = true
        [profiles.bot]
        url = "http://127.0.0.1:8788"
        tag = "B1"
        [profiles.claw]
        kind = "openclaw"
        url = "ws://127.0.0.1:18789"
        """, path: "/c.toml")
    let home = try read.resolved(profile: "home")
    #expect(home.sources == ["bot", "claw"] && home.readOnly == true && home.theme == "paper")
    // What the top level says of one backend is not said of several.
    #expect(home.url == nil && home.tokenFile == nil)
    #expect(try read.resolved(profile: "bot").tag == "B1")
    #expect(try read.resolved(profile: "claw").sources.isEmpty)
  }

  @Test(
    "mistakes in a profile of several sources, one sentence each",
    arguments: [
      ("sources = []", "must be a list of profiles"),
      ("sources = \"bot\"", "must be a list of profiles"),
      ("sources = [\"bot\", \"boat\"]", "no such profile; did you mean 'bot'?"),
      ("sources = [\"bot\", \"elsewhere\"]", "add a [profiles.elsewhere] table"),
      ("sources = [\"bot\", \"bot\"]", "twice"),
      ("sources = [\"bot\", \"home\"]", "names itself"),
      ("sources = [\"bot\", \"other\"]", "has sources itself; name those: bot, claw"),
      ("sources = [\"claw\", \"same\"]", "have the same tag"),
      ("sources = [\"bot\"]\nurl = \"http://h\"", "stands beside sources"),
      ("sources = [\"bot\"]\ntag = \"bot\"", "two letters or digits"),
    ])
  func mistakesInSources(text: String, words: String) {
    let others = """
      [profiles.bot]
      [profiles.claw]
      tag = "XX"
      [profiles.same]
      tag = "XX"
      [profiles.other]
      sources = ["bot", "claw"]

      """
    let problems = Configuration.problems(
      toml: others + "[profiles.home]\n" + text, path: "/c.toml")
    #expect(problems.contains { $0.description.contains(words) }, "\(problems)")
    let many = (0..<21).map { "\"p\($0)\"" }.joined(separator: ", ")
    let tables = (0..<21).map { "[profiles.p\($0)]\n" }.joined()
    let tooMany = Configuration.problems(
      toml: "[profiles.home]\nsources = [\(many)]\n\(tables)", path: "/c.toml")
    #expect(tooMany.count == 1 && tooMany[0].description.contains("20 are the most"))
  }

  @Test("voice: programs, services and their order")
  func voice() throws {
    let read = try Configuration(
      toml: """
        [voice]
        stt = ["whisper", "cloud"]
        tts = ["gateway", "espeak-ng"]
        require_local = true
        speak = "always"
        [voice.services.whisper]
        command = "whisper-cli -f {file}"
        model = "small.en"
        [voice.services.cloud]
        kind = "openai"
        token_file = "~/.key"
        """, path: "c.toml")
    let voice = try #require(read.voice)
    #expect(voice.stt == ["whisper", "cloud"] && voice.tts == ["gateway", "espeak-ng"])
    #expect(voice.requireLocal == true && voice.speak == "always" && voice.hold == nil)
    #expect(voice.services["whisper"]?.command == "whisper-cli -f {file}")
    #expect(voice.services["cloud"]?.tokenFile == "~/.key")
    #expect(try Configuration(toml: "", path: "c.toml").voice == nil)
  }

  @Test(
    "mistakes in voice, one sentence each",
    arguments: [
      ("stt = [\"wisper\"]\n[voice.services.whisper]\ncommand = \"w\"", "did you mean 'whisper'?"),
      ("stt = \"whisper\"", "must be a list of services"),
      ("stt = [\"espeak-ng\"]", "there is no such service"),
      ("recorder = \"\"", "must be a command line"),
      ("speak = \"loud\"", "must be one of spoken, always, off"),
      ("[voice.services.x]\nkind = \"command\"", "needs a command beside it"),
      ("[voice.services.x]\nkind = \"openai\"\ncommand = \"w\"", "belongs to a service with"),
      ("[voice.services.x]\ntoken = \"k\"", "is not a known key"),
      (
        "[voice.services.x]\ntoken_file = \"f\"\ntoken_command = \"c\"",
        "stands beside token_command"
      ),
    ])
  func voiceMistakes(text: String, words: String) {
    let problems = Configuration.problems(toml: "[voice]\n" + text, path: "/c.toml")
    #expect(problems.count == 1 && problems.first?.description.contains(words) ?? false)
  }

  @Test("attention: effects of a level, quiet hours, decay")
  func attention() throws {
    let read = try Configuration(
      toml: """
        [attention]
        interrupt = ["card", "bell"]
        urgent = "off"
        quiet = "22:00..7:05"
        decay = 30
        [profiles.claw]
        kind = "openclaw"
        url = "wss://claw.example"
        max_attention = "interrupt"
        """, path: "c.toml")
    #expect(read.attention.effects == ["interrupt": ["card", "bell"], "urgent": []])
    #expect(read.attention.quiet == .daily(from: 1_320, to: 425) && read.attention.decay == 30)
    #expect(read.attention.quiet?.text == "22:00..07:05")
    #expect(read.profiles["claw"]?.gateway?.maxAttention == "interrupt")
    let always = try Configuration(toml: "[attention]\nquiet = true", path: "c.toml")
    #expect(always.attention.quiet == .always)
  }

  @Test(
    "mistakes in attention, one sentence each",
    arguments: [
      ("quiet = \"22..7\"", "22:00..07:00"), ("quiet = \"22:00..24:00\"", "22:00..07:00"),
      ("quiet = \"07:00..07:00\"", "22:00..07:00"), ("quiet = 7", "22:00..07:00"),
      ("urgent = [\"horn\"]", "strip, card, bell, flash, notify"),
      ("decay = 0", "seconds from 1 to 86400"), ("passive = \"off\"", "not a known key"),
    ])
  func attentionMistakes(text: String, words: String) {
    let problems = Configuration.problems(toml: "[attention]\n" + text, path: "/c.toml")
    #expect(problems.count == 1 && problems[0].description.contains(words), "\(problems)")
  }
}
