/// Starts the selected story, and the events triggered from outside.
enum Director {
  /// Fills the past and plans the future for the chosen scenario.
  static func begin(_ world: World) {
    let scenario = world.options.scenario
    if scenario != .empty {
      world.seedFacts()
      world.seedManyFacts(world.options.facts)
      world.seedAutomations()
      if scenario == .evening { world.seedEvening() } else { world.seedHistory() }
      if scenario == .night { NightScript.write(world) }
    }
    world.gateway.lastEventMs = world.now - 1500
    switch scenario {
    case .empty: break
    case .quiet, .evening: world.planStartup()
    case .night: NightScript.goOn(world)
    case .parked: world.planParked()
    case .story, .busy: world.planStory()
    case .voice: world.planTwoSessions()
    case .hostile:
      world.planStory()
      world.planHostile()
    case .faults:
      world.planStory()
      world.planFaults()
    case .failing: world.planFailing()
    }
    if let flood = world.options.flood, flood > 0 { world.planFlood(perSecond: flood) }
  }

  static func startSecondSession(_ world: World) {
    // Upstream can have more than two; the third one is only just being set up.
    guard world.sessions.count < 2 else {
      world.runBareSession()
      return
    }
    let used = Set(world.sessions.map(\.guild.id))
    let guild = Cast.guilds.first { !used.contains($0.id) } ?? Cast.arcade
    world.runSession(in: guild, greeting: true)
  }

  static func joinByOperator(_ target: VoiceTarget, text: Channel, _ world: World) {
    for session in world.sessions where session.guild == target.guild {
      world.end(session, reason: "switch_channel")
    }
    world.runSession(
      in: target.guild, voice: target.channel, text: text, requester: target.person,
      greeting: true)
  }
}
