import CockpitDomain
import CockpitSession
import Networking
import CockpitFiles
import CockpitHistory
import CockpitPanes
import CockpitShell
import CockpitStores
import Foundation
import TerminalCore
import TerminalCurses

/// Another backend without a restart, and the form for address and token.
extension CockpitApp {
  /// Connects to another profile. The connection in use stays until the other one could be opened:
  /// its address is good and its token was found.
  package func switchProfile(to name: String) {
    connect(to: name) { [weak self] problem in
      self?.shell.note(problem.map { PlainText($0, limit: 600) })
    }
  }

  /// Sends pending changes and waits for their outcomes first; failures are shown before the
  /// switch.
  package func finishAndSwitch(to name: String) {
    let failures = UnfinishedWork.failures(model.bot)
    shell.note("sending what is held, then switching")
    model.bot.finishForQuit { [weak self] in
      guard let self else { return }
      guard UnfinishedWork.failures(model.bot) > failures else {
        return switchProfile(to: name)
      }
      shell.note("not everything came to a good end; " + whereItIsSaid + " says what")
      frames?.setNeedsFrame(.key)
    }
  }

  /// - Parameter done: receives the error; nil once the other backend is in use.
  private func connect(to name: String, done: @escaping @MainActor (String?) -> Void) {
    connecting?.cancel()
    connecting = Task { @MainActor [weak self, connector] in
      let problem: String?
      do {
        let opened = try await connector.open(name)
        guard let self, !Task.isCancelled else { return }
        adopt(opened, as: name)
        problem = nil
      } catch {
        guard !Task.isCancelled else { return }
        problem = "\(error)"
      }
      done(problem)
      self?.frames?.setNeedsFrame(.key)
    }
  }

  private func adopt(_ opened: OpenedProfile, as name: String) {
    // The past on the screen is that of the other bot.
    recording = nil
    showLive("")
    sources?.stopJudges()
    eachModel { model in
      model.chat?.close()
      model.bot.source.stop()
      model.recorder?.stop(waiting: 0.2)
    }
    connector.adopt(opened, as: name)
    model = CockpitModel(opened.first)
    sources = opened.sources.count > 1 ? LiveSources(opened, first: model) : nil
    prepare()
    shell.connected(keys: workingKeys, guild: model.guild)
    sources?.makeShells { newShell(of: $0) }
    beginMerged()
    shell.note(
      PlainText("connecting to \(name.isEmpty ? opened.name : name)", limit: 200))
    // If its theme cannot be loaded, report that and keep the current one.
    setTheme(connector.facts.theme, isKept: false)
    eachModel { $0.bot.start() }
  }

  // MARK: The form

  package func carryOut(_ request: SetupRequest) {
    if request == .search { return searchBots() }
    connecting?.cancel()
    switch request {
    case .search: break
    case .test(let url, let token, let allowPlainHTTP):
      connecting = Task { @MainActor [weak self] in
        let answer = await self?.test(url, token, allowPlainHTTP)
        guard let answer, !Task.isCancelled else { return }
        self?.take(answer)
      }
    case .save(let profile, let url, let token, let allowPlainHTTP):
      connecting = Task { @MainActor [weak self] in
        await self?.save(profile, url, token, allowPlainHTTP)
      }
    }
  }

  /// Looks for bots on the local network, as `setup` at a prompt does.
  private func searchBots() {
    botSearch?.callOff()
    botSearch = LocalBotSearch(in: settings.environment)
    Task { @MainActor [weak self, botSearch] in
      guard let botSearch else {
        self?.take(.noTool(LocalBots.Tool.allCases.map(\.rawValue)))
        return
      }
      let bots = await OwnThread.run { botSearch.run() }
      guard let self, self.botSearch === botSearch else { return }
      self.botSearch = nil
      take(
        .bots(
          bots.map { FoundBot(url: $0.url, name: PlainText($0.name, limit: 60)) },
          tool: botSearch.toolName))
    }
  }

  private func take(_ answer: SetupAnswer) {
    let effects = shell.setupTested(answer, on: facts)
    for effect in effects { carryOut(effect) }
    frames?.setNeedsFrame(.key)
  }

  private func test(_ url: String, _ token: String, _ allowPlainHTTP: Bool) async -> SetupAnswer {
    do {
      let settings = connector.opened.settings
      let address = try BackendURL(url, allowPlainHTTP: allowPlainHTTP)
      let entered = token.isEmpty ? nil : try TokenText(token)
      let secret =
        if let entered { entered } else {
          try await Task.detached { try settings.savedToken(for: address) }.value
        }
      let result = try await ConnectionTest(
        url: address, token: secret, caFile: settings.caFile, origin: try settings.originTLS()
      ).run()
      switch result {
      case .success(let report): return .works(PlainText(report.sentence, limit: 300))
      case .failure(let failure):
        return .failed(
          PlainText(failure.sentence, limit: 400), advice: PlainText(failure.setupAdvice),
          isAboutToken: failure.isAboutToken)
      }
    } catch {
      return .failed(PlainText("\(error)", limit: 400), advice: "")
    }
  }

  private func save(
    _ profile: String, _ url: String, _ token: String, _ allowPlainHTTP: Bool
  ) async {
    let words: [String]
    do {
      let saving = SetupSaving(
        url: try BackendURL(url, allowPlainHTTP: allowPlainHTTP),
        token: token.isEmpty ? nil : try TokenText(token), profile: profile,
        allowsPlainHTTP: allowPlainHTTP, preference: nil)
      var settings = connector.opened.settings
      settings.configuration = try connector.configurationNow()
      words = try await Task.detached { [settings] in try saving.save(settings) }.value.sentences
    } catch {
      return take(.notSaved(PlainText("\(error)", limit: 400)))
    }
    connector.noteSaved(profile)
    connect(to: profile) { [weak self] problem in
      if let problem {
        self?.take(.notSaved(PlainText("Saved, but not connected: \(problem)", limit: 600)))
      } else {
        self?.take(.saved(PlainText(words.joined(separator: " "), limit: 600)))
      }
    }
  }
}

extension ConnectionReport {
  /// The test result as a sentence.
  package var sentence: String {
    let latency = Int(latencyMs.rounded())
    let clock =
      skewMs.map { abs($0) > 5000 ? " Its clock is \(ClockSkew.words($0)) off ours." : "" } ?? ""
    return "It works: the bot answered in \(latency) ms.\(clock)"
  }
}
