import CockpitFiles
import Networking

extension Settings {
  /// The client certificate of the profile in use, for connections to the address of that profile alone; nil where it
  /// names none. A gateway's is in `GatewaySettings`.
  ///
  /// - Throws: exit code 2 if the files cannot be used.
  package func originTLS() throws(Failure) -> OriginTLS? {
    guard options.source == nil, let file = profile.clientCertificate,
      let base = try? BackendURL(profile.url ?? "", allowPlainHTTP: true)
    else { return nil }
    let own = ClientCertificate(
      certificate: Self.path(file, in: configuration, environment),
      key: profile.clientKey.map { Self.path($0, in: configuration, environment) })
    do throws(FileError) {
      try CertificateFiles.check(certificate: own.certificate, key: own.key)
    } catch {
      throw Failure(.usage, "the profile '\(profileName)': \(error)")
    }
    return OriginTLS(base: base, clientCertificate: own)
  }
}

extension GatewaySettings {
  /// TLS options of the gateway's origin, for HTTP and WebSocket. The files are checked with the identity.
  package var originTLS: OriginTLS? {
    let request = request
    guard request.clientCertificate != nil || request.pin != nil else { return nil }
    return OriginTLS(
      base: url.base, clientCertificate: request.clientCertificate, pin: request.pin)
  }
}
