import CockpitFiles
import CockpitVoice
import Networking
import VoicePipeline

/// The secrets of speech services. Looking for one may take a command or a keyring: call it beside the main thread.
package struct VoiceKeys: Sendable {
  private let settings: Settings

  package init(_ settings: Settings) { self.settings = settings }

  /// ElevenLabs' own variable for a key. It goes to ElevenLabs' hosts alone.
  package static let elevenLabsVariable = "ELEVENLABS_API_KEY"

  /// Where the secret of a service comes from; never its value.
  package enum Place: Hashable, Sendable {
    case variable(String)
    case file(String)
    case command
    case saved(CredentialPlace)
    case none

    package var words: String {
      switch self {
      case .variable(let name): "$\(name)"
      case .file(let path): "file \(path)"
      case .command: "token_command"
      case .saved(let place): place.description
      case .none: "none"
      }
    }
  }

  /// The key under which `secrets set` saves a secret.
  package static func credential(_ name: String) -> CredentialKey {
    CredentialKey(scheme: "voice", host: "service", port: 0, profile: name)
  }

  /// Where it would be found, without looking into files, commands or keyrings.
  package func place(of name: String) throws(FileError) -> Place {
    let table = settings.configuration.voice?.services[name]
    if let variable = variable(of: name) { return .variable(variable) }
    if let file = table?.tokenFile { return .file(path(file)) }
    if table?.tokenCommand != nil { return .command }
    return try settings.credentials.place(of: Self.credential(name)).map(Place.saved) ?? .none
  }

  /// The secret; nil for a service that has none.
  package func secret(of name: String) throws(FileError) -> String? {
    let table = settings.configuration.voice?.services[name]
    let text: String
    switch try place(of: name) {
    case .none: return nil
    case .variable(let variable): text = settings.environment[variable] ?? ""
    case .file(let path): text = try TokenFile.read(path)
    case .command:
      text = try TokenCommand.run(
        table?.tokenCommand ?? "", patience: settings.patience, mayAsk: false)
    case .saved:
      guard
        let saved = try settings.credentials.load(
          Self.credential(name), patience: settings.patience)
      else { return nil }
      text = saved.token
    }
    do throws(TokenText.Problem) {
      return try TokenText(text).withBytes { String(decoding: $0, as: UTF8.self) }
    } catch {
      throw FileError("the key of '\(name)' cannot be used: it is empty or no line of text")
    }
  }

  /// The variable of the service's own maker, if it is set and the service is one of theirs.
  private func variable(of name: String) -> String? {
    let services = (settings.voice?.hearing ?? []) + (settings.voice?.speaking ?? [])
    guard let service = services.first(where: { $0.name == name }) else { return nil }
    let (url, domain, variable): (BackendURL, String, String)
    switch service.kind {
    case .openAI(let address):
      (url, domain, variable) = (address, "openai.com", Settings.openAIVariable)
    case .elevenLabs(let address):
      (url, domain, variable) = (address, "elevenlabs.io", Self.elevenLabsVariable)
    case .command, .gateway: return nil
    }
    guard url.host == domain || url.host.hasSuffix("." + domain),
      let value = settings.environment[variable], !value.isEmpty
    else { return nil }
    return variable
  }

  private func path(_ file: String) -> String {
    Settings.path(file, in: settings.configuration, settings.environment)
  }
}
