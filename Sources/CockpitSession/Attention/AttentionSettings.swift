import CockpitAnswers
import CockpitFiles
import CockpitStores

extension AlertRules {
  package init(_ alerts: Configuration.Alerts) {
    var floors: [AlertChannel: String] = [:]
    floors[.notify] = alerts.notify
    floors[.bell] = alerts.bell
    floors[.flash] = alerts.flash
    self.init(floors: floors, classes: alerts.classes)
    if let every = alerts.every { everyMs = Int64(max(0, min(every, 86_400))) * 1000 }
  }
}

extension Alert {
  /// An alarm that has begun.
  package init(_ alarm: Alarm, atMs: Int64) {
    self.init(
      kind: .alarm, atMs: atMs, title: "\(alarm.trouble.level.rawValue): \(alarm.rule)",
      detail: alarm.trouble.answer.sentence)
  }
}

extension Settings {
  /// How a gateway may ask for the owner.
  package var attention: AttentionRules {
    var rules = AttentionRules()
    let given = configuration.attention
    for (name, effects) in given.effects {
      guard let level = AttentionLevel(name: name) else { continue }
      rules.effects[level] = Set(effects.compactMap(AttentionEffect.init(rawValue:)))
    }
    rules.maximum =
      (profile.gateway?.maxAttention ?? profile.companion?.maxAttention)
      .flatMap(AttentionLevel.init(name:)) ?? (isCompanion ? .interrupt : .urgent)
    switch given.quiet {
    case .always?: rules.quiet = .always
    case .daily(let from, let to)?: rules.quiet = .daily(from: from, to: to)
    case nil: break
    }
    if let decay = given.decay { rules.decayMs = Int64(decay) * 1000 }
    if let every = given.every { rules.notificationMs = Int64(every) * 1000 }
    rules.alerts = AlertRules(configuration.alerts)
    return rules
  }
}
