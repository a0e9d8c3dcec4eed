import CockpitDomain
import TerminalUI
import Networking
import Foundation
import TerminalCore
import TerminalTestKit
import Testing

@testable import CockpitPanes
@testable import CockpitShell
@testable import CockpitStores

/// A cockpit with profiles, and what it was asked to do.
@MainActor
private struct SetupStage {
  static let token = "sesame-0815-open"

  var fixture = Fixture(hasVoiceState: false)
  var setup = SetupFacts()
  var shell: CockpitShell
  private(set) var effects: [Effect] = []
  var isReadOnly = false

  init(size: Size = Size(width: 80, height: 24)) {
    shell = CockpitShell(size: size)
    setup.profiles = [
      .init(name: "", url: "http://127.0.0.1:8787", isReadOnly: false),
      .init(name: "home", url: "https://bot.example", isReadOnly: false),
      .init(name: "watch", url: "https://watch.example:8443", isReadOnly: true),
    ]
    setup.configPath = "/home/me/.config/clanky-cockpit/config.toml"
    setup.tokenStore = "Secret Service"
  }

  /// Nothing is configured, and the standard address gives this failure.
  static func fresh(_ failure: LinkFailure, size: Size = Size(width: 80, height: 24)) -> Self {
    var stage = SetupStage(size: size)
    stage.setup.profiles = [.init(name: "", url: "http://127.0.0.1:8787", isReadOnly: false)]
    stage.setup.isUnconfigured = true
    stage.fail(failure)
    _ = stage.screen
    return stage
  }

  mutating func fail(_ failure: LinkFailure) {
    var status = fixture.connection.status
    status.overall = .reconnecting
    status.failure = failure
    fixture.connection.apply(status)
  }

  var facts: ViewContext {
    mutating get {
      var facts = fixture.facts()
      facts.setup = setup
      return facts
    }
  }

  var canvas: Canvas {
    mutating get {
      let facts = facts
      effects += shell.update(facts, size: shell.size)
      return shell.render(facts, size: shell.size).canvas
    }
  }

  var screen: String { mutating get { canvas.text } }

  mutating func send(_ event: InputEvent) {
    let facts = facts
    let frame = shell.render(facts, size: shell.size)
    effects += shell.handle(event, on: facts, frame: frame)
  }

  mutating func type(_ keys: String) {
    for word in keys.split(separator: " ") {
      guard let chord = try? KeyChord(parsing: String(word)) else { continue }
      for press in chord.presses { send(.key(press.key, press.modifiers)) }
    }
  }

  mutating func write(_ text: String) { for character in text { send(.key(.char(character), [])) } }

  mutating func answer(_ answer: SetupAnswer) {
    let facts = facts
    effects += shell.setupTested(answer, on: facts)
  }

  mutating func open(_ command: KeyAction) {
    let facts = facts
    effects += shell.perform(command, facts)
  }

  /// Without the look for bots with which the form opens.
  mutating func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects.filter { $0 != .setup(.search) }
  }
}

@MainActor
@Suite struct SetupFormTests {
  nonisolated static let sizes = [
    Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 200, height: 60),
    Size(width: 60, height: 20), Size(width: 40, height: 10),
  ]

  private static let test = Effect.setup(
    .test(url: "http://127.0.0.1:8787", token: SetupStage.token, allowPlainHTTP: false))

  // MARK: Drawing

  @Test(
    "the form: by itself, filled in, failed, another host in plain http, hostile",
    arguments: sizes.ends)
  func goldens(size: Size) throws {
    func expect(_ stage: inout SetupStage, _ name: String) throws {
      try expectGolden(stage.canvas, "setup-\(name)-\(size.width)x\(size.height)")
    }
    var fresh = SetupStage.fresh(.refused(origin: "http://127.0.0.1:8787"), size: size)
    try expect(&fresh, "fresh")
    var found = fresh
    found.answer(
      .bots(
        (1...3).map { FoundBot(url: "http://192.168.1.\($0):8787", name: PlainText("Den \($0)")) },
        tool: "avahi-browse"))
    found.type("Tab Tab Tab Tab")
    try expect(&found, "found")

    fresh.type("Tab")
    fresh.write(SetupStage.token)
    fresh.type("Tab Tab Enter")
    fresh.answer(
      .failed("The backend did not accept the token (401).", advice: "Enter the token again."))
    try expect(&fresh, "failed")
    #expect(!fresh.screen.contains(SetupStage.token))

    var plain = SetupStage(size: size)
    plain.open(.setup)
    plain.type("C-u")
    plain.write("http://bot.example:8787")
    plain.type("C-s")
    try expect(&plain, "plain-http")

    var hostile = SetupStage(size: size)
    hostile.setup.profiles[0].url = "http://\u{202E}\u{1B}[2J作者"
    hostile.open(.setup)
    hostile.send(.paste("\u{1B}]0;x\u{7}" + String(repeating: "長", count: 90)))
    try expect(&hostile, "hostile")
  }

  @Test(
    "the list of profiles, and the question while something is unfinished", arguments: sizes.ends)
  func profileGoldens(size: Size) throws {
    var stage = SetupStage(size: size)
    stage.open(.profiles)
    stage.type("Down")
    try expectGolden(stage.canvas, "profiles-list-\(size.width)x\(size.height)")
    stage.fixture.memory.deletions = [HeldDeletion(id: 1, facts: [DialogFixture.plain], dueNs: 0)]
    stage.type("Enter")
    try expectGolden(stage.canvas, "profiles-question-\(size.width)x\(size.height)")
  }

  // MARK: First run

  @Test(
    "the form looks for bots when it opens; one that is found gives its address and nothing else")
  func discovery() {
    var stage = SetupStage()
    stage.open(.setup)
    #expect(stage.effects == [.setup(.search)])
    _ = stage.takeEffects()
    #expect(stage.screen.contains("Looking for bots on the local network"))
    let bots = (1...7).map {
      FoundBot(url: "http://192.168.1.\($0):8787", name: PlainText("Den \u{1B}[2J\($0)"))
    }
    stage.answer(.bots(bots, tool: "avahi-browse"))
    #expect(stage.screen.contains("7 bots announce themselves (avahi-browse)"))
    #expect(stage.screen.contains("1  http://192.168.1.1:8787  Den"))
    #expect(!stage.screen.contains("192.168.1.7"), "five at a time")
    stage.type("Tab Tab Tab Tab Tab Tab Tab Tab Tab")
    #expect(stage.screen.contains("7  http://192.168.1.7:8787"))
    stage.type("Enter")
    #expect(stage.screen.contains("ADDRESS    http://192.168.1.7:8787"), "\(stage.screen)")
    #expect(stage.screen.contains("Compare this address"))
    // Nothing is asked or sent before the user says so.
    #expect(stage.effects.isEmpty)
    stage.write(SetupStage.token)
    stage.type("C-s")
    // Plain http to another machine wants consent.
    #expect(stage.effects.isEmpty)
    #expect(stage.screen.contains("The token would travel readable"))
  }

  @Test("a look that finds nothing, or cannot be made, is said")
  func nothingFound() {
    var stage = SetupStage()
    stage.open(.setup)
    stage.answer(.bots([], tool: "dns-sd"))
    #expect(stage.screen.contains("No bot announces itself on the local network (dns-sd)"))
    stage.type("S-Tab Enter")
    #expect(stage.effects == [.setup(.search), .setup(.search)])
    stage.answer(.noTool(["avahi-browse", "dns-sd"]))
    #expect(stage.screen.contains("avahi-browse or dns-sd."))
    stage.type("Esc")
    // An answer that comes after the form was left changes nothing.
    stage.answer(.bots([], tool: "dns-sd"))
  }

  @Test("it opens by itself once, when nothing is configured and nothing usable answers")
  func opensOnce() {
    var stage = SetupStage.fresh(.refused(origin: "http://127.0.0.1:8787"))
    #expect(stage.screen.contains("CONNECT TO A CLANKY BOT"))
    #expect(stage.screen.contains("Esc looks around; :setup comes back."))
    stage.type("Esc")
    #expect(!stage.screen.contains("CONNECT TO A CLANKY BOT"))
    #expect(stage.takeEffects() == [])
    stage.fail(.unauthorized(tokenGiven: false))
    #expect(!stage.screen.contains("CONNECT TO A CLANKY BOT"))
    stage.open(.setup)
    #expect(stage.screen.contains("CONNECT TO A CLANKY BOT"))
  }

  @Test("it does not open when an address was configured, nor for passing troubles")
  func staysAway() {
    var configured = SetupStage()
    configured.fail(.refused(origin: "http://127.0.0.1:8787"))
    #expect(!configured.screen.contains("CONNECT TO A CLANKY BOT"))
    for failure in [LinkFailure.streamClosed, .timedOut(.silence), .rateLimited] {
      var stage = SetupStage.fresh(failure)
      #expect(!stage.screen.contains("CONNECT TO A CLANKY BOT"))
    }
  }

  @Test("the alert of a wrong token names the way to the form")
  func alertNamesSetup() {
    var stage = SetupStage(size: Size(width: 160, height: 40))
    stage.fail(.unauthorized(tokenGiven: true))
    #expect(stage.screen.contains(":setup changes address and token."))
    stage.fail(.refused(origin: "http://127.0.0.1:8787"))
    #expect(!stage.screen.contains(":setup changes"))
  }

  // MARK: Entering and testing

  @Test("a test sends what was entered; the token is never on the screen")
  func tests() {
    var stage = SetupStage()
    stage.open(.setup)
    stage.type("Tab")
    stage.send(.paste("\(SetupStage.token)\n"))
    #expect(!stage.screen.contains(SetupStage.token))
    #expect(stage.screen.contains("***"))
    stage.type("Tab Tab Enter")
    #expect(stage.takeEffects() == [Self.test])
    // While it runs nothing can be changed or sent again.
    stage.type("Enter Tab C-s")
    stage.write("x")
    #expect(stage.takeEffects() == [])
    stage.answer(.works("It works: the bot answered in 12 ms."))
    #expect(stage.screen.contains("answered in 12 ms"))
    // The focus is on saving now.
    stage.type("Enter")
    #expect(
      stage.takeEffects() == [
        .setup(
          .save(
            profile: "", url: "http://127.0.0.1:8787", token: SetupStage.token,
            allowPlainHTTP: false))
      ])
    stage.answer(.saved("The address is in config.toml."))
    #expect(!stage.screen.contains("CONNECT TO A CLANKY BOT"))
    #expect(stage.screen.contains("The address is in config.toml."))
  }

  @Test("saving tests first; what failed is saved only when asked again")
  func savingTests() {
    var stage = SetupStage()
    stage.open(.setup)
    stage.type("Tab")
    stage.write(SetupStage.token)
    stage.type("C-s")
    #expect(stage.takeEffects() == [Self.test])
    stage.answer(.failed("The backend did not accept the token (401).", advice: "Enter it again."))
    #expect(stage.takeEffects() == [])
    #expect(stage.screen.contains("Or save again as it is."))
    stage.type("C-s")
    guard case .setup(.save)? = stage.takeEffects().first else {
      Issue.record("nothing is saved")
      return
    }
  }

  @Test("a token that is refused has the keys, whatever asked")
  func refusedToken() {
    for keys in ["C-s", "Tab Tab Tab Enter"] {
      var stage = SetupStage()
      stage.open(.setup)
      stage.type(keys)
      _ = stage.takeEffects()
      stage.answer(.failed("401", advice: "Enter it again.", isAboutToken: true))
      #expect((stage.shell.overlay as? SetupForm)?.focus == .field(.token), "\(keys)")
    }
  }

  @Test("another value after a failed test is tested again")
  func testsAgain() {
    var stage = SetupStage()
    stage.open(.setup)
    stage.type("C-s")
    _ = stage.takeEffects()
    stage.answer(.failed("no", advice: ""))
    stage.type("S-Tab S-Tab")
    stage.write("x")
    stage.type("C-s")
    guard case .setup(.test)? = stage.takeEffects().first else {
      Issue.record("it is not tested")
      return
    }
  }

  @Test(arguments: ["ftp://bot", "127.0.0.1:8787", "http://user:pass@bot.example", ""])
  func badAddressesAreSaid(_ address: String) {
    var stage = SetupStage()
    stage.open(.setup)
    stage.type("C-u")
    stage.write(address)
    stage.type("C-s")
    #expect(stage.takeEffects() == [])
    #expect(stage.screen.contains("URL"))
  }

  @Test("plain http to another host has to be agreed to")
  func plainHTTP() {
    var stage = SetupStage()
    stage.setup.profiles[0].isSaved = false
    stage.open(.setup)
    stage.type("C-u")
    stage.write("http://bot.example")
    stage.type("C-s")
    #expect(stage.takeEffects() == [])
    #expect(stage.screen.contains("readable to bot.example"))
    stage.type("Space C-s")
    #expect(
      stage.takeEffects() == [
        .setup(.test(url: "http://bot.example", token: "", allowPlainHTTP: true))
      ])
  }

  @Test("an existing profile is replaced only when told twice, and names are checked")
  func names() {
    var stage = SetupStage()
    stage.open(.setup)
    stage.type("Tab Tab")
    stage.write("home")
    stage.type("C-s")
    #expect(stage.takeEffects() == [])
    #expect(stage.screen.contains("The profile home is https://bot.example so far."))
    stage.type("C-s")
    #expect(stage.takeEffects().count == 1)

    stage.type("Esc")
    stage.open(.setup)
    stage.type("Tab Tab")
    stage.write("a b")
    stage.type("C-s")
    #expect(stage.takeEffects() == [])
    #expect(stage.screen.contains("letters, digits"))
  }

  @Test("an answer that comes after the form was left changes nothing")
  func lateAnswer() {
    var stage = SetupStage()
    stage.open(.setup)
    stage.type("Tab Tab Tab Enter Esc")
    _ = stage.takeEffects()
    stage.answer(.works("It works."))
    #expect(stage.takeEffects() == [])
    #expect(!stage.screen.contains("It works."))
    stage.open(.setup)
    stage.answer(.works("It works."))
    #expect(!stage.screen.contains("It works."))
  }

  @Test("a click chooses a field and presses a button")
  func clicks() throws {
    var stage = SetupStage()
    stage.open(.setup)
    let lines = stage.screen.split(separator: "\n", omittingEmptySubsequences: false)
    let row = try #require(lines.firstIndex { $0.contains("[TEST]") })
    let line = lines[row]
    let at = try #require(line.range(of: "[TEST]"))
    let column = line.distance(from: line.startIndex, to: at.lowerBound)
    stage.send(.mouse(.down(0), column: column + 1, row: row, []))
    #expect(stage.takeEffects().count == 1)
  }

  // MARK: Profiles

  @Test("Enter switches, the one in use closes, n and the last row open the form")
  func switches() {
    var stage = SetupStage()
    stage.open(.profiles)
    stage.type("Enter")
    #expect(stage.shell.overlay == nil)
    stage.open(.profiles)
    stage.type("j Enter")
    #expect(stage.takeEffects() == [.switchProfile(name: "home")])
    #expect(stage.shell.overlay == nil)
    stage.open(.profiles)
    stage.type("End Enter")
    #expect(stage.shell.overlay is SetupForm)
    stage.type("Esc")
    stage.open(.profiles)
    stage.type("n")
    #expect(stage.shell.overlay is SetupForm)
  }

  @Test("held deletions ask; staying is the first answer")
  func asks() {
    var stage = SetupStage()
    stage.fixture.memory.deletions = [HeldDeletion(id: 1, facts: [DialogFixture.plain], dueNs: 0)]
    stage.open(.profiles)
    stage.type("j Enter Enter")
    #expect(stage.takeEffects() == [])
    stage.type("Enter Right Enter")
    #expect(stage.takeEffects() == [.finishAndSwitch(name: "home")])
    stage.open(.profiles)
    stage.type("j Enter Right Right Enter")
    #expect(stage.takeEffects() == [.switchProfile(name: "home")])
  }

  @Test("another backend keeps tab and size, and begins everything else anew")
  func connected() {
    var stage = SetupStage(size: Size(width: 100, height: 30))
    stage.type("4")
    stage.type("1 f")
    stage.write("kind:llm_call")
    stage.type("Enter 4")
    stage.shell.connected(keys: KeyTable.standard.withoutMutations, guild: nil)
    #expect(stage.shell.tab == .memory)
    #expect(stage.shell.size == Size(width: 100, height: 30))
    #expect(stage.shell.pulse.feedQuery == .everything)
    #expect(stage.shell.keys.binding(for: .delete) == nil)
  }
}
