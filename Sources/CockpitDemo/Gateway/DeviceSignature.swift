import COpenSSL

/// What the gateway needs of libcrypto: digests, and the check of an Ed25519 signature.
enum DeviceSignature {
  /// SHA-256 of `bytes`.
  static func sha256(_ bytes: [UInt8]) -> [UInt8] { digest(bytes, EVP_sha256()) }

  /// SHA-1 of `bytes`: the answer to a WebSocket key (RFC 6455, 4.2.2) wants it.
  static func sha1(_ bytes: [UInt8]) -> [UInt8] { digest(bytes, EVP_sha1()) }

  /// Whether `signature` is one over `text` by the owner of the raw public key `key`.
  static func isValid(_ signature: [UInt8], over text: String, key: [UInt8]) -> Bool {
    guard key.count == 32, signature.count == 64,
      let pkey = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, key, key.count)
    else { return false }
    defer { EVP_PKEY_free(pkey) }
    guard let context = EVP_MD_CTX_new() else { return false }
    defer { EVP_MD_CTX_free(context) }
    guard EVP_DigestVerifyInit(context, nil, nil, nil, pkey) == 1 else { return false }
    let signed = Array(text.utf8)
    return EVP_DigestVerify(context, signature, signature.count, signed, signed.count) == 1
  }

  /// The string that a client signs (contract 3); `version` is 2 or 3.
  static func signedText(version: Int, _ parts: SignedParts) -> String {
    var fields = [
      "v\(version)", parts.deviceID, parts.clientID, parts.clientMode, parts.role,
      parts.scopes.joined(separator: ","), String(parts.signedAtMs), parts.token, parts.nonce,
    ]
    if version == 3 { fields += [metadata(parts.platform), metadata(parts.deviceFamily)] }
    return fields.joined(separator: "|")
  }

  /// Trimmed, with only A to Z made small.
  private static func metadata(_ text: String) -> String {
    let spaces: Set<Unicode.Scalar> = [" ", "\t", "\n", "\r"]
    var scalars = Array(text.unicodeScalars)
    while let first = scalars.first, spaces.contains(first) { scalars.removeFirst() }
    while let last = scalars.last, spaces.contains(last) { scalars.removeLast() }
    var out = ""
    for scalar in scalars {
      let isUpper = (0x41...0x5A).contains(scalar.value)
      out.unicodeScalars.append(isUpper ? Unicode.Scalar(UInt8(scalar.value + 32)) : scalar)
    }
    return out
  }

  private static func digest(_ bytes: [UInt8], _ kind: OpaquePointer?) -> [UInt8] {
    var out = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    guard EVP_Digest(bytes, bytes.count, &out, &count, kind, nil) == 1 else { return [] }
    return Array(out.prefix(Int(count)))
  }
}

/// The fields of a signed connect, in the order of the signed string.
struct SignedParts {
  var deviceID = ""
  var clientID = ""
  var clientMode = ""
  var role = ""
  var scopes: [String] = []
  var signedAtMs: Int64 = 0
  var token = ""
  var nonce = ""
  var platform = ""
  var deviceFamily = ""
}

/// Bytes as text: lower-case hexadecimal, base64 and base64url.
enum ByteText {
  static func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }

  /// The bytes of base64url or base64 text; nil when it is neither.
  static func decodedURL(_ text: String) -> [UInt8]? {
    var out: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for byte in text.utf8 {
      let value: UInt8
      switch byte {
      case 0x41...0x5A: value = byte - 0x41
      case 0x61...0x7A: value = byte - 0x61 + 26
      case 0x30...0x39: value = byte - 0x30 + 52
      case UInt8(ascii: "-"), UInt8(ascii: "+"): value = 62
      case UInt8(ascii: "_"), UInt8(ascii: "/"): value = 63
      case UInt8(ascii: "="): continue
      default: return nil
      }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        out.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return out
  }
}

extension ByteText {
  /// Base64url without padding.
  static func url(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    var out = ""
    var bits = 0
    var count = 0
    for byte in bytes {
      bits = (bits << 8 | Int(byte)) & 0xFFFF
      count += 8
      while count >= 6 {
        count -= 6
        out.append(alphabet[bits >> count & 63])
      }
    }
    if count > 0 { out.append(alphabet[bits << (6 - count) & 63]) }
    return out
  }
}
