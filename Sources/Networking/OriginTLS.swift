/// What TLS connections to one origin have beyond the system's trust: for it and for no other.
package struct OriginTLS: Sendable, Hashable {
  /// Whose scheme, host and port count.
  package var base: BackendURL
  /// The certificate with which this program shows who it is there.
  package var clientCertificate: ClientCertificate?
  /// `sha256//` and the base64 hash of the public key that the server must have.
  package var pin: String?

  package init(base: BackendURL, clientCertificate: ClientCertificate?, pin: String? = nil) {
    self.base = base
    self.clientCertificate = clientCertificate
    self.pin = pin
  }

  /// Whether a connection to this address is one to the origin, over TLS.
  package func applies(to other: BackendURL) -> Bool {
    other.scheme == .https && other.scheme == base.scheme && other.host == base.host
      && other.port == base.port
  }
}
