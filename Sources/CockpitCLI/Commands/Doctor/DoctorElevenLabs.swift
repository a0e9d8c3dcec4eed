import CockpitDemo
import CockpitFiles
import CockpitSession
import CockpitStores
import CockpitText
import CurlTransport
import ElevenLabsSource
import ElevenLabsWire
import LenientJSON
import Networking

/// The checks of an agent of ElevenLabs: address, key, agent, quota.
@MainActor
struct DoctorElevenLabs {
  let settings: Settings

  private static let keyPatience = Duration.seconds(3)

  /// - Returns: the checks, and the exit code of the connection when it failed.
  func checks() async -> ([DoctorCheck], Int32?) {
    var patient = settings
    patient.patience = Self.keyPatience
    let service: ElevenLabsSettings
    do throws(Failure) {
      service = try patient.elevenLabs()
    } catch {
      return ([DoctorCheck("address", .fail, error.description, "correct the profile")], nil)
    }
    var checks = [
      DoctorCheck("address", .ok, "\(service.base), agents of ElevenLabs")
    ]
    let key: TokenText?
    do {
      key = try await OwnThread.run { Result { () throws(Failure) in try service.key() } }.get()
    } catch {
      return (checks + [DoctorCheck("token", .fail, "\(error)", "correct it")], nil)
    }
    checks.append(
      key == nil
        ? DoctorCheck(
          "token", .ok, "none: only a public agent can be talked to, and no list is read")
        : DoctorCheck("token", .ok, "an API key is there"))
    let (more, code) = await ask(service.base, key, service.agent)
    return (checks + more, code)
  }

  /// Asks for a token of the agent, which shows that key and agent are good, and for the quota.
  func ask(
    _ base: BackendURL, _ key: TokenText?, _ agent: String
  ) async -> ([DoctorCheck], Int32?) {
    let transport: CurlTransport
    let clock: DispatchClock
    do throws(Failure) {
      (transport, clock) = try OpenedSource.transport(
        settings, caFile: settings.caFile, origin: try settings.originTLS(),
        on: settings.process.eventLoop)
    } catch {
      return ([DoctorCheck("connection", .fail, error.description)], error.code)
    }
    defer {
      transport.shutdown()
      clock.cancelAll()
    }
    let client = ServiceClient(base: base, key: key, transport: transport)
    let answer = await client.answer(
      ["convai", "conversation", "token"], query: [.init("agent_id", agent)])
    switch answer {
    case .failure(.refused(let refusal)) where key == nil && refusal.isKeyRefused:
      return ([DoctorCheck("connection", .ok, "the service answers")], nil)
    case .failure(.refused(let refusal)):
      let code = Failure.Code.authentication.rawValue
      return refusal.isKeyRefused
        ? ([DoctorCheck("connection", .fail, refusal.sentence)], code)
        : ([DoctorCheck("agent", .fail, refusal.sentence, "correct agent in the profile")], nil)
    case .failure(let problem):
      return (
        [DoctorCheck("connection", .fail, problem.sentence)], Failure.Code.connection.rawValue
      )
    case .success: break
    }
    var checks = [
      DoctorCheck("connection", .ok, "the key is accepted"),
      DoctorCheck("agent", .ok, "\(agent) is known to the service"),
    ]
    if case .success(let value) = await client.answer(["user", "subscription"], query: []),
      let left = Subscription(value)?.left
    {
      checks.append(
        left > 0
          ? DoctorCheck("quota", .ok, "\(left) characters left")
          : DoctorCheck(
            "quota", .warn, "no character is left", "wait for the reset, or upgrade the plan"))
    } else {
      checks.append(
        DoctorCheck("quota", .warn, "could not be read", "give the key the permission to read it"))
    }
    return (checks, nil)
  }
}

extension ServiceClient {
  /// The answer to one request.
  func answer(
    _ path: [String], query: [RequestTarget.QueryItem]
  ) async -> Result<JSONValue, Problem> {
    await awaitCallback(ifCancelled: .failure(.unreadable)) { done in
      get(path, query: query) { done($0) }
    }
  }
}
