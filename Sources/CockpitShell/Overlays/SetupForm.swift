import CockpitPanes
import TerminalUI
import Networking
import CockpitStores
import TerminalCore

/// The form for address, token and profile: entered, tested, saved. The token is a secret from the
/// first character on: it is never drawn, and leaves the form in an effect only.
package struct SetupForm: Overlay, Hashable {
  enum Field: Int, CaseIterable, Hashable, Sendable {
    case url, token, plain, profile
  }

  enum Button: Int, CaseIterable, Hashable, Sendable {
    case test, save, cancel, search
  }

  enum Focus: Hashable, Sendable {
    case field(Field)
    /// One of the bots that were found.
    case bot(Int)
    case button(Button)
  }

  /// The look for bots on the local network.
  enum Discovery: Hashable, Sendable {
    case none, looking
    case heard(tool: String)
    /// There is none of these tools.
    case noTool([String])
  }

  /// The work in progress.
  enum Work: Hashable, Sendable {
    case nothing, testing, testingToSave, saving
  }

  /// A sentence and how it is meant.
  struct Message: Hashable, Sendable {
    var text: PlainText = ""
    var role = Role.muted

    init() {}

    init(_ text: PlainText, _ role: Role) {
      self.text = text
      self.role = role
    }
  }

  private(set) var url: TextField
  private(set) var token = TextField()
  private(set) var profile: TextField
  private(set) var allowsPlainHTTP = false
  private(set) var focus = Focus.field(.url)
  private(set) var work = Work.nothing
  /// The message, and its severity.
  private(set) var message = Message()
  private(set) var discovery = Discovery.none
  /// The bots that were found.
  private(set) var bots: [FoundBot] = []
  /// The advice that follows `message`.
  private(set) var advice: PlainText = ""
  /// The values that are known to work.
  private var tested: [String]?
  /// The values that failed and that the user may want to save nevertheless.
  private var failed: [String]?
  /// The profile to be replaced, once the user was warned.
  private var replacing: String?

  /// - Parameters:
  ///   - facts: the form starts with the settings in use.
  ///   - greeting: why the form opened automatically; nil if the user opened it.
  @MainActor package init(_ facts: ViewContext, greeting: PlainText? = nil) {
    let current = facts.setup.profiles.first { $0.name == facts.setup.current }
    let isDemo = facts.setup.current == "demo"
    url = TextField(
      isDemo ? Self.standardAddress : current?.url ?? facts.connection.address)
    profile = TextField(isDemo ? "" : current?.name ?? "")
    if let greeting {
      message = Message(greeting, .info)
      advice = "Esc looks around; :setup comes back."
    }
  }

  /// The default address of a bot's dashboard.
  package static let standardAddress = "http://127.0.0.1:8787"

  package var title: PlainText { "connect to a Clanky bot" }

  package var keyLine: PlainText {
    switch work {
    case .nothing: "Tab next  Enter does it  C-s save and connect  Esc leaves"
    case .testing, .testingToSave: "testing; Esc leaves"
    case .saving: "saving"
    }
  }

  // MARK: Keys

  @MainActor package mutating func press(_ press: KeyPress, on facts: ViewContext) -> LayerOutcome {
    switch (press.key, press.modifiers) {
    case (.escape, []), (.char("c"), .ctrl): return work == .saving ? .stay : .close
    default: break
    }
    guard work == .nothing else { return .stay }
    switch (press.key, press.modifiers) {
    case (.char("s"), .ctrl): return self.press(.save, facts)
    case (.tab, []), (.down, []):
      move(by: 1)
      return .stay
    case (.tab, .shift), (.up, []):
      move(by: -1)
      return .stay
    default: break
    }
    switch focus {
    case .button(let button):
      switch ButtonKey(press) {
      case .next: move(by: 1)
      case .previous: move(by: -1)
      case .press: return self.press(button, facts)
      case .close, .other: break
      }
    case .field(let field): type(press, into: field)
    case .bot(let index):
      if press.key == .enter || press.key == .char(" ") { takeBot(index) }
    }
    return .stay
  }

  /// Goes into the field that has the focus, line ends as spaces; it never submits (promise P8).
  @MainActor package mutating func paste(_ text: String, on facts: ViewContext) {
    guard work == .nothing else { return }
    switch focus {
    case .field(.url): url.paste(text)
    case .field(.token): token.paste(text)
    case .field(.profile): profile.paste(text)
    case .field(.plain), .bot, .button: return
    }
    edited()
  }

  @MainActor package mutating func click(_ item: Int, on facts: ViewContext) -> LayerOutcome {
    guard work == .nothing else { return .stay }
    if let field = Field(rawValue: item) {
      focus = .field(field)
      if field == .plain { togglePlainHTTP() }
    } else if let button = Button(rawValue: item - Field.allCases.count) {
      return press(button, facts)
    } else if bots.indices.contains(item - Self.firstBot) {
      takeBot(item - Self.firstBot)
    }
    return .stay
  }

  private mutating func type(_ press: KeyPress, into field: Field) {
    if press.key == .enter {
      move(by: 1)
      return
    }
    let outcome: TextField.Outcome
    switch field {
    case .url: outcome = url.press(press)
    case .token: outcome = token.press(press)
    case .profile: outcome = profile.press(press)
    case .plain:
      if press.key == .char(" ") { togglePlainHTTP() }
      return
    }
    if outcome == .edited { edited() }
  }

  private mutating func togglePlainHTTP() {
    allowsPlainHTTP.toggle()
    edited()
  }

  /// Messages about the old values do not apply to the new ones.
  private mutating func edited() {
    message = Message()
    advice = ""
    failed = nil
    replacing = nil
    if !needsPlainHTTPConsent { allowsPlainHTTP = false }
  }

  /// Whether the address requires the user's consent to an unencrypted token.
  var needsPlainHTTPConsent: Bool {
    guard case .failure(.plainHTTP) = address(allowPlainHTTP: false) else { return false }
    return true
  }

  /// The fields of the form as it is.
  var fields: [Field] { Field.allCases.filter { $0 != .plain || needsPlainHTTPConsent } }

  private mutating func move(by step: Int) {
    let places =
      fields.map(Focus.field) + bots.indices.map(Focus.bot) + Button.allCases.map(Focus.button)
    let index = places.firstIndex(of: focus) ?? 0
    focus = places[(index + step + places.count) % places.count]
  }

  // MARK: Doing

  private var values: [String] { [url.text, token.text, allowsPlainHTTP ? "plain" : ""] }

  private func address(allowPlainHTTP: Bool) -> Result<BackendURL, BackendURL.Problem> {
    Result { () throws(BackendURL.Problem) in
      try BackendURL(url.text, allowPlainHTTP: allowPlainHTTP)
    }
  }

  @MainActor private mutating func press(_ button: Button, _ facts: ViewContext) -> LayerOutcome {
    switch button {
    case .cancel: return .close
    case .search: return .effects(search())
    case .test:
      guard isFilledIn() else { return .stay }
      return test(as: .testing)
    case .save:
      focus = .button(.save)
      guard isFilledIn(), isNameFree(facts) else { return .stay }
      if tested == values || failed == values { return save() }
      return test(as: .testingToSave)
    }
  }

  private mutating func test(as work: Work) -> LayerOutcome {
    self.work = work
    message = Message(PlainText("Asking \(url.text.trimmed) …", limit: 200), .info)
    advice = ""
    return .effects([
      .setup(
        .test(
          url: url.text.trimmed, token: token.text.trimmed, allowPlainHTTP: allowsPlainHTTP))
    ])
  }

  private mutating func save() -> LayerOutcome {
    work = .saving
    message = Message("Saving …", .info)
    advice = ""
    return .effects([
      .setup(
        .save(
          profile: profile.text.trimmed, url: url.text.trimmed, token: token.text.trimmed,
          allowPlainHTTP: allowsPlainHTTP))
    ])
  }

  /// Validates address, token and name; reports the first error and focuses its field.
  private mutating func isFilledIn() -> Bool {
    switch address(allowPlainHTTP: allowsPlainHTTP) {
    case .failure(.plainHTTP(let host)):
      return refuse(
        .plain,
        PlainText(
          "The token would travel readable to \(host). Use https://, or agree to it with Space.",
          limit: 300))
    case .failure(let problem): return refuse(.url, PlainText(problem.description, limit: 300))
    case .success: break
    }
    if !token.text.trimmed.isEmpty {
      let checked = Result { () throws(TokenText.Problem) in try TokenText(token.text) }
      if case .failure(let problem) = checked {
        return refuse(.token, PlainText(problem.description))
      }
    }
    guard ProfileName.isUsable(profile.text.trimmed) else {
      return refuse(.profile, PlainText(ProfileName.rule))
    }
    return true
  }

  private mutating func refuse(_ field: Field, _ words: PlainText) -> Bool {
    focus = .field(field)
    message = Message(words, .negative)
    advice = ""
    return false
  }

  /// Warns before an existing profile is replaced.
  @MainActor private mutating func isNameFree(_ facts: ViewContext) -> Bool {
    let name = profile.text.trimmed
    guard let old = facts.setup.profiles.first(where: { $0.name == name && $0.isSaved }),
      old.url != url.text.trimmed, replacing != name
    else { return true }
    replacing = name
    let which = name.isEmpty ? "The address without a profile" : "The profile \(name)"
    message = Message(PlainText("\(which) is \(old.url) so far.", limit: 300), .warning)
    advice = "Save again to replace it, or enter another name."
    return false
  }

  mutating func noteDiscovery(_ found: [FoundBot], _ discovery: Discovery) {
    self.discovery = discovery
    bots = found
    if case .bot = focus { focus = .field(.url) }
  }

  /// Fills in an address from the network.
  mutating func noteAddress(_ address: String) {
    url = TextField(address)
    edited()
    message = Message(
      "Compare this address with that of your bot before you give it a token.", .warning)
    focus = .field(.token)
  }

  /// Receives the result of the last request; returns what to do next.
  mutating func take(_ answer: SetupAnswer) -> LayerOutcome {
    let was = work
    work = .nothing
    switch answer {
    case .works(let words):
      guard was == .testing || was == .testingToSave else { return .stay }
      tested = values
      focus = .button(.save)
      message = Message(words, .positive)
      advice = ""
      if was == .testingToSave { return save() }
    case .failed(let words, let advice, let isAboutToken):
      guard was == .testing || was == .testingToSave else { return .stay }
      failed = was == .testingToSave ? values : nil
      if isAboutToken { focus = .field(.token) }
      message = Message(words, .negative)
      self.advice = was == .testingToSave ? advice + " Or save again as it is." : advice
    case .bots(let found, let tool):
      work = was
      take(found, .heard(tool: tool))
    case .noTool(let tools):
      work = was
      take([], .noTool(tools))
    case .saved: return .close
    case .notSaved(let words):
      message = Message(words, .negative)
      advice = ""
    }
    return .stay
  }
}

/// The names that a profile can have.
package enum ProfileName {
  package static let rule =
    "A profile name has letters, digits, - and _, 40 at most; or leave it empty."

  /// The empty name is the top level of the configuration file.
  package static func isUsable(_ name: String) -> Bool {
    name.utf8.count <= 40
      && name.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
          || $0 == 0x2D || $0 == 0x5F
      }
  }
}

extension String {
  fileprivate var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
