internal import ClankyWire
internal import CockpitStores
internal import LenientJSON

/// Scheduled automations.
extension TriageRule {
  /// A failed automation is paused by the backend (contract 4.4), so one failure is enough.
  static let automationFailed = TriageRule(
    "automation_failed", .warning, word: "job failed",
    condition: "An automation has failed within 24 h and has been paused since, for 5 min or more.",
    rows: Rows(
      ["automation_error", "automation_run", "automation_updated"], lastsMs: 5 * 60_000,
      quietMs: 24 * 3_600_000
    ) { row in
      let metadata = row.metadata()
      guard row.kind != "automation_updated" else {
        let isResumed = metadata["operation"]?.string.map { $0 != "pause" } ?? false
        let id = metadata["updatedIds"]?.array?.first?.int.map(String.init)
        return isResumed ? .success(subject: id) : nil
      }
      guard let id = metadata["automationId"]?.int.map(String.init) else { return nil }
      guard row.kind == "automation_error" else { return .success(subject: id) }
      let content = row.content(limit: 300) ?? ""
      let colon = content.firstRange(of: ": ")
      return .failure(
        subject: id, reason: colon.map { String(content[$0.upperBound...]) } ?? content)
    },
    state: State(opens: false) { input in
      guard let automations = input.automations else { return nil }
      let signs = automations.value.filter { $0.status == .paused }
        .compactMap { automation in automation.id.map { Sign(subject: "\($0)") } }
      return (signs, automations.atMs)
    },
    recovery: "The automation is active again.",
    next: { event in
      Answer.NextStep(
        "Look into it and resume it: CMD lists it.",
        target: .filter("kind:automation_* \"#\(event.subject ?? "")\""))
    },
    sentence: { event in
      TriageRule.sentence(
        "Automation #\(event.subject ?? "?") failed and is paused", because: event.reason)
    })

  /// The scheduler of the backend looks every half minute or so; later than this it did not run.
  private static let graceMs: Int64 = 2 * 60_000

  static let automationMissed = TriageRule(
    "automation_missed", .warning, word: "job missed",
    condition: "An active automation was due more than 2 min ago and has not run.",
    state: State(mayBeOlder: false) { input in
      guard let automations = input.automations else { return nil }
      let signs = automations.value.compactMap { automation -> Sign? in
        guard automation.status == .active, automation.isRunning != true, let id = automation.id,
          let due = automation.nextRunAt?.milliseconds, due + graceMs < automations.atMs
        else { return nil }
        return Sign(subject: "\(id)", reason: automation.title ?? "", sinceMs: due)
      }
      return (signs, automations.atMs)
    },
    recovery: "The automation has run, or is no longer due.",
    next: { event in
      Answer.NextStep(
        "Restart the bot if it does not run soon.", target: .line("tab cmd"))
    },
    sentence: { event in
      let title = event.reason.isEmpty ? "" : " \"\(event.reason.prefix(40))\""
      return "Automation #\(event.subject ?? "?")\(title) was due and did not run."
    })
}
