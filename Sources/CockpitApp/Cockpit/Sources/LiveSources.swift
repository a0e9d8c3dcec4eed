import CockpitAnswers
import CockpitDomain
import CockpitFiles
import CockpitHistory
import CockpitPanes
import CockpitSession
import CockpitShell
import CockpitStores
import Networking

/// The sources of a profile with several, all of them live at once. Each has its own stores, recorder and rules, and
/// what the screen shows of it is kept while another one is shown.
@MainActor
final class LiveSources {
  struct Member {
    /// Of its profile.
    let name: String
    let tag: SourceTag
    let opened: OpenedSource
    let model: CockpitModel
    /// What its screen is while another source is shown.
    var shell: CockpitShell?
    /// Starts its recorder.
    var recordStart: (any LinkTimer)?
    /// Reads its recorded weeks; that of the first is the program's.
    var judge: PastJudge?
    /// Its alerts that the next frame carries out.
    var alarms: [Alarm] = []
    var call: AlertPolicy.Outcome?
  }

  private(set) var members: [Member]
  /// The one that is shown.
  private(set) var focused = 0
  /// Whether PULSE shows the feeds of all as one.
  private(set) var isMerged = false
  /// PULSE of the source that is shown, or of all: the one that is not on the screen.
  private var otherPulse = PulsePane(isOfSeveral: true)
  /// The sources whose unfinished work was shown before quitting.
  var shownBeforeQuit: Set<Int> = []

  /// - Parameter model: of the first source.
  init(_ opened: OpenedProfile, first model: CockpitModel) {
    let profiles = opened.settings.configuration.profiles
    let names = opened.sources.map(\.settings.profileName)
    let tags = SourceTag.tags(names.map { ($0, profiles[$0]?.tag) })
    members = opened.sources.enumerated().map { index, source in
      Member(
        name: names[index], tag: tags[index], opened: source,
        model: index == 0 ? model : CockpitModel(source))
    }
    for member in members { member.model.bot.connection.name(source: member.name) }
  }

  /// Gives each source that is not shown a screen of its own.
  func makeShells(_ make: (CockpitModel) -> CockpitShell) {
    for index in members.indices where index != focused {
      let shell = make(members[index].model)
      members[index].shell = shell
      members[index].model.scope = shell.scope
    }
  }

  var others: [Int] { members.indices.filter { $0 != focused } }

  func model(named name: String) -> CockpitModel? { members.first { $0.name == name }?.model }

  /// The row filters and the level with which PULSE of all begins.
  func begin(with pulse: PulsePane) {
    otherPulse.level = pulse.level
    otherPulse.timeStyle = pulse.timeStyle
    otherPulse.detail = pulse.detail
  }

  /// Shows the feeds of all as one, or that of one source again.
  func merge(_ isMerged: Bool, in shell: inout CockpitShell) {
    guard isMerged != self.isMerged else { return }
    self.isMerged = isMerged
    otherPulse = shell.exchange(pulse: otherPulse)
  }

  /// Another source is shown from now on.
  ///
  /// - Parameter shell: the screen of the one that was.
  /// - Returns: the screen of this one, as it was left.
  func focus(_ index: Int, leaving shell: CockpitShell) -> CockpitShell? {
    var left = shell
    // PULSE of all stays on the screen.
    let merged = isMerged ? left.exchange(pulse: otherPulse) : nil
    members[focused].shell = left
    focused = index
    var next = members[index].shell
    members[index].shell = nil
    if let merged, let own = next?.exchange(pulse: merged) { otherPulse = own }
    return next
  }

  func update(_ index: Int, _ body: (inout Member) -> Void) { body(&members[index]) }

  /// Starts no recorder any more, and ends the judges.
  func stopJudges() {
    for member in members {
      member.recordStart?.cancel()
      member.judge?.stop()
    }
  }

  /// Whether the state of a source that is not shown may change by time alone.
  var needsSeconds: Bool {
    others.contains { index in
      let model = members[index].model
      return model.bot.source.status.overall != .live || model.isJudgingSoon
    }
  }

  // MARK: Facts

  /// Adds what a frame shows of the others.
  ///
  /// - Parameters:
  ///   - facts: of the source that is shown.
  ///   - replay: the past that is shown instead of the live sources.
  func complete(_ facts: inout ViewContext, at replay: Replay? = nil) {
    let models = replay?.models ?? members.map(\.model)
    let list = SourceList(
      members: members.enumerated().map { index, member in
        SourceList.Member(
          name: member.name, tag: member.tag,
          facts: index == focused ? facts : models[index].facts(isMouseOn: facts.isMouseOn))
      }, focused: focused, isMerged: isMerged)
    facts.sources = list
    // The other facts of the setup are those of the profile.
    facts.setup.tokenPlace = members[focused].opened.backend?.tokenPlace
    // What waits is a matter of now.
    guard replay == nil else { return }
    let gateways = list.members.filter { $0.facts.isGateway && !$0.facts.isChatServer }
    guard !gateways.isEmpty else { return }
    facts.control = ControlBoard(
      of: gateways.map {
        ControlBoard.Part(
          source: $0.name, board: $0.facts.control, isLive: $0.facts.status.overall == .live)
      })
    facts.attention = AttentionState(
      of: gateways.compactMap { member in member.facts.attention.map { (member.name, $0) } })
  }
}
