internal import ClankyWire
internal import DeviceKeys
internal import LenientJSON

/// The stable key of a row: the same for its live and its stored shape, for two recorders of one bot, and after a restart.
package enum RowFingerprint {
  /// What a stored row keeps of a content, in UTF-16 code units.
  static let contentUnits = 2000

  /// 16 bytes that identify a bot: names are not unique.
  ///
  /// - Parameter name: what the bot is known by on Discord, else its address.
  package static func bot(_ name: String) -> [UInt8] {
    digest([Array("bot".utf8), Array(name.utf8)])
  }

  /// What makes two rows of one bot equal: time, kind, place, person and the content that a stored row keeps, each
  /// after its length. Empty if the bytes are no action.
  package static func identity(_ json: [UInt8]) -> [UInt8] {
    json.withUnsafeBytes { json in
      guard let scan = try? ActionScanner.scan(json) else { return [] }
      var content: [UInt8] = []
      if scan.content.isText {
        JSONText.canonicalPrefix(
          scan.content.bytes(in: json), units: contentUnits, into: &content)
      }
      return prefixed([
        Array(String(scan.timeMs).utf8), Array((scan.kind.text(in: json) ?? "").utf8),
        Array((scan.guild.id(in: json) ?? "").utf8), Array((scan.channel.id(in: json) ?? "").utf8),
        Array((scan.message.id(in: json) ?? "").utf8), Array((scan.user.id(in: json) ?? "").utf8),
        content,
      ])
    }
  }

  /// 16 bytes for a row.
  ///
  /// - Parameters:
  ///   - identity: of the row.
  ///   - ordinal: among rows with the same identity.
  package static func key(bot: [UInt8], identity: [UInt8], ordinal: Int) -> [UInt8] {
    Array(
      Digest.sha256(prefixed([bot]) + identity + prefixed([Array(String(ordinal).utf8)])).prefix(16)
    )
  }

  /// 16 bytes for parts, each after its length.
  static func digest(_ parts: [[UInt8]]) -> [UInt8] {
    Array(Digest.sha256(prefixed(parts)).prefix(16))
  }

  /// Each part after its length in four bytes, the highest first.
  private static func prefixed(_ parts: [[UInt8]]) -> [UInt8] {
    var bytes: [UInt8] = []
    for part in parts {
      let count = UInt32(clamping: part.count)
      for shift: UInt32 in [24, 16, 8, 0] {
        bytes.append(UInt8(truncatingIfNeeded: count >> shift))
      }
      bytes += part
    }
    return bytes
  }

  package static func hexadecimal(_ bytes: [UInt8]) -> String { Digest.hexadecimal(bytes) }

  /// Numbers for pseudonyms: a keyed hash (HMAC with SHA-256) of an identity.
  package static func pseudonyms(secret: [UInt8]) -> @Sendable (String) -> UInt64 {
    let padded = (secret + [UInt8](repeating: 0, count: 64)).prefix(64)
    let inner = padded.map { $0 ^ 0x36 }
    let outer = padded.map { $0 ^ 0x5C }
    return { identity in
      let digest = Digest.sha256(outer + Digest.sha256(inner + Array(identity.utf8)))
      return digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
  }
}
