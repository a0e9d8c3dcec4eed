import COpenSSL

/// The gateway's own Ed25519 key.
final class CompanionSigner {
  private let seed: [UInt8]
  let publicKey: [UInt8]

  /// - Parameter seed: 32 bytes.
  init(seed: [UInt8]) {
    self.seed = seed
    var publicKey = [UInt8](repeating: 0, count: 32)
    var count = publicKey.count
    if let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count) {
      EVP_PKEY_get_raw_public_key(key, &publicKey, &count)
      EVP_PKEY_free(key)
    }
    self.publicKey = publicKey
  }

  var publicKeyText: String { ByteText.url(publicKey) }

  /// base64url; empty if libcrypto fails.
  func signature(of text: String) -> String {
    guard let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count) else {
      return ""
    }
    defer { EVP_PKEY_free(key) }
    guard let context = EVP_MD_CTX_new() else { return "" }
    defer { EVP_MD_CTX_free(context) }
    let message = Array(text.utf8)
    var signature = [UInt8](repeating: 0, count: 64)
    var count = signature.count
    guard EVP_DigestSignInit(context, nil, nil, nil, key) == 1,
      EVP_DigestSign(context, &signature, &count, message, message.count) == 1
    else { return "" }
    return ByteText.url(signature)
  }
}
