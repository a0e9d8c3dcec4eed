import ArgumentParser
import CockpitAnswers
import CockpitHistory
import CockpitRules
import CockpitSession
import CockpitStores
import CockpitText
import Foundation
import LenientJSON
import Networking
import TerminalCore

/// `incidents`: what the rules over events found.
struct IncidentsCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "incidents",
    abstract: "What went wrong, by rule, with the rows that say so.",
    usage: "clanky-cockpit incidents [ID] [--since DURATION] [OPTIONS]",
    discussion: """
      Rules over the order of events find what no single row tells: an answer that was generated and \
      never heard, speech without a word, a reply that never came. Each names the rows it rests on, what \
      is missing, and what to try. An ID shows one with all of its evidence.

      The last 24 h without --since. What was recorded on this machine is judged, else the rows that the \
      bot has; it has no voice states, and rules that need them say so. --rules lists all rules, whether \
      they could judge, and their limits, which [anomalies] in the configuration changes.

      Examples:
        clanky-cockpit incidents --since 12h --level warning
        clanky-cockpit incidents 3f9a1c2b7d05
        clanky-cockpit incidents --from-history --since 30d --json | jq -r .rule | sort | uniq -c

      An empty list is no failure. An ID that is not on record ends with exit code 1.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var past: PastOptions

  @Argument(help: ArgumentHelp("The id of one incident.", valueName: "ID"))
  var id: String?

  @Option(
    help: ArgumentHelp("The last DURATION, such as 2h, 7d.", valueName: "DURATION"),
    transform: HistoryArguments.duration)
  var since: HistoryDuration?

  @Option(
    help: ArgumentHelp("At least so severe: info, warning, critical.", valueName: "LEVEL"))
  var level: RuleLevel?

  @Option(help: ArgumentHelp("Of one rule.", valueName: "RULE"))
  var rule: RuleID?

  @Flag(help: "The rules instead: level, whether they could judge, when they fire.")
  var rules = false

  @Flag(help: "JSON lines, ASCII only.")
  var json = false

  private static let standard = HistoryDuration(milliseconds: 86_400_000)

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(shared, in: environment)
    let since = since ?? Self.standard
    var found: IncidentSource.Found
    if let recorded = try past.open(settings) {
      found = try await IncidentSource(settings).found(in: recorded, since: since)
    } else {
      found = try await IncidentSource(settings).found(since: since)
    }
    if rules { return writeRules(found.report, environment) }
    if let guild = found.guild {
      found.report.incidents.removeAll { $0.guildID != nil && $0.guildID != guild }
    }
    if let id {
      guard let incident = found.report[id.lowercased()] else {
        throw Failure(
          .failed, "there is no incident '\(id)' in that time; a longer --since may have it")
      }
      return write([incident], found, withDetails: true, environment)
    }
    let wanted = found.report.incidents.filter {
      $0.level >= level ?? .info && (rule == nil || $0.rule == rule)
    }
    write(wanted, found, withDetails: false, environment)
  }

  private func write(
    _ incidents: [Incident], _ found: IncidentSource.Found, withDetails: Bool,
    _ environment: Environment
  ) {
    let text = IncidentText(found.report, clock: found.clock)
    environment.takesCoverage?(
      Answer.Coverage(
        fromMs: found.report.fromMs, toMs: found.report.toMs,
        isComplete: found.report.missing.isEmpty && found.report.tooLate == 0),
      found.report.missing.count)
    if json {
      for incident in incidents {
        let line = IncidentJSON(incident, recent: found.report.recent).line
        environment.output.line(line)
      }
      environment.also(Self.lines(incidents, text, withDetails: withDetails))
    } else {
      for line in Self.lines(incidents, text, withDetails: withDetails) {
        environment.output.line(line)
      }
    }
    for note in text.notes + found.notes { environment.output.complain(note.description) }
  }

  private static func lines(
    _ incidents: [Incident], _ text: IncidentText, withDetails: Bool
  ) -> [PlainText] {
    var lines: [PlainText] = withDetails ? [] : [text.sentence(incidents) + "."]
    for incident in incidents {
      let head: [PlainText] = [
        text.moment(incident.fromMs), PlainText(incident.level.rawValue).padded(to: 8),
        PlainText(incident.id), PlainText(incident.rule.rawValue) + ":",
      ]
      lines.append(head.joined(separator: "  ") + " " + text.line(incident))
      if withDetails { lines += text.details(incident).map { "  " + $0 } }
    }
    return lines
  }

  private func writeRules(_ report: IncidentReport, _ environment: Environment) {
    let counts = Dictionary(grouping: report.incidents, by: \.rule).mapValues(\.count)
    for (rule, judgement) in report.judgements {
      let count = counts[rule.id] ?? 0
      if json {
        environment.output.line(RuleJSON(rule, judgement, count: count).line)
        continue
      }
      let head: [PlainText] = [
        PlainText(rule.id.rawValue).padded(to: 32), PlainText(rule.level.rawValue).padded(to: 8),
        Figures.count(count).leftPadded(to: 5), IncidentText.judgement(judgement),
      ]
      environment.output.line(head.joined(separator: "  "))
      environment.output.line("    " + PlainText(rule.condition))
      for limit in rule.limits {
        environment.output.line(
          "    " + PlainText("\(limit.name) = \(RuleJSON.figure(limit.standard)): \(limit.meaning)")
        )
      }
    }
  }
}

extension RuleLevel: ExpressibleByArgument {}
extension RuleID: ExpressibleByArgument {}
