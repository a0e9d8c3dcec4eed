import CCurl
import CLeafPin
import Networking

/// A server's certificate by its digest: handed to OpenSSL when libcurl prepares the handshake.
///
/// It has to live as long as the handle that it is installed in.
@MainActor
final class LeafPin {
  private let digest: UnsafeMutablePointer<UInt8>

  init(_ fingerprint: CertificateFingerprint) {
    digest = .allocate(capacity: CertificateFingerprint.length)
    digest.initialize(from: fingerprint.bytes, count: CertificateFingerprint.length)
  }

  isolated deinit { digest.deallocate() }

  /// Whether libcurl uses the OpenSSL that this program is linked with. Of another TLS library the callback would get
  /// something else than an `SSL_CTX`.
  static let isSupported: Bool = {
    let major = leaf_pin_major()
    guard major > 0, let name = cc_tls_library() else { return false }
    return String(cString: name).hasPrefix("OpenSSL/\(major).")
  }()

  /// The reason for a refusal where it is not.
  static let unsupported = "libcurl is not built with OpenSSL"

  /// Replaces the check of the certificate in a handle. A session is not resumed: that shows no certificate.
  ///
  /// - Parameter isAlone: whether the connection is handed over after the handshake, and so is never another request's.
  func install(in easy: UnsafeMutableRawPointer, isAlone: Bool) -> Bool {
    cc_set_ssl_ctx_callback(easy, contextCallback, digest) == CURLE_OK
      && cc_set_string(easy, CURLOPT_CAINFO, nil) == CURLE_OK
      && cc_set_string(easy, CURLOPT_CAPATH, nil) == CURLE_OK
      && cc_set_long(easy, CURLOPT_SSL_VERIFYHOST, 0) == CURLE_OK
      && cc_set_long(easy, CURLOPT_SSL_SESSIONID_CACHE, 0) == CURLE_OK
      // A connection that was checked in another way is not taken, and none is left to requests without a pin.
      && cc_set_long(easy, CURLOPT_FRESH_CONNECT, 1) == CURLE_OK
      && cc_set_long(easy, CURLOPT_FORBID_REUSE, isAlone ? 0 : 1) == CURLE_OK
  }
}

private let contextCallback: cc_ssl_ctx_callback = { _, context, digest in
  guard let context, let digest else { return CURLE_SSL_CONNECT_ERROR }
  return leaf_pin_install(context, digest.assumingMemoryBound(to: UInt8.self)) == 1
    ? CURLE_OK : CURLE_SSL_CONNECT_ERROR
}
