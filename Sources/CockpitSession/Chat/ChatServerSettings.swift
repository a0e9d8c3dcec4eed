import CockpitChat
import CockpitFiles
import Networking
import OpenClawSource

extension Settings {
  /// OpenAI's own variable for a token. It goes to OpenAI's hosts alone.
  package static let openAIVariable = "OPENAI_API_KEY"

  /// Whether the profile in use is a server that can only be talked to, and no address or demo overrides it.
  package var opensChatServer: Bool {
    profile.chatServer != nil && options.url == nil && options.source == nil
  }

  /// The server of the profile in use, with its token. Looking for it may take a command: call it beside the main
  /// thread.
  ///
  /// - Parameter secret: instead of looking for one.
  package func chatServer(
    _ interface: ChatInterface? = nil, secret: String?? = nil
  ) throws(Failure) -> ChatServer {
    guard let server = profile.chatServer else {
      throw Failure(.usage, "the profile '\(profileName)' has no kind = \"openai\"")
    }
    let url = try chatServerURL()
    let found: String? = if let secret { secret } else { try chatSecret(for: url) }
    var opened = ChatServer(
      kind: .other(model: server.model), base: url, secret: found,
      interface: interface ?? server.interface.flatMap(ChatInterface.init) ?? .chat)
    do throws(FileError) {
      opened.headers = try headers(of: profile, named: profileName)
    } catch {
      throw Failure(.usage, error.description)
    }
    return opened
  }

  package func chatServerURL() throws(Failure) -> BackendURL {
    do throws(BackendURL.Problem) {
      var url = try BackendURL(
        profile.url ?? "",
        allowPlainHTTP: options.allowPlainHttp || profile.allowPlainHTTP ?? false)
      url.via = profile.ssh
      return url
    } catch {
      throw Failure(.usage, error.description)
    }
  }

  /// From the first source that has one, in the same order as Clanky's token; nil for a server that wants none.
  /// `CLANKY_TOKEN` is no source: it goes to no other server.
  private func chatSecret(for url: BackendURL) throws(Failure) -> String? {
    do throws(FileError) {
      let text: String
      if process.scope == nil, let file = options.tokenFile {
        text = try TokenFile.read(file)
      } else if url.isOpenAI, let value = environment[Self.openAIVariable], !value.isEmpty {
        text = value
      } else if let file = profile.tokenFile {
        text = try TokenFile.read(Self.path(file, in: configuration, environment))
      } else if let command = profile.tokenCommand {
        text = try TokenCommand.run(command, patience: patience, mayAsk: mayAsk)
      } else if let saved = try credentials.load(
        url.chatCredential(profile: profileName), patience: patience)
      {
        text = saved.token
      } else {
        return nil
      }
      do throws(TokenText.Problem) {
        return try TokenText(text).withBytes { String(decoding: $0, as: UTF8.self) }
      } catch {
        throw FileError(error.description)
      }
    } catch {
      throw Failure(.usage, error.description)
    }
  }
}

extension BackendURL {
  /// Whether `$OPENAI_API_KEY` is for it.
  package var isOpenAI: Bool { host == "openai.com" || host.hasSuffix(".openai.com") }
}

extension GatewaySettings {
  /// The gateway's HTTP side, which only its shared token or password opens.
  package func chatServer(
    _ identity: GatewayIdentity, _ interface: ChatInterface
  ) -> ChatServer {
    let secret = identity.token ?? identity.password
    var obstacle: ChatFailure?
    if secret == nil {
      obstacle = ChatFailure(
        .authentication,
        "Over HTTP only the gateway's token or password is taken; put token_file or token_command into the profile, or leave api to ws."
      )
    }
    var server = ChatServer(
      kind: .gateway, base: url.base, secret: secret, interface: interface, obstacle: obstacle)
    server.headers = identity.headers
    server.keepsHistory = profile.talk.history != .client
    if let channel = profile.talk.messageChannel { server.messageChannel = channel }
    return server
  }
}

extension Failure {
  /// Why there is no answer, with the exit code of `chat`.
  package init(_ failure: ChatFailure) {
    let code: Code =
      switch failure.kind {
      case .connection: .connection
      case .authentication: .authentication
      case .request: .usage
      case .unsupported, .agent, .rateLimit: .failed
      }
    self.init(code, failure.sentence)
  }
}
