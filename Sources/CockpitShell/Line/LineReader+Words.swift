import CockpitPanes
import ClankyWire
import CockpitStores
import CockpitText
import TerminalCore

extension LineReader {
  func search(_ head: String, _ text: String) throws(LineProblem) -> LineAction {
    guard head != "find" else { return .find(text) }
    return .filter(try checked(text, inPulse: tab != .memory), inPulse: tab != .memory)
  }

  func checked(_ text: String, inPulse: Bool) throws(LineProblem) -> String {
    if inPulse {
      do throws(QueryError) { _ = try Query.parse(piped: text, views: facts.setup.views) } catch {
        throw LineProblem(error.description)
      }
    } else {
      var query = FactViewQuery()
      query.filter = text
      if let problem = query.filterProblem { throw LineProblem(problem) }
    }
    return text
  }

  func ownVerb(_ first: String, _ rest: [String]) throws(LineProblem) -> LineAction? {
    guard let word = rest.first else {
      switch first {
      case "tab": throw LineProblem("which tab? pulse, voice, brain, memory or cmd")
      case "source" where facts.sources != nil: return .command(.nextSource)
      case "profile": return try read(first: KeyAction.profiles.rawValue, rest: [])
      case "set": throw LineProblem("set slash=filter or set slash=find")
      case "goto": throw LineProblem("goto 14:31, goto -10m or goto 2026-05-09")
      case "level": return .command(.level)
      case "guild" where !hasScreen: throw LineProblem("guild NAME, or guild off for all guilds")
      case "ack" where hasScreen: return .alarm(.acknowledge(nil))
      case "note" where hasScreen: return .keep(.mark(note: ""))
      case "pin" where hasScreen: return try pin("10m", note: [])
      case "marks" where hasScreen: return .verb(["history", "marks"])
      case "forget": throw LineProblem("forget NAME, or forget ID")
      case "snooze": throw LineProblem("snooze RULE 1h; ! lists what is wrong, with its rules")
      case "mute", "unmute": throw LineProblem("\(first) RULE; watch --list has the rules")
      case "view": throw LineProblem("view NAME shows a view, view save NAME keeps the filter")
      default: return nil
      }
    }
    switch first {
    case "tab":
      guard rest.count == 1, let tab = Tab(name: word.lowercased()) else {
        let names = Tab.allCases.map { $0.title.description.lowercased() }
        throw LineProblem("there is no tab \(Self.short(word))", nearest: word, in: names)
      }
      return .tab(tab)
    case "theme":
      guard facts.setup.themes.isEmpty || facts.setup.themes.contains(word) else {
        throw LineProblem(
          "there is no theme \(Self.short(word))", nearest: word, in: facts.setup.themes)
      }
      return .theme(word)
    case "profile":
      let names = facts.setup.profiles.map(\.name)
      guard names.contains(word) else {
        throw LineProblem(
          "there is no profile \(Self.short(word))", nearest: word, in: names,
          else: names.isEmpty ? "; the configuration file has none" : "; C shows them")
      }
      return .profile(word)
    case "source" where facts.sources != nil:
      let names = facts.sources?.members.map(\.name) ?? []
      let name = rest.joined(separator: " ")
      if name == "all", !names.contains(name) { return .source(nil) }
      guard names.contains(name) else {
        throw LineProblem(
          "there is no source \(Self.short(name)) in this profile", nearest: name, in: names,
          else: ": " + names.joined(separator: ", ") + ", all")
      }
      return .source(name)
    case "set": return try setting(rest)
    case "guild":
      let text = rest.joined(separator: " ")
      return .guild(text.lowercased() == "off" ? nil : try guild(text))
    case "goto": return try moment(rest.joined(separator: " "))
    case "level":
      guard rest.count == 1, let level = FeedLevel(rawValue: word.lowercased()) else {
        let names = FeedLevel.allCases.map(\.rawValue)
        throw LineProblem(
          "there is no level \(Self.short(word))", nearest: word, in: names,
          else: "; story, normal or everything")
      }
      return .level(level)
    case "view": return try view(rest)
    case "ack" where hasScreen && rest.count == 1:
      return .alarm(.acknowledgeRule(try rule(word)))
    case "mute" where hasScreen && rest.count == 1: return .alarm(.mute(rule: try rule(word)))
    case "unmute" where hasScreen && rest.count == 1: return .alarm(.unmute(rule: try rule(word)))
    case "snooze" where hasScreen:
      let text = rest.count > 1 ? rest[1] : "1h"
      guard rest.count <= 2,
        let start = QueryMoment.start(
          of: "-" + text, nowMs: facts.nowMs, in: facts.clock.queryZone),
        case let ms = facts.nowMs - start, ms > 0, ms <= 31 * 86_400_000
      else {
        throw LineProblem("snooze RULE 30m, or snooze RULE 8h: up to 31d")
      }
      return .alarm(.snooze(rule: try rule(word), ms: ms))
    // With options it is the verb.
    case "why" where hasScreen && !rest.contains { $0.hasPrefix("-") }:
      return .why(rest.joined(separator: " "))
    case "digest" where hasScreen && (rest.count == 1 || rest.count == 2 && word == "--since"):
      return .digest(sinceMs: try digestStart(rest[rest.count - 1]))
    case "history"
    where hasScreen && rest.count > 1 && word == "search" && !rest.contains { $0.hasPrefix("--") }:
      return .searchHistory(rest.dropFirst().map(Self.asTyped).joined(separator: " "))
    case "bundle" where hasScreen:
      let start = QueryMoment.start(of: "-" + word, nowMs: facts.nowMs, in: facts.clock.queryZone)
      guard let start, case let length = facts.nowMs - start, length > 0, length <= 86_400_000
      else {
        throw LineProblem("bundle 10m, or bundle 2h 'why was it silent': up to 24h")
      }
      return .bundle(lengthMs: length, note: rest.dropFirst().joined(separator: " "))
    case "forget": return try forget(rest)
    case "note" where hasScreen: return .keep(.mark(note: rest.joined(separator: " ")))
    case "pin" where hasScreen: return try pin(word, note: Array(rest.dropFirst()))
    case "search": return try memory(.init(search: rest.joined(separator: " ")))
    case "snapshot" where hasScreen && rest.count == 2 && word == "--view":
      if let tab = Tab(name: rest[1]) { return .tab(tab) }
      return nil
    default: return nil
    }
  }

  /// The number is that of the facts that go: typed, it is the confirmation.
  private func forget(_ rest: [String]) throws(LineProblem) -> LineAction {
    guard !facts.isReadOnly else { throw Self.readOnly("forget") }
    // The guild that the screen shows would be added, and `facts forget` takes none.
    let everywhere = ["--guild", "off"]
    if rest.count > 1, let last = rest.last, let count = Int(last) {
      let name = rest.dropLast().joined(separator: " ")
      // Held as long as a deletion in MEMORY. A linear screen has no key to take it back with.
      let hold = hasScreen ? ["--hold", "30s"] : []
      return .verb(["facts", "forget", name, "--count", "\(count)"] + hold + everywhere)
    }
    return .verb(["facts", "forget", rest.joined(separator: " "), "--dry-run"] + everywhere)
  }

  private func pin(_ length: String, note: [String]) throws(LineProblem) -> LineAction {
    let start = QueryMoment.start(of: "-" + length, nowMs: facts.nowMs, in: facts.clock.queryZone)
    guard let start, case let ms = facts.nowMs - start, ms > 0, ms <= 86_400_000 else {
      throw LineProblem("pin 10m, or pin 2h 'the silence': up to 24h before")
    }
    return .keep(.pin(beforeMs: ms, note: note.joined(separator: " ")))
  }

  /// A word of the line as a word of a query: quotes that the line took away are put back.
  private static func asTyped(_ word: String) -> String {
    word.contains(" ") && !word.contains("\"") && !word.contains(":") ? "\"\(word)\"" : word
  }

  /// A rule that can raise an alarm.
  private func rule(_ name: String) throws(LineProblem) -> String {
    guard facts.alarmRules.contains(name) else {
      throw LineProblem(
        "there is no rule \(Self.short(name))", nearest: name, in: facts.alarmRules,
        else: "; watch --list has them")
    }
    return name
  }

  private func moment(_ text: String) throws(LineProblem) -> LineAction {
    if text.count == 1, let letter = text.first, letter.isASCII, letter.isLetter {
      return .goToMark(letter)
    }
    if text.hasPrefix("#"), let id = Int(text.dropFirst()) { return .goToRow(id: id) }
    // In the past too, a time of day is the last one before now.
    guard
      let ms = QueryMoment.start(
        of: text, nowMs: facts.replay?.liveMs ?? facts.nowMs, in: facts.clock.queryZone)
    else {
      throw LineProblem(
        "\(Self.short(text)) is no time; goto 14:31, goto -10m or goto 2026-05-09 names one")
    }
    return .goTo(ms: ms)
  }

  /// Counted back from now, or from the playhead.
  private func digestStart(_ text: String) throws(LineProblem) -> Int64 {
    guard
      let ms = QueryMoment.start(of: text, nowMs: facts.nowMs, in: facts.clock.queryZone),
      ms < facts.nowMs
    else {
      throw LineProblem("\(Self.short(text)) is no time before now; digest 22:00 or digest 10h")
    }
    return ms
  }

  private func view(_ words: [String]) throws(LineProblem) -> LineAction {
    let names = facts.setup.views.texts.keys.sorted()
    guard words.count == 2, words[0] == "save" else {
      guard words.count == 1, names.contains(words[0]) else {
        throw LineProblem(
          "there is no view \(Self.short(words.joined(separator: " ")))", nearest: words[0],
          in: names, else: "; view save NAME keeps the filter of PULSE")
      }
      return .filter(try checked("@" + words[0], inPulse: true), inPulse: true)
    }
    guard QueryViews.isName(words[1]), words[1] != "save" else {
      throw LineProblem("a name has letters, digits, - and _, 40 at the most")
    }
    return .saveView(words[1])
  }

  private func setting(_ words: [String]) throws(LineProblem) -> LineAction {
    let text = words.joined(separator: " ").replacing(" ", with: "")
    switch text {
    case "slash=filter": return .slash(.filter)
    case "slash=find": return .slash(.find)
    default:
      throw LineProblem(
        "\(Self.short(text)) cannot be set here", nearest: text,
        in: ["slash=filter", "slash=find"], else: "; slash=filter and slash=find can")
    }
  }

  private func memory(_ request: LineAction.FactListRequest) throws(LineProblem) -> LineAction {
    guard hasScreen else {
      return .verb(["facts", "search", request.search ?? ""])
    }
    return .facts(request)
  }
}
