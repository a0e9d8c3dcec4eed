import CockpitFiles
import CockpitStores
import CompanionWire
import CurlTransport
import DeviceKeys
import Foundation
import LenientJSON
import Networking

/// Pairs this device with a companion gateway.
@MainActor
package struct Pairing {
  /// What is saved of a pairing.
  package struct Paired: Sendable {
    /// Key, gateway key and token in one line (`CompanionSettings.Secrets`). A secret.
    package var text: String
    /// nil if the gateway does not say.
    package var sessionSeconds: Int?
  }

  private let transport: any Transport

  package init(transport: any Transport) { self.transport = transport }

  /// Sends the pairing request. A new key is made: a device that pairs again is another device.
  ///
  /// - Throws: exit code 4 where the gateway refuses, 3 where it cannot be reached.
  package func pair(_ payload: PairingPayload) async throws(Failure) -> Paired {
    guard let keyText = DeviceKey.makeText(), let key = DeviceKey(text: keyText),
      let request = PairRequest(
        challenge: payload.challenge, key: key,
        device: .init(name: Self.hostName, platform: Self.platform, model: "clanky-cockpit"))
    else { throw Failure(.failed, "no key can be made: the system gives no random bytes") }
    let base: BackendURL
    do throws(BackendURL.Problem) {
      base = try BackendURL(payload.pairOrigin)
    } catch {
      throw Failure(.usage, error.description)
    }
    var http = HTTPRequest(
      method: .post, base: base, target: RequestTarget(["pair"]), purpose: .rest, token: nil,
      body: Array(request.body.serialized().utf8), timeouts: HTTPTimeouts(totalMs: 15_000),
      maxBodyBytes: 64 << 10)
    http.fingerprint = payload.fingerprint.flatMap(CertificateFingerprint.init)
    let transport = transport
    let answer: Result<(status: Int, body: [UInt8]), TransportError> = await awaitCallback(
      ifCancelled: .failure(.other("cancelled"))
    ) { done in WholeAnswer.read(http, on: transport) { done($0) } }
    if Task.isCancelled { throw .interrupted }
    switch answer {
    case .failure(let error):
      throw Failure(.connection, Self.sentence(error, base))
    case .success((let status, let body)):
      guard (200...299).contains(status) else {
        throw Failure(
          [401, 409, 410].contains(status) ? .authentication : .failed,
          PairAnswer.refusal(status: status))
      }
      guard let value = body.withUnsafeBytes({ try? JSONValue.parse($0) }),
        let paired = PairAnswer(value)
      else { throw Failure(.failed, "The gateway's answer to the pairing request cannot be read.") }
      return Paired(
        text: CompanionSettings.Secrets.text(
          keyText: keyText, gatewayKey: paired.gatewayPublicKey, token: paired.deviceToken),
        sessionSeconds: paired.sessionSeconds)
    }
  }

  private static func sentence(_ error: TransportError, _ base: BackendURL) -> String {
    switch error {
    case .refused: "Nothing listens at \(base). Start the gateway, or make a new pairing code."
    case .tls(.otherCertificate, _):
      "The certificate of \(base) is not that of the pairing code: somebody may be in between. Nothing was sent."
    default: "The gateway at \(base) cannot be reached (\(error))."
    }
  }

  private static var hostName: String {
    String((ProcessInfo.processInfo.hostName.split(separator: ".").first ?? "terminal").prefix(60))
  }

  private static var platform: String {
    #if os(macOS)
      "macos"
    #else
      "linux"
    #endif
  }
}
