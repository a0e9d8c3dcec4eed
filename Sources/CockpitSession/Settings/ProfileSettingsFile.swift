import CockpitDomain
import CockpitFiles
import CockpitPanes
import Networking
import TOML
import TerminalCore

/// The profile in use as its keys, and changes of single keys in the configuration file.
package struct ProfileSettingsFile {
  /// What takes a change back.
  package struct Undo: Hashable, Sendable {
    package var key: String
    fileprivate var value: String?
  }

  private let settings: Settings
  private let configuration: Configuration
  private let name: String
  private let path: String
  private let kind: SourceKind

  /// - Parameters:
  ///   - settings: those with which the shown source was opened.
  ///   - configuration: the current content of the file.
  /// - Throws: why there is nothing to show.
  package init(_ settings: Settings, now configuration: Configuration) throws(FileError) {
    let name = settings.profileName
    guard settings.options.source == nil, let profile = configuration.profiles[name] else {
      throw FileError("the demo has no profile, and so no settings")
    }
    let kind = SourceKind(profile)
    guard kind != .clanky else {
      throw FileError("the profile '\(name)' is a Clanky bot; its settings are in CMD")
    }
    guard let path = settings.configPath else {
      throw FileError("there is no configuration file: \(settings.paths.remedy("XDG_CONFIG_HOME"))")
    }
    self.settings = settings
    self.configuration = configuration
    self.name = name
    self.path = path
    self.kind = kind
  }

  private var profile: Configuration.Profile {
    configuration.profiles[name] ?? Configuration.Profile()
  }

  private var table: String { "profiles.\(TOMLEdit.quoted(name))" }

  // MARK: What is shown

  /// - Parameter undo: the last change that was made on the screen.
  package func board(undo: Undo?) -> ProfileSettings {
    var entries = ProfileKey.all.filter { $0.kinds.contains(kind) }.map(entry)
    entries += profile.talk.headers.map(entry)
    var board = ProfileSettings(profile: name, path: path, entries: entries)
    board.undoable = undo?.key
    board.needsReconnect = profile != opened
    return board
  }

  /// The profile as the connection in use has it, without what the top level adds.
  private var opened: Configuration.Profile? { settings.configuration.profiles[name] }

  private func entry(_ key: ProfileKey) -> ProfileSettings.Entry {
    let whole = "\(table).\(key.name)"
    let line = configuration.lines[whole]
    // Values of a table have a standard that its reader has filled in already.
    let own = line == nil ? nil : key.value(profile)
    let above = key.name == "ca_file" ? configuration.base.caFile : nil
    let given = key.given(settings)
    let fixed = key.name == "kind" ? key.value(profile) : nil
    let text = own ?? fixed ?? ""
    let value = given?.value ?? own ?? fixed ?? above ?? key.standard(kind)
    var origin = "default"
    if let given {
      origin = given.origin
    } else if let line {
      origin = "line \(line)"
    } else if above != nil, let line = configuration.lines["ca_file"] {
      origin = "line \(line), for all profiles"
    }
    if given == nil, let variable = variable(for: key) { origin = variable }
    return ProfileSettings.Entry(
      key: key.name, group: PlainText(key.group),
      value: key.isHidden && own != nil ? "(not shown)" : PlainText(value, limit: 300),
      origin: PlainText(origin, limit: 80), isSet: own != nil, text: key.isHidden ? "" : text,
      form: key.form(kind), meaning: PlainText(key.meaning), effect: key.effect)
  }

  /// The variable that gives the secret before the profile does.
  private func variable(for key: ProfileKey) -> String? {
    guard key.name == "token_file" else { return nil }
    let name =
      profile.elevenLabs != nil
      ? ElevenLabsSettings.keyVariable
      : profile.gateway?.secretVariable
        ?? (settings.profile.url?.contains("openai.com") == true ? Settings.openAIVariable : "")
    return (settings.environment[name] ?? "").isEmpty ? nil : "$" + name
  }

  private func entry(_ header: Configuration.Header) -> ProfileSettings.Entry {
    let key = "headers.\(header.name)"
    let line = configuration.lines["\(table).headers.\(TOMLEdit.quoted(header.name))"]
    var text = header.value.place
    switch header.value {
    case .literal, .command: text = ""
    case .variable, .file: break
    }
    return ProfileSettings.Entry(
      key: key, group: "headers", value: PlainText(header.value.place, limit: 300),
      origin: PlainText(line.map { "line \($0)" } ?? "default"), isSet: true, text: text,
      form: .reference,
      meaning: "A header of every request to this address. Its value is never shown.",
      effect: .reconnect)
  }

  // MARK: Changes

  /// Checks a change, and says what it does to the file.
  ///
  /// - Throws: one sentence that says why the file would not be a good one.
  package func proposal(
    _ key: String, _ value: String?
  ) throws(FileError) -> ProfileSettings.Proposal {
    let bytes = try SafeFile.read(path) ?? []
    let before = try Configuration.text(bytes, path: path)
    let after: String
    do throws(TOMLEditError) {
      var edit = try TOMLEdit(before)
      try change(&edit, key, value)
      after = edit.text
    } catch {
      throw FileError(error.description)
    }
    try check(after, before, key)
    let (removed, added) = Self.difference(before, after)
    func shown(_ lines: [Substring]) -> [PlainText] {
      // The line of a header may hold a secret, also beside the one that changes.
      lines.map { key.hasPrefix("headers.") ? PlainText(masked($0, key)) : PlainText(String($0)) }
    }
    return ProfileSettings.Proposal(
      key: key, value: value, removed: shown(removed), added: shown(added))
  }

  /// Writes a change.
  ///
  /// - Returns: what takes it back; nil for a header, whose former value may be a secret.
  package func save(_ key: String, _ value: String?) throws(FileError) -> Undo? {
    _ = try proposal(key, value)
    let old =
      ProfileKey.all.first { $0.name == key }.flatMap { declared in
        configuration.lines["\(table).\(key)"].flatMap { _ in declared.value(profile) }
      }
    try ConfigurationFile.update(path: path) { edit throws(TOMLEditError) in
      try change(&edit, key, value)
    }
    return key.hasPrefix("headers.") ? nil : Undo(key: key, value: old)
  }

  /// Takes a change back.
  package func takeBack(_ undo: Undo) throws(FileError) {
    _ = try save(undo.key, undo.value)
  }

  private func change(
    _ edit: inout TOMLEdit, _ key: String, _ value: String?
  ) throws(TOMLEditError) {
    let isHeader = key.hasPrefix("headers.")
    let table = isHeader ? "\(table).headers" : table
    let name = isHeader ? String(key.dropFirst("headers.".count)) : key
    guard let value else { return try edit.remove(name, in: table) }
    let isFlag = ProfileKey.all.first { $0.name == key }?.form(kind) == .flag
    try edit.set(name, isFlag ? .bool(value == "true") : .string(value), in: table)
  }

  private func check(_ after: String, _ before: String, _ key: String) throws(FileError) {
    if key.hasPrefix("headers."), after != before {
      let name = String(key.dropFirst("headers.".count))
      let header = Configuration.readable(toml: after, path: path)?.profiles[self.name]?.talk
        .headers.first { $0.name == name }
      if let header, case .literal = header.value {
        throw FileError("a secret is not typed here: write env:NAME, file:PATH or command:LINE")
      }
    }
    let known = Set(Configuration.problems(toml: before, path: "").map(Self.withoutLine))
    let new = Configuration.problems(toml: after, path: "").map(Self.withoutLine)
    if let problem = new.first(where: { !known.contains($0) }) { throw FileError(problem) }
    guard let profile = Configuration.readable(toml: after, path: path)?.profiles[name] else {
      return
    }
    if key == "url" || key == "allow_plain_http" { try checkAddress(profile) }
    let file =
      switch key {
      case "token_file": profile.tokenFile
      case "ca_file": profile.caFile
      case "client_certificate": profile.clientCertificate
      case "client_key": profile.clientKey
      case "ssh_config": profile.sshConfig
      default: String?.none
      }
    guard let file else { return }
    let whole = Settings.path(file, in: configuration, settings.environment)
    if key == "token_file" {
      _ = try TokenFile.read(whole)
    } else if try SafeFile.read(whole) == nil {
      throw FileError("there is no file '\(whole)'")
    }
  }

  private func checkAddress(_ profile: Configuration.Profile) throws(FileError) {
    let allowsPlain = profile.allowPlainHTTP ?? false
    switch kind {
    case .clanky: break
    case .openclaw, .companion:
      do throws(WebSocketURL.Problem) {
        _ = try WebSocketURL(profile: profile, allowPlain: allowsPlain)
      } catch {
        throw FileError(error.description)
      }
    case .openai, .elevenlabs:
      let standard = kind == .elevenlabs ? ElevenLabsSettings.officialURL : ""
      do throws(BackendURL.Problem) {
        _ = try BackendURL(profile.url ?? standard, allowPlainHTTP: allowsPlain)
      } catch {
        throw FileError(error.description)
      }
    }
  }

  /// `c:12: 'key' is wrong` without its place, which a change moves.
  private static func withoutLine(_ problem: FileError) -> String {
    let text = problem.description
    guard let quote = text.firstIndex(of: "'") else { return text }
    return String(text[quote...])
  }

  /// The lines of both texts between what they begin and end with in common.
  private static func difference(
    _ before: String, _ after: String
  ) -> (removed: [Substring], added: [Substring]) {
    var old = before.split(separator: "\n", omittingEmptySubsequences: false)[...]
    var new = after.split(separator: "\n", omittingEmptySubsequences: false)[...]
    while let first = old.first, first == new.first {
      old.removeFirst()
      new.removeFirst()
    }
    while let last = old.last, last == new.last {
      old.removeLast()
      new.removeLast()
    }
    return (Array(old), Array(new))
  }

  /// A line of a header with its value left out, unless that is a reference to a variable or a file.
  private func masked(_ line: Substring, _ key: String) -> String {
    let name = key.dropFirst("headers.".count)
    let isReference = ["\"env:", "\"file:", "'env:", "'file:"].contains { line.contains($0) }
    return isReference && !line.contains("{") ? String(line) : "\(name) = (not shown)"
  }
}
