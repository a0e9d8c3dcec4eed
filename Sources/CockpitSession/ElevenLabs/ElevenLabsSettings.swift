import CockpitFiles
import ElevenLabsSource
import ElevenLabsWire
import Networking

/// The agent of a profile with `kind = "elevenlabs"`, and the key that opens the service.
package struct ElevenLabsSettings: Sendable {
  package static let officialURL = "https://api.elevenlabs.io"
  /// The service's own variable for a key.
  package static let keyVariable = "ELEVENLABS_API_KEY"

  package let agent: String
  package let base: BackendURL
  package let settings: Settings
  private let profile: Configuration.Profile
  private let service: Configuration.ElevenLabs

  package init(_ settings: Settings) throws(Failure) {
    self.settings = settings
    profile = settings.profile
    guard let service = profile.elevenLabs, let agent = service.agent, !agent.isEmpty else {
      throw Failure(
        .usage,
        "the profile '\(settings.profileName)' is no agent of ElevenLabs: it needs kind = \"elevenlabs\" and agent (docs/elevenlabs.md)"
      )
    }
    self.service = service
    self.agent = agent
    do throws(BackendURL.Problem) {
      base = try BackendURL(
        profile.url ?? Self.officialURL,
        allowPlainHTTP: settings.options.allowPlainHttp || profile.allowPlainHTTP ?? false)
    } catch {
      throw Failure(.usage, error.description)
    }
  }

  /// Whether the address is one of ElevenLabs': the key of the variable goes to no other host.
  private var isOfficial: Bool {
    base.host == "elevenlabs.io" || base.host.hasSuffix(".elevenlabs.io")
  }

  /// The address by which its recordings and conversations are found again: agents differ in it.
  package var name: String { base.description + "/" + agent }

  package var setup: Conversation.Setup {
    Conversation.Setup(
      overrides: Initiation.Overrides(
        firstMessage: service.firstMessage, language: service.language, voice: service.voice),
      variables: service.variables, version: programVersion,
      tools: settings.isReadOnly ? [] : Set(service.tools.keys))
  }

  /// Lets the client tools of a conversation be served by the profile's commands.
  @MainActor package func serveTools(of live: LiveConversation) {
    let tools = tools
    live.runTool = { tools.run($0, $1) }
  }

  /// Commands for client tools; none for a profile that is read-only.
  private var tools: ClientTools {
    ClientTools(
      commands: settings.isReadOnly ? [:] : service.tools,
      environment: settings.process.variables)
  }

  /// The API key, from the first source that has one; nil for a public agent. Looking for it may take a keyring or a
  /// command: call it beside the main thread. `CLANKY_TOKEN` is no source: it goes to no other service.
  package func key() throws(Failure) -> TokenText? {
    do throws(FileError) {
      let text: String
      if settings.process.scope == nil, let file = settings.options.tokenFile {
        text = try TokenFile.read(file)
      } else if isOfficial, let value = settings.environment[Self.keyVariable], !value.isEmpty {
        text = value
      } else if let file = profile.tokenFile {
        text = try TokenFile.read(
          Settings.path(file, in: settings.configuration, settings.environment))
      } else if let command = profile.tokenCommand {
        text = try TokenCommand.run(
          command, patience: settings.patience, mayAsk: settings.mayAsk)
      } else if let saved = try settings.credentials.load(
        credential, patience: settings.patience)
      {
        text = saved.token
      } else {
        return nil
      }
      do throws(TokenText.Problem) {
        return try TokenText(text)
      } catch {
        throw FileError(
          error == .empty ? "the API key is empty; write it there" : error.description)
      }
    } catch {
      throw Failure(.usage, error.description)
    }
  }

  /// Where `setup` saves the key.
  package var credential: CredentialKey {
    CredentialKey(
      scheme: "elevenlabs", host: base.host, port: base.port, profile: settings.profileName)
  }
}

extension Settings {
  /// Whether the profile in use is an agent of ElevenLabs, and no address or demo overrides it.
  package var opensElevenLabs: Bool {
    profile.elevenLabs != nil && options.url == nil && options.source == nil
  }

  /// Whether the source is one: that of the profile, or the demo's.
  package var isElevenLabs: Bool { options.source == .elevenLabsDemo || opensElevenLabs }

  /// The agent of the profile in use.
  package func elevenLabs() throws(Failure) -> ElevenLabsSettings { try ElevenLabsSettings(self) }
}
