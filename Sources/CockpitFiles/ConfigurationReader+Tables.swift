import Foundation
import TOML
import TOMLKit

/// The tables of the file.
extension ConfigurationReader {
  mutating func read(keys table: TOMLTable) {
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

  mutating func read(alerts table: TOMLTable) {
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
  mutating func ways(
    _ table: TOMLTable, _ key: String, _ path: [String], of known: [String] = Configuration.Key.ways
  ) -> [String]? {
    guard let value = note(table, key, path) else { return nil }
    if value.bool == false || value.string == "off" { return [] }
    let ways = value.string.map { [$0] } ?? strings(value)
    guard let ways, ways.allSatisfy(known.contains) else {
      complain(
        key, path, "must be \"off\", or a list of \(known.joined(separator: ", "))")
      return nil
    }
    return ways
  }

  mutating func read(layout table: TOMLTable) {
    typealias Key = Configuration.Key
    check(table, keys: Key.names(in: "layout"), ["layout"])
    configuration.layout.tab = choice(table, "tab", Key.tabs, ["layout"])
    configuration.layout.time = choice(table, "time", Key.times, ["layout"])
    configuration.layout.wrap = bool(table, "wrap", ["layout"])
    configuration.layout.hints = bool(table, "hints", ["layout"])
    configuration.layout.sidebar = bool(table, "sidebar", ["layout"])
    configuration.layout.feed = choice(table, "feed", Key.feedLevels, ["layout"])
  }

  mutating func read(triage table: TOMLTable) {
    typealias Key = Configuration.Key
    check(table, keys: Key.names(in: "triage"), ["triage"])
    for rule in Configuration.Triage.Rule.allCases {
      configuration.triage.rules[rule.rawValue] = toggle(
        table, rule.rawValue, Key.levels, ["triage"])
    }
    configuration.triage.budgetUSD = dollars(table, "budget_usd", ["triage"])
  }

  /// `RULE = "off"` or a table with a level and limits.
  mutating func read(anomaly rule: String, _ table: TOMLTable) {
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

  mutating func read(history table: TOMLTable) {
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

  mutating func read(slo table: TOMLTable) {
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

  mutating func read(watches table: TOMLTable) {
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
}
