import Children
import Foundation
import Testing

@testable import CockpitFiles

/// A home with made-up keyring tools, which write down their arguments.
private final class KeyringFixture {
  static let token = "sesame-0815-open"

  let folder: String
  var state: String { "\(folder)/state/clanky-cockpit" }
  var arguments: String { (try? String(contentsOfFile: "\(folder)/argv", encoding: .utf8)) ?? "" }

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "clanky-keyring-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(
      atPath: "\(folder)/items", withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  var environment: [String: String] {
    ["PATH": "\(folder):/usr/bin:/bin", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"]
  }

  /// Keeps items as files by their last argument, as `secret-tool` does by attributes.
  func installSecretTool(store: String = "cat >\"$item\"") throws {
    try install(
      "secret-tool",
      """
      for last in "$@"; do :; done
      item="\(folder)/items/$(printf %s "$last" | tr '/:' '__')"
      case "$1" in
        store) \(store) ;;
        lookup) [ -f "$item" ] || exit 1; cat "$item" ;;
        clear) rm -f "$item" ;;
      esac
      """)
  }

  /// Understands the one command that comes on standard input, and `find-generic-password`.
  func installSecurity() throws {
    try install(
      "security",
      """
      item="\(folder)/items/keychain"
      case "$1" in
        -i) sed -n "s/.* -w '\\(.*\\)'$/\\1/p" >"$item" ;;
        find-generic-password) [ -f "$item" ] || exit 44; cat "$item" ;;
        delete-generic-password) rm "$item" ;;
      esac
      """)
  }

  func install(_ name: String, _ script: String) throws {
    let text = "#!/bin/sh\nprintf '%s\\n' \"$*\" >>\"\(folder)/argv\"\n\(script)\n"
    try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: "\(folder)/\(name)")
  }

  var credentials: Credentials { Credentials(state: state, environment: environment) }

  var keychain: Credentials {
    Credentials(state: state, environment: environment, keychainTool: "\(folder)/security")
  }

  func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  func names(_ path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}

@Suite struct CredentialsTests {
  private static let key = CredentialKey(scheme: "https", host: "bot.example", port: 443)
  private static let patience = Duration.seconds(20)
  private let fixture: KeyringFixture

  init() throws { fixture = try KeyringFixture() }

  // MARK: File

  @Test func withoutAKeyringTheTokenIsInAFileOfOurs() throws {
    let credentials = Credentials(state: fixture.state, environment: ["PATH": "/nowhere"])
    let saved = try credentials.save(
      KeyringFixture.token, for: Self.key, patience: Self.patience)
    let path = "\(fixture.state)/credentials/https_443_bot.example.token"
    #expect(saved == .init(place: .file(path), remark: nil))
    #expect(try fixture.mode(path) == 0o600)
    #expect(try fixture.mode("\(fixture.state)/credentials") == 0o700)
    let found = try #require(try credentials.load(Self.key, patience: Self.patience))
    #expect(found.token == KeyringFixture.token)
    #expect(found.place == .file(path))
    #expect(try credentials.place(of: Self.key) == .file(path))
  }

  @Test func whatIsForgottenIsGoneWhereverItWas() throws {
    try fixture.installSecretTool()
    for preference in Credentials.Preference.allCases {
      _ = try fixture.credentials.save(
        KeyringFixture.token, for: Self.key, preference: preference, patience: Self.patience)
      try fixture.credentials.remove(Self.key, patience: Self.patience)
      #expect(try fixture.credentials.load(Self.key, patience: Self.patience) == nil)
      #expect(try fixture.credentials.place(of: Self.key) == nil)
    }
    // What is not there is no failure.
    try fixture.credentials.remove(Self.key, patience: Self.patience)
  }

  @Test func eachProfileOfAGatewayHasItsOwn() throws {
    let credentials = Credentials(state: fixture.state, environment: ["PATH": "/nowhere"])
    let names = ["claw", "Claw", "a/b", "a%2fb", "\u{1}2", "\u{12}", "é"]
    let keys = names.map {
      CredentialKey(scheme: "ws-device", host: "::1", port: 18_789, profile: $0)
    }
    for (name, key) in zip(names, keys) {
      _ = try credentials.save("of-\(name.utf8.count)-\(name.hashValue)", for: key, patience: .zero)
    }
    for (name, key) in zip(names, keys) {
      let found = try credentials.load(key, patience: .zero)
      #expect(found?.token == "of-\(name.utf8.count)-\(name.hashValue)")
    }
  }

  @Test(arguments: [
    CredentialKey(scheme: "http", host: "bot.example", port: 443),
    CredentialKey(scheme: "https", host: "bot.example", port: 8443),
    CredentialKey(scheme: "https", host: "bot.example.evil.test", port: 443),
    CredentialKey(scheme: "https", host: "::1", port: 443),
  ])
  func anotherOriginDoesNotGetIt(_ other: CredentialKey) throws {
    try fixture.installSecretTool()
    for preference in Credentials.Preference.allCases {
      _ = try fixture.credentials.save(
        KeyringFixture.token, for: Self.key, preference: preference, patience: Self.patience)
      #expect(try fixture.credentials.load(other, patience: Self.patience) == nil)
      #expect(try fixture.credentials.place(of: other) == nil)
    }
  }

  @Test func anAddressOfNumbersIsNoNameOfAHost() {
    let number = CredentialKey(scheme: "http", host: "::1", port: 80)
    #expect(number.fileName == "http_80_++1")
    #expect(number.origin == "http://[::1]:80")
  }

  @Test func aFileThatOthersCanReadIsRefused() throws {
    _ = try fixture.credentials.save(
      KeyringFixture.token, for: Self.key, preference: .file, patience: Self.patience)
    let path = "\(fixture.state)/credentials/https_443_bot.example.token"
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    let error = #expect(throws: FileError.self) {
      try fixture.credentials.load(Self.key, patience: Self.patience)
    }
    #expect(error?.description.contains("chmod 600") == true)
  }

  @Test func aLinkInPlaceOfTheFileIsRefused() throws {
    let folder = "\(fixture.state)/credentials"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    let target = "\(fixture.folder)/elsewhere"
    try Data("mine".utf8).write(to: URL(filePath: target))
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/https_443_bot.example.token", withDestinationPath: target)
    let credentials = Credentials(state: fixture.state, environment: [:])
    #expect(throws: FileError.self) {
      try credentials.load(Self.key, patience: Self.patience)
    }
    #expect(throws: FileError.self) {
      try credentials.save(KeyringFixture.token, for: Self.key, patience: Self.patience)
    }
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "mine")
  }

  @Test func aLinkInPlaceOfTheStateFolderIsNotFollowed() throws {
    let manager = FileManager.default
    let elsewhere = "\(fixture.folder)/elsewhere"
    let credentials = Credentials(state: fixture.state, environment: [:])
    func link() throws {
      try manager.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
      try manager.createSymbolicLink(atPath: fixture.state, withDestinationPath: elsewhere)
    }
    func expectRefusal(_ body: () throws -> Void) {
      let error = #expect(throws: FileError.self) { try body() }
      #expect(error?.description.contains("is a symbolic link, which is not followed") == true)
    }
    try manager.createDirectory(
      atPath: "\(fixture.folder)/state", withIntermediateDirectories: true)
    try link()
    expectRefusal {
      _ = try credentials.save(KeyringFixture.token, for: Self.key, patience: Self.patience)
    }
    #expect(fixture.names(elsewhere).isEmpty)
    // What was saved is not taken from where a link leads either.
    try manager.removeItem(atPath: fixture.state)
    _ = try credentials.save(KeyringFixture.token, for: Self.key, patience: Self.patience)
    try manager.removeItem(atPath: elsewhere)
    try manager.moveItem(atPath: fixture.state, toPath: elsewhere)
    try link()
    expectRefusal { _ = try credentials.load(Self.key, patience: Self.patience) }
    expectRefusal { _ = try credentials.place(of: Self.key) }
  }

  @Test func aStateFolderThatOthersCanReadIsOnlyLookedInto() throws {
    let credentials = Credentials(state: fixture.state, environment: [:])
    _ = try credentials.save(KeyringFixture.token, for: Self.key, patience: Self.patience)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: fixture.state)
    #expect(
      try credentials.load(Self.key, patience: Self.patience)?.token == KeyringFixture.token)
    #expect(try fixture.mode(fixture.state) == 0o755)
    _ = try credentials.save(KeyringFixture.token, for: Self.key, patience: Self.patience)
    #expect(try fixture.mode(fixture.state) == 0o700)
  }

  @Test func withoutAHomeNothingIsFoundAndNothingSaved() throws {
    let credentials = Credentials(state: nil, environment: [:])
    #expect(try credentials.load(Self.key, patience: Self.patience) == nil)
    #expect(throws: FileError.self) {
      try credentials.save(KeyringFixture.token, for: Self.key, patience: Self.patience)
    }
  }

  // MARK: Secret Service

  @Test func theKeyringGetsTheTokenAndTheArgumentsDoNot() throws {
    try fixture.installSecretTool()
    let saved = try fixture.credentials.save(
      KeyringFixture.token, for: Self.key, patience: Self.patience)
    #expect(saved == .init(place: .secretService, remark: nil))
    #expect(fixture.names("\(fixture.state)/credentials") == ["https_443_bot.example.keyring"])
    let found = try #require(try fixture.credentials.load(Self.key, patience: Self.patience))
    #expect(found.token == KeyringFixture.token)
    #expect(found.place == .secretService)
    #expect(fixture.arguments.contains("store --label=Clanky dashboard token"))
    #expect(fixture.arguments.contains("service clanky-cockpit origin https://bot.example:443"))
    #expect(!fixture.arguments.contains(KeyringFixture.token))
  }

  @Test func aKeyringIsNotOpenedForWhatWasNeverPutThere() throws {
    try fixture.installSecretTool()
    #expect(try fixture.credentials.load(Self.key, patience: Self.patience) == nil)
    #expect(fixture.arguments.isEmpty)
  }

  @Test func withoutASessionBusThereIsNoKeyring() throws {
    try fixture.installSecretTool()
    let credentials = Credentials(
      state: fixture.state, environment: ["PATH": fixture.folder, "XDG_RUNTIME_DIR": "/nowhere"])
    #expect(credentials.keyringName == nil)
    let error = #expect(throws: FileError.self) {
      try credentials.save(
        KeyringFixture.token, for: Self.key, preference: .keyring, patience: Self.patience)
    }
    #expect(error?.description.contains("--store file") == true)
  }

  @Test func aKeyringThatRefusesLeavesTheFile() throws {
    try fixture.installSecretTool(store: "echo 'no such collection' >&2; exit 1")
    let saved = try fixture.credentials.save(
      KeyringFixture.token, for: Self.key, patience: Self.patience)
    guard case .file = saved.place else {
      Issue.record("in \(saved.place)")
      return
    }
    #expect(saved.remark?.contains("no such collection") == true)
    #expect(throws: FileError.self) {
      try fixture.credentials.save(
        KeyringFixture.token, for: Self.key, preference: .keyring, patience: Self.patience)
    }
  }

  @Test func aKeyringThatForgetsIsNotTrusted() throws {
    try fixture.installSecretTool(store: "cat >/dev/null")
    let saved = try fixture.credentials.save(
      KeyringFixture.token, for: Self.key, patience: Self.patience)
    #expect(saved.remark?.contains("did not give the token back") == true)
  }

  @Test func aKeyringThatWaitsForItsOwnerIsLeftAfterAWhile() throws {
    try fixture.installSecretTool()
    _ = try fixture.credentials.save(
      KeyringFixture.token, for: Self.key, patience: Self.patience)
    try fixture.install("secret-tool", "sleep 60")
    let start = ContinuousClock.now
    let error = #expect(throws: FileError.self) {
      try fixture.credentials.load(Self.key, patience: .milliseconds(300))
    }
    #expect(error?.description.contains("unlocked") == true)
    #expect(ContinuousClock.now - start < .seconds(10))
  }

  @Test func movingToTheFileEmptiesTheKeyring() throws {
    try fixture.installSecretTool()
    _ = try fixture.credentials.save(
      KeyringFixture.token, for: Self.key, patience: Self.patience)
    #expect(fixture.names("\(fixture.folder)/items").count == 1)
    _ = try fixture.credentials.save(
      "another", for: Self.key, preference: .file, patience: Self.patience)
    #expect(fixture.names("\(fixture.folder)/items").isEmpty)
    #expect(try fixture.credentials.load(Self.key, patience: Self.patience)?.token == "another")
    _ = try fixture.credentials.save("third", for: Self.key, patience: Self.patience)
    #expect(fixture.names("\(fixture.state)/credentials") == ["https_443_bot.example.keyring"])
    #expect(try fixture.credentials.load(Self.key, patience: Self.patience)?.token == "third")
  }

  @Test func aKeyringThatIsGoneIsSaid() throws {
    try fixture.installSecretTool()
    _ = try fixture.credentials.save(
      KeyringFixture.token, for: Self.key, patience: Self.patience)
    let elsewhere = Credentials(state: fixture.state, environment: ["PATH": "/nowhere"])
    let error = #expect(throws: FileError.self) {
      try elsewhere.load(Self.key, patience: Self.patience)
    }
    #expect(error?.description.contains("--token-file") == true)
    #expect(try elsewhere.place(of: Self.key) == .secretService)
  }

  // MARK: Keychain

  @Test func theKeychainGetsTheTokenAndTheArgumentsDoNot() throws {
    try fixture.installSecurity()
    let saved = try fixture.keychain.save(
      KeyringFixture.token, for: Self.key, patience: Self.patience)
    #expect(saved == .init(place: .keychain, remark: nil))
    let found = try #require(try fixture.keychain.load(Self.key, patience: Self.patience))
    #expect(found.token == KeyringFixture.token)
    #expect(!fixture.arguments.contains(KeyringFixture.token))
  }

  @Test(arguments: ["it's", "a\\b", "\"", "grün", "two words"])
  func whatTheKeychainMightTakeApartGoesToTheFile(_ token: String) throws {
    try fixture.installSecurity()
    let saved = try fixture.keychain.save(token, for: Self.key, patience: Self.patience)
    guard case .file = saved.place else {
      Issue.record("\(token) is in \(saved.place)")
      return
    }
    #expect(try fixture.keychain.load(Self.key, patience: Self.patience)?.token == token)
    #expect(fixture.arguments.isEmpty)
  }

  // MARK: Helpers

  @Test func aCommandThatHangsIsEnded() throws {
    let start = ContinuousClock.now
    #expect(throws: FileError.self) {
      try TokenCommand.run("sleep 60", patience: .milliseconds(300), mayAsk: false)
    }
    #expect(ContinuousClock.now - start < .seconds(10))
  }

  @Test func aHelperDoesNotGetTheTokenOfTheEnvironment() throws {
    let helper = HelperProgram(
      path: "/usr/bin/env", arguments: [],
      environment: ["CLANKY_TOKEN": "Sesame-0815-open", "PATH": "/bin"])
    let answer = try helper.run(patience: Self.patience)
    #expect(String(decoding: answer.output, as: UTF8.self) == "PATH=/bin\n")
  }

  @Test func whatACommandLeavesBehindIsNotWaitedFor() throws {
    let start = ContinuousClock.now
    #expect(try TokenCommand.run("sleep 30 & echo abc", mayAsk: false) == "abc")
    #expect(ContinuousClock.now - start < .seconds(10))
  }
}
