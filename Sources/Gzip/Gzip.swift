internal import CZlib

/// The one door to zlib, which libcurl loads anyway.
package enum Gzip {
  /// One gzip member (RFC 1952) with the bytes; nil if there is no memory for it.
  ///
  /// - Parameters:
  ///   - bytes: of any length.
  ///   - level: 1 is the fastest, 9 the smallest. From level 3 on the JSON of rows gets little smaller.
  package static func pack(_ bytes: [UInt8], level: Int32 = 3) -> [UInt8]? {
    var stream = z_stream()
    guard clanky_gzip_begin(&stream, level) == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    // zlib counts in 32 bits.
    let piece = Int(UInt32.max) / 2
    var packed: [UInt8] = []
    packed.reserveCapacity(bytes.count / 4 + 64)
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    var at = 0
    repeat {
      let count = min(piece, bytes.count - at)
      let isLast = at + count == bytes.count
      let isGood = bytes.withUnsafeBytes { source in
        buffer.withUnsafeMutableBytes { buffer in
          // zlib does not write through `next_in`, whose type has no const.
          stream.next_in = source.baseAddress.map {
            UnsafeMutableRawPointer(mutating: $0 + at).assumingMemoryBound(to: UInt8.self)
          }
          stream.avail_in = UInt32(count)
          repeat {
            stream.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.avail_out = UInt32(buffer.count)
            guard deflate(&stream, isLast ? Z_FINISH : Z_NO_FLUSH) != Z_STREAM_ERROR else {
              return false
            }
            packed += buffer[..<(buffer.count - Int(stream.avail_out))]
          } while stream.avail_out == 0
          return true
        }
      }
      guard isGood else { return nil }
      at += count
    } while at < bytes.count
    return packed
  }
}
