import Foundation
import TOML
import TOMLKit

extension Configuration {
  /// The file at a path.
  package enum Found: Sendable {
    /// Its content; empty if there is no file.
    case configuration(Configuration)
    /// Invalid TOML, and why: its content is lost.
    case corrupt(FileError)
  }

  /// Reads the configuration at `path`; a missing file is an empty one unless `isRequired`.
  ///
  /// - Throws: one sentence with file and line: an unknown key with the nearest known one, or a
  ///   value of the wrong type. Also where the file cannot be read at all, and where one that
  ///   `isRequired` is corrupt.
  package static func find(path: String, isRequired: Bool) throws(FileError) -> Found {
    guard let bytes = try SafeFile.read(path) else {
      guard isRequired else { return .configuration(Configuration()) }
      throw FileError("there is no configuration file at '\(path)'")
    }
    let text: String
    let table: TOMLTable
    do throws(TOMLMistake) {
      text = try TOMLDocument.text(bytes)
      table = try TOMLDocument.table(text)
    } catch {
      // A file named by the user must be valid.
      guard !isRequired else { throw FileError(error, path: path) }
      return .corrupt(FileError(error, path: path))
    }
    var reader = ConfigurationReader(path: path, text: text)
    let configuration = reader.read(table)
    if let first = reader.sortedProblems.first { throw first }
    return .configuration(configuration)
  }

  /// The same for callers to which a corrupt file is an error.
  package static func load(path: String, isRequired: Bool) throws(FileError) -> Configuration {
    switch try find(path: path, isRequired: isRequired) {
    case .configuration(let configuration): return configuration
    case .corrupt(let error): throw error
    }
  }

  /// The text of a file.
  ///
  /// - Throws: one sentence with file and line when it is no UTF-8 text.
  package static func text(_ bytes: [UInt8], path: String) throws(FileError) -> String {
    do throws(TOMLMistake) {
      return try TOMLDocument.text(bytes)
    } catch {
      throw FileError(error, path: path)
    }
  }

  /// Reads TOML text; `path` is only named in errors.
  ///
  /// - Throws: the first problem.
  package init(toml text: String, path: String) throws(FileError) {
    let (configuration, problems) = try Self.read(text, path: path)
    if let first = problems.first { throw first }
    self = configuration
  }

  /// Every problem of a TOML text, in line order; invalid TOML has one.
  package static func problems(toml text: String, path: String) -> [FileError] {
    do throws(FileError) {
      return try read(text, path: path).problems
    } catch {
      return [error]
    }
  }

  /// The readable part of a text with problems; nil if it is invalid TOML.
  package static func readable(toml text: String, path: String) -> Configuration? {
    try? read(text, path: path).0
  }

  private static func read(
    _ text: String, path: String
  ) throws(FileError) -> (Configuration, problems: [FileError]) {
    let table: TOMLTable
    do throws(TOMLMistake) {
      table = try TOMLDocument.table(text)
    } catch {
      throw FileError(error, path: path)
    }
    var reader = ConfigurationReader(path: path, text: text)
    let configuration = reader.read(table)
    return (configuration, reader.sortedProblems)
  }
}

/// Reads typed values of a document, and collects problems and line numbers.
private struct ConfigurationReader {
  let path: String
  private let outline: TOMLOutline?
  private var problems: [(line: Int?, error: FileError)] = []
  private var configuration = Configuration()

  init(path: String, text: String) {
    self.path = path
    outline = TOMLOutline(Array(text.utf8))
  }

  var sortedProblems: [FileError] {
    problems.enumerated()
      .sorted { ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset) }
      .map(\.element.error)
  }

  mutating func read(_ table: TOMLTable) -> Configuration {
    typealias Key = Configuration.Key
    configuration.path = path
    check(table, keys: Key.names(in: nil), [])
    configuration.base = profile(table, [])
    configuration.profile = string(table, "profile", [])
    configuration.glyphs = choice(table, "glyphs", Key.glyphs, [])
    configuration.color = choice(table, "color", Key.color, [])
    configuration.utc = bool(table, "utc", [])
    configuration.mouse = bool(table, "mouse", [])
    configuration.memory = memory(table)
    configuration.onQuitWithHeld = choice(table, "on_quit_with_held", Key.onQuitWithHeld, [])
    configuration.preset = choice(table, "preset", Key.presets, [])
    configuration.title = bool(table, "title", [])
    configuration.lowBandwidth = toggle(table, "low_bandwidth", Key.automatic, [])
    if let keys = inner(table, "keys", [], such: "[keys]") { read(keys: keys) }
    if let alerts = inner(table, "alerts", [], such: "[alerts]") { read(alerts: alerts) }
    if let layout = inner(table, "layout", [], such: "[layout]") { read(layout: layout) }
    if let triage = inner(table, "triage", [], such: "[triage]") { read(triage: triage) }
    if let anomalies = inner(table, "anomalies", [], such: "[anomalies]") {
      for rule in anomalies.keys { read(anomaly: rule, anomalies) }
    }
    if let history = inner(table, "history", [], such: "[history]") { read(history: history) }
    if let slo = inner(table, "slo", [], such: "[slo]") { read(slo: slo) }
    if let watches = inner(table, "watch", [], such: "[watch.NAME]") { read(watches: watches) }
    if let views = inner(table, "views", [], such: "[views]") {
      for name in views.keys { configuration.views[name] = string(views, name, ["views"]) }
    }
    if let profiles = inner(table, "profiles", [], such: "[profiles.prod]") {
      for name in profiles.keys {
        let path = ["profiles", name]
        guard
          let entry = inner(
            profiles, name, ["profiles"], such: "[profiles.\(TOMLEdit.quoted(name))]")
        else { continue }
        check(entry, keys: Key.names(in: "profiles.NAME"), path)
        configuration.profiles[name] = profile(entry, path)
      }
    }
    return configuration
  }

  private mutating func profile(_ table: TOMLTable, _ path: [String]) -> Configuration.Profile {
    var profile = Configuration.Profile()
    profile.url = string(table, "url", path)
    profile.tokenCommand = string(table, "token_command", path)
    profile.tokenFile = string(table, "token_file", path)
    if profile.tokenCommand != nil, profile.tokenFile != nil {
      complain("token_file", path, "stands beside token_command; leave one of the two out")
    }
    profile.caFile = string(table, "ca_file", path)
    profile.guild = string(table, "guild", path)
    profile.allowPlainHTTP = bool(table, "allow_plain_http", path)
    profile.readOnly = bool(table, "read_only", path)
    profile.theme = string(table, "theme", path)
    return profile
  }

  // MARK: Tables

  private mutating func read(keys table: TOMLTable) {
    for name in table.keys {
      guard let value = note(table, name, ["keys"]) else { continue }
      let command = name.replacing("_", with: "-")
      guard configuration.keys[command] == nil else {
        complain(name, ["keys"], "is set twice, with - and with _")
        continue
      }
      if let key = value.string {
        configuration.keys[command] = [key]
      } else if let list = strings(value) {
        configuration.keys[command] = list
      } else {
        complain(name, ["keys"], "must be a key such as \"C-d\", or a list of keys")
      }
      configuration.keyLines[command] = outline?.line(of: ["keys", name])
    }
  }

  private mutating func read(alerts table: TOMLTable) {
    typealias Key = Configuration.Key
    check(table, keys: Key.names(in: "alerts"), ["alerts"])
    var alerts = Configuration.Alerts()
    alerts.notify = toggle(table, "notify", Key.severities, ["alerts"])
    alerts.bell = toggle(table, "bell", Key.severities, ["alerts"])
    alerts.flash = toggle(table, "flash", Key.severities, ["alerts"])
    alerts.via = choice(table, "via", Key.routes, ["alerts"])
    alerts.command = string(table, "command", ["alerts"])
    alerts.every = number(table, "every", Key.every, "seconds", ["alerts"])
    if alerts.via == "command", alerts.command == nil {
      complain("via", ["alerts"], "is \"command\", but 'alerts.command' says no command")
    }
    if let classes = inner(table, "classes", ["alerts"], such: "[alerts.classes]") {
      let path = ["alerts", "classes"]
      check(classes, keys: Key.names(in: "alerts.classes"), path)
      for name in classes.keys where Key.names(in: "alerts.classes").contains(name) {
        alerts.classes[name] = ways(classes, name, path)
      }
    }
    configuration.alerts = alerts
  }

  /// The channels of an alert class: empty for `off`.
  private mutating func ways(_ table: TOMLTable, _ key: String, _ path: [String]) -> [String]? {
    typealias Key = Configuration.Key
    guard let value = note(table, key, path) else { return nil }
    if value.bool == false || value.string == "off" { return [] }
    let ways = value.string.map { [$0] } ?? strings(value)
    guard let ways, ways.allSatisfy(Key.ways.contains) else {
      complain(
        key, path, "must be \"off\", or a list of \(Key.ways.joined(separator: ", "))")
      return nil
    }
    return ways
  }

  private mutating func read(layout table: TOMLTable) {
    typealias Key = Configuration.Key
    check(table, keys: Key.names(in: "layout"), ["layout"])
    configuration.layout.tab = choice(table, "tab", Key.tabs, ["layout"])
    configuration.layout.time = choice(table, "time", Key.times, ["layout"])
    configuration.layout.wrap = bool(table, "wrap", ["layout"])
    configuration.layout.hints = bool(table, "hints", ["layout"])
    configuration.layout.sidebar = bool(table, "sidebar", ["layout"])
    configuration.layout.feed = choice(table, "feed", Key.feedLevels, ["layout"])
  }

  private mutating func read(triage table: TOMLTable) {
    typealias Key = Configuration.Key
    check(table, keys: Key.names(in: "triage"), ["triage"])
    for rule in Configuration.Triage.Rule.allCases {
      configuration.triage.rules[rule.rawValue] = toggle(
        table, rule.rawValue, Key.levels, ["triage"])
    }
    configuration.triage.budgetUSD = dollars(table, "budget_usd", ["triage"])
  }

  /// `RULE = "off"` or a table with a level and limits.
  private mutating func read(anomaly rule: String, _ table: TOMLTable) {
    typealias Key = Configuration.Key
    var anomaly = Configuration.Anomaly()
    if let own = table[rule]?.table {
      let path = ["anomalies", rule]
      _ = note(table, rule, ["anomalies"])
      for name in own.keys where name != "level" {
        guard let value = note(own, name, path) else { continue }
        if let limit = value.double ?? value.int.map(Double.init), limit >= 0, limit <= 1e12 {
          anomaly.limits[name] = limit
        } else {
          complain(name, path, "must be a number of 0 or more")
        }
      }
      anomaly.level = toggle(own, "level", Key.levels, path)
    } else {
      anomaly.level = toggle(table, rule, Key.levels, ["anomalies"])
    }
    configuration.anomalies[rule] = anomaly
  }

  private mutating func read(history table: TOMLTable) {
    let path = ["history"]
    check(table, keys: Configuration.Key.names(in: "history"), path)
    var history = Configuration.History()
    history.record = bool(table, "record", path)
    history.keep = string(table, "keep", path)
    if let keep = history.keep {
      history.keepMs = KeptAmount.age(keep)
      if history.keepMs == nil {
        complain("keep", path, "must be an age such as \"24h\" or \"30d\", or \"0\" for nothing")
      }
    }
    history.max = string(table, "max", path)
    if let max = history.max {
      history.maxBytes = KeptAmount.size(max)
      if history.maxBytes == nil {
        complain("max", path, "must be a size of 16MiB or more, such as \"1GiB\"")
      }
    }
    history.redact = choice(table, "redact", ["none", "words"], path)
    history.ownerPrivate = bool(table, "owner_private", path)
    history.folder = string(table, "folder", path)
    configuration.history = history
  }

  private mutating func read(slo table: TOMLTable) {
    let path = ["slo"]
    check(table, keys: Configuration.Key.names(in: "slo"), path)
    var slo = Configuration.Promises()
    if let window = duration(table, "window", path) {
      if (3_600_000...7 * 86_400_000).contains(window) {
        slo.windowMs = window
      } else {
        complain("window", path, "must be a time from \"1h\" to \"7d\"")
      }
    }
    slo.textMs = duration(table, "text_p95", path).map { Int($0) }
    slo.voiceMs = duration(table, "voice_p95", path).map { Int($0) }
    if let value = note(table, "unanswered", path) {
      if let count = value.int, (0...1_000_000).contains(count) {
        slo.unansweredCount = count
      } else if let share = value.string.flatMap(PromisedShare.share) {
        slo.unansweredShare = share
      } else {
        complain("unanswered", path, "must be a share such as \"2%\", or a number of messages")
      }
    }
    slo.costPerDayUSD = dollars(table, "cost_per_day_usd", path)
    if let text = string(table, "skip", path) {
      slo.skip = PromisedShare.range(text)
      if slo.skip == nil {
        complain("skip", path, "must be a range of shares such as \"20%..60%\"")
      }
    }
    configuration.slo = slo
  }

  private mutating func read(watches table: TOMLTable) {
    for name in table.keys {
      let path = ["watch", name]
      guard let value = note(table, name, ["watch"]) else { continue }
      guard PromisedShare.isName(name) else {
        complain(name, ["watch"], "is no name of a watch: letters, digits, - and _, 40 at most")
        continue
      }
      if let query = value.string {
        configuration.watches[name] = Configuration.Watch(query: query)
      } else if let inner = value.table {
        check(inner, keys: Configuration.Key.names(in: "watch.NAME"), path)
        guard let query = string(inner, "query", path) else {
          if !inner.contains(key: "query") {
            complain(name, ["watch"], "has no query; add query = \"kind:… | count > 3 in 5m\"")
          }
          continue
        }
        let level = choice(inner, "level", ["info", "warning", "critical"], path)
        configuration.watches[name] = Configuration.Watch(query: query, level: level)
      } else {
        complain(name, ["watch"], "must be a query in quotes, or a table: [watch.\(name)]")
      }
    }
  }

  // MARK: Values

  /// Milliseconds as a number, or a text such as `"8s"`.
  private mutating func duration(_ table: TOMLTable, _ key: String, _ path: [String]) -> Int64? {
    guard let value = note(table, key, path) else { return nil }
    let ms = value.int.map(Int64.init) ?? value.string.flatMap(PromisedShare.milliseconds)
    if let ms, ms > 0, ms <= 7 * 86_400_000 { return ms }
    complain(key, path, "must be a number of milliseconds, or a time such as \"8s\" or \"1500ms\"")
    return nil
  }

  private mutating func check(_ table: TOMLTable, keys: [String], _ path: [String]) {
    for key in table.keys where !keys.contains(key) {
      guard path.isEmpty || !Configuration.Key.names(in: nil).contains(key) else {
        complain(key, path, "belongs to the top level of the file, above the first [table]")
        continue
      }
      let nearest = Self.hint(key, keys)
      complain(key, path, "is not a known key\(nearest)")
    }
  }

  private static func hint(_ key: String, _ keys: [String]) -> String {
    // A token must not be in a file that is shown, copied and kept in repositories.
    if key == "token" {
      return "; use token_file or token_command, or save the token with 'clanky-cockpit setup'"
    }
    return key.nearest(of: keys).map { "; did you mean '\($0)'?" } ?? ""
  }

  /// A value, if present; records its line.
  private mutating func note(
    _ table: TOMLTable, _ key: String, _ path: [String]
  ) -> (any TOMLValueConvertible)? {
    guard table.contains(key: key), let value = table[key] else { return nil }
    configuration.lines[Self.name(path + [key])] = outline?.line(of: path + [key])
    return value
  }

  private mutating func inner(
    _ table: TOMLTable, _ key: String, _ path: [String], such example: String
  ) -> TOMLTable? {
    guard let value = note(table, key, path) else { return nil }
    if let inner = value.table { return inner }
    complain(key, path, "must be a table: \(example)")
    return nil
  }

  private mutating func string(_ table: TOMLTable, _ key: String, _ path: [String]) -> String? {
    guard let value = note(table, key, path) else { return nil }
    if let text = value.string { return text }
    complain(key, path, "must be text in quotes")
    return nil
  }

  private mutating func bool(_ table: TOMLTable, _ key: String, _ path: [String]) -> Bool? {
    guard let value = note(table, key, path) else { return nil }
    if let isTrue = value.bool { return isTrue }
    complain(key, path, "must be true or false")
    return nil
  }

  private mutating func number(
    _ table: TOMLTable, _ key: String, _ range: ClosedRange<Int>, _ unit: String, _ path: [String]
  ) -> Int? {
    guard let value = note(table, key, path) else { return nil }
    if let number = value.int, range.contains(number) { return number }
    complain(
      key, path, "must be a number of \(unit) from \(range.lowerBound) to \(range.upperBound)")
    return nil
  }

  private mutating func dollars(_ table: TOMLTable, _ key: String, _ path: [String]) -> Double? {
    guard let value = note(table, key, path) else { return nil }
    let dollars = value.double ?? value.int.map(Double.init)
    if let dollars, dollars > 0, dollars <= 1_000_000 { return dollars }
    complain(key, path, "must be a number of dollars above 0, such as 5.00")
    return nil
  }

  private mutating func choice(
    _ table: TOMLTable, _ key: String, _ choices: [String], _ path: [String]
  ) -> String? {
    guard let value = note(table, key, path) else { return nil }
    if let text = value.string, choices.contains(text) { return text }
    complain(key, path, "must be one of \(choices.joined(separator: ", "))")
    return nil
  }

  /// A choice with `on` and `off` among it: true and false say the same.
  private mutating func toggle(
    _ table: TOMLTable, _ key: String, _ choices: [String], _ path: [String]
  ) -> String? {
    guard let isOn = table[key]?.bool else { return choice(table, key, choices, path) }
    _ = note(table, key, path)
    return isOn ? "on" : "off"
  }

  private func strings(_ value: any TOMLValueConvertible) -> [String]? {
    guard let array = value.array else { return nil }
    let texts = (0..<array.count).compactMap { array[$0].string }
    return texts.count == array.count ? texts : nil
  }

  private mutating func memory(_ table: TOMLTable) -> Int? {
    guard let text = string(table, "memory", []) else { return nil }
    if let bytes = ByteCount(text) { return bytes.value }
    complain("memory", [], "must be a size from 4MiB to 4GiB, such as \"64MiB\"")
    return nil
  }

  private static func name(_ path: [String]) -> String {
    path.map(TOMLEdit.quoted).joined(separator: ".")
  }

  private mutating func complain(_ key: String, _ path: [String], _ problem: String) {
    let line = outline?.line(of: path + [key])
    let place = line.map { "\(self.path):\($0)" } ?? self.path
    problems.append((line, FileError("\(place): '\(Self.name(path + [key]))' \(problem)")))
  }
}
