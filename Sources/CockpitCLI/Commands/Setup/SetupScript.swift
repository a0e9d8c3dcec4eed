import CockpitApp
import CockpitSession
import Networking
import CockpitFiles
import Foundation

/// `setup` without questions.
@MainActor
struct SetupScript {
  let command: SetupCommand
  let settings: Settings

  func run() async throws {
    guard let text = command.shared.url else {
      throw Failure(.usage, "setup needs the address without a terminal: add --url URL")
    }
    let url = try Self.address(text, allowPlainHTTP: command.shared.allowPlainHttp)
    let profile = command.shared.profile ?? ""
    let old =
      profile.isEmpty
      ? settings.configuration.base.url : settings.configuration.profiles[profile]?.url
    if let old, old != url.description, !command.replace {
      let which = profile.isEmpty ? "the configuration" : "the profile '\(profile)'"
      throw Failure(
        .usage,
        "\(which) has an address already, and it is another one; add --replace, or --profile with another name"
      )
    }
    let token = try token()
    if !command.noTest {
      let result = try await ConnectionTest(
        url: url, token: token, caFile: settings.caFile, origin: try settings.originTLS(),
        in: settings.process.scope
      ).run()
      switch result {
      case .failure(let failure):
        throw Failure(failure, "nothing is saved. \(failure.sentence) \(failure.setupAdvice)")
      case .success(let report): settings.output.complain(report.sentence)
      }
    }
    let saving = SetupSaving(
      url: url, token: token, profile: profile, allowsPlainHTTP: url.needsAllowance,
      preference: command.store?.preference)
    if Task.isCancelled { throw Failure.interrupted }
    let outcome = try await OwnThread.run { [settings] in
      Result { () throws(Failure) in try saving.save(settings) }
    }.get()
    for sentence in outcome.sentences { settings.output.complain(sentence) }
  }

  private func token() throws(Failure) -> TokenText? {
    if command.noToken { return nil }
    guard command.tokenStdin else {
      let text: String?
      do throws(FileError) {
        text = try command.shared.tokenFile.map { file throws(FileError) in
          try TokenFile.read(file)
        }
      } catch {
        throw Failure(.usage, error.description)
      }
      if let text { return try Self.token(text) }
      if let value = settings.environment["CLANKY_TOKEN"], !value.isEmpty {
        return try Self.token(value)
      }
      throw Failure(
        .usage,
        "setup needs the token without a terminal: --token-stdin, --token-file F, $CLANKY_TOKEN, or --no-token"
      )
    }
    return try Self.token(settings.process.readLine() ?? "")
  }

  static func token(_ text: String) throws(Failure) -> TokenText {
    do throws(TokenText.Problem) {
      return try TokenText(text)
    } catch {
      throw Failure(.usage, error.description)
    }
  }

  static func address(_ text: String, allowPlainHTTP: Bool) throws(Failure) -> BackendURL {
    do throws(BackendURL.Problem) {
      return try BackendURL(text, allowPlainHTTP: allowPlainHTTP)
    } catch {
      throw Failure(.usage, error.description)
    }
  }
}

extension BackendURL {
  /// Whether the configuration must allow plain http.
  var needsAllowance: Bool { scheme == .http && !isLoopback }
}

extension Failure {
  /// The exit code of a failure on the way, with other words.
  init(_ failure: LinkFailure, _ sentence: String) {
    self.init(failure)
    self.sentence = sentence
    link = nil
  }
}
