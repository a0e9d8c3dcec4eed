import COpenSSL

/// An Ed25519 key pair: who this device is to a gateway. OpenSSL's libcrypto computes, which libcurl
/// loads anyway (docs/decisions/034-libcrypto-for-device-keys.md).
///
/// `@unchecked Sendable`: the key is made in `init` and freed in `deinit`; in between it is only read.
package final class DeviceKey: @unchecked Sendable {
  /// Bytes of a private key.
  package static let seedLength = 32

  private let pair: OpaquePointer
  /// The 32 raw bytes of the public key.
  package let publicKey: [UInt8]

  /// nil when the seed has not 32 bytes.
  package init?(seed: [UInt8]) {
    guard seed.count == Self.seedLength,
      let pair = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count)
    else { return nil }
    var publicKey = [UInt8](repeating: 0, count: 32)
    var count = publicKey.count
    guard EVP_PKEY_get_raw_public_key(pair, &publicKey, &count) == 1, count == publicKey.count
    else {
      EVP_PKEY_free(pair)
      return nil
    }
    self.pair = pair
    self.publicKey = publicKey
  }

  deinit { EVP_PKEY_free(pair) }

  /// The text form of `seed`, for the credential store.
  package convenience init?(text: String) {
    guard let seed = Base64URL.decoded(text) else { return nil }
    self.init(seed: seed)
  }

  /// A new private key as text; nil when the system gives no random bytes.
  package static func makeText() -> String? {
    var seed = [UInt8](repeating: 0, count: seedLength)
    guard RAND_bytes(&seed, Int32(seed.count)) == 1 else { return nil }
    defer { seed.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) } }
    return Base64URL.encoded(seed)
  }

  /// The device's id: SHA-256 of the public key, lower-case hexadecimal.
  package var id: String { Digest.hexadecimal(Digest.sha256(publicKey)) }

  /// The public key, base64url without padding.
  package var publicKeyText: String { Base64URL.encoded(publicKey) }

  /// The signature of a text, base64url without padding; nil if libcrypto fails.
  package func signature(of text: String) -> String? {
    guard let context = EVP_MD_CTX_new() else { return nil }
    defer { EVP_MD_CTX_free(context) }
    let message = Array(text.utf8)
    var signature = [UInt8](repeating: 0, count: 64)
    var count = signature.count
    guard EVP_DigestSignInit(context, nil, nil, nil, pair) == 1,
      EVP_DigestSign(context, &signature, &count, message, message.count) == 1, count == 64
    else { return nil }
    return Base64URL.encoded(signature)
  }

  /// Whether a signature fits a text and a public key, both base64url.
  package static func verifies(_ signature: String, of text: String, publicKey: String) -> Bool {
    guard let key = Base64URL.decoded(publicKey), let bytes = Base64URL.decoded(signature),
      let pair = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, key, key.count)
    else { return false }
    defer { EVP_PKEY_free(pair) }
    guard let context = EVP_MD_CTX_new() else { return false }
    defer { EVP_MD_CTX_free(context) }
    let message = Array(text.utf8)
    return EVP_DigestVerifyInit(context, nil, nil, nil, pair) == 1
      && EVP_DigestVerify(context, bytes, bytes.count, message, message.count) == 1
  }
}

/// SHA-256.
package enum Digest {
  package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    var count: UInt32 = 32
    EVP_Digest(bytes, bytes.count, &digest, &count, EVP_sha256(), nil)
    return digest
  }

  package static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
