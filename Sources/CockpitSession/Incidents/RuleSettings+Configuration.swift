import CockpitFiles
import CockpitRules
import TOML

extension RuleSettings {
  /// The settings of a configuration, and what is wrong with them.
  package struct Reading {
    package var settings = RuleSettings()
    package var problems: [(key: String, sentence: String)] = []
  }

  /// Reads `[anomalies]`; what is wrong leaves the rule as it is.
  package static func reading(_ configuration: Configuration) -> Reading {
    var reading = Reading()
    for (name, anomaly) in configuration.anomalies.sorted(by: { $0.key < $1.key }) {
      let key = "anomalies.\(TOMLEdit.quoted(name))"
      guard let id = RuleID(rawValue: name), let rule = RuleTable.rule(id) else {
        let names = RuleTable.all.map(\.id.rawValue)
        let nearest = name.nearest(of: names).map { "; did you mean '\($0)'?" } ?? ""
        reading.problems.append(
          (key, "is no rule\(nearest); 'clanky-cockpit incidents --rules' lists them"))
        continue
      }
      var entry = Entry()
      switch anomaly.level {
      case "off": entry.isOff = true
      case let level?: entry.level = RuleLevel(rawValue: level)
      case nil: break
      }
      for (limit, value) in anomaly.limits.sorted(by: { $0.key < $1.key }) {
        guard rule.limits.contains(where: { $0.name == limit }) else {
          let known = rule.limits.map(\.name)
          let list = known.isEmpty ? "it has none" : "it has \(known.joined(separator: ", "))"
          reading.problems.append(("\(key).\(limit)", "is no limit of \(name); \(list)"))
          continue
        }
        entry.values[limit] = value
      }
      reading.settings.entries[id] = entry
    }
    return reading
  }
}
