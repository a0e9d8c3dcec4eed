internal import CZstd

/// zstd with a prefix. Each frame contains a checksum of its content, so that damage is detected.
enum Compression {
  static let level: Int32 = 3

  /// Compresses bytes. What they have in common with the prefix takes hardly any space.
  static func pack(_ bytes: [UInt8], prefix: [UInt8] = []) -> [UInt8]? {
    guard let context = ZSTD_createCCtx() else { return nil }
    defer { ZSTD_freeCCtx(context) }
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level)
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
    return prefix.withUnsafeBytes { prefix in
      if prefix.count > 0 { ZSTD_CCtx_refPrefix(context, prefix.baseAddress, prefix.count) }
      return packed(bytes, context)
    }
  }

  /// Decompresses what was packed with the same prefix; nil if it is damaged or larger than `limit`.
  static func unpack(
    _ bytes: UnsafeRawBufferPointer, prefix: [UInt8] = [], limit: Int
  ) -> [UInt8]? {
    guard let context = ZSTD_createDCtx() else { return nil }
    defer { ZSTD_freeDCtx(context) }
    return prefix.withUnsafeBytes { prefix in
      if prefix.count > 0 { ZSTD_DCtx_refPrefix(context, prefix.baseAddress, prefix.count) }
      return unpacked(bytes, limit: limit) { ZSTD_decompressDCtx(context, $0, $1, $2, $3) }
    }
  }

  static func packed(_ bytes: [UInt8], _ context: OpaquePointer) -> [UInt8]? {
    var isGood = true
    let packed = [UInt8](unsafeUninitializedCapacity: ZSTD_compressBound(bytes.count)) {
      buffer, count in
      let size = bytes.withUnsafeBytes {
        ZSTD_compress2(context, buffer.baseAddress, buffer.count, $0.baseAddress, $0.count)
      }
      isGood = ZSTD_isError(size) == 0
      count = isGood ? size : 0
    }
    return isGood ? packed : nil
  }

  typealias Unpacking = (UnsafeMutableRawPointer?, Int, UnsafeRawPointer?, Int) -> Int

  static func unpacked(
    _ bytes: UnsafeRawBufferPointer, limit: Int, _ unpack: Unpacking
  ) -> [UInt8]? {
    let size = ZSTD_getFrameContentSize(bytes.baseAddress, bytes.count)
    // zstd returns two very large values for an unknown size and for bytes that are no frame.
    guard bytes.count > 0, size <= UInt64(limit) else { return nil }
    var isGood = true
    let raw = [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
      let result = unpack(buffer.baseAddress, buffer.count, bytes.baseAddress, bytes.count)
      isGood = ZSTD_isError(result) == 0 && result == Int(size)
      count = isGood ? result : 0
    }
    return isGood ? raw : nil
  }
}

/// A prefix, prepared once to compress many blocks. Not thread-safe.
final class PackingPrefix {
  private let context: OpaquePointer
  private let dictionary: OpaquePointer?

  init?(_ bytes: [UInt8]) {
    guard let context = ZSTD_createCCtx() else { return nil }
    self.context = context
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, Compression.level)
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
    dictionary = bytes.withUnsafeBytes {
      $0.count > 0 ? ZSTD_createCDict($0.baseAddress, $0.count, Compression.level) : nil
    }
  }

  deinit {
    ZSTD_freeCCtx(context)
    ZSTD_freeCDict(dictionary)
  }

  func pack(_ bytes: [UInt8]) -> [UInt8]? {
    ZSTD_CCtx_refCDict(context, dictionary)
    return Compression.packed(bytes, context)
  }
}

/// A prefix, prepared once to decompress many blocks. Not thread-safe.
final class UnpackingPrefix {
  private let context: OpaquePointer
  private let dictionary: OpaquePointer?

  init?(_ bytes: [UInt8]) {
    guard let context = ZSTD_createDCtx() else { return nil }
    self.context = context
    dictionary = bytes.withUnsafeBytes {
      $0.count > 0 ? ZSTD_createDDict($0.baseAddress, $0.count) : nil
    }
  }

  deinit {
    ZSTD_freeDCtx(context)
    ZSTD_freeDDict(dictionary)
  }

  /// nil if the bytes are damaged or larger than `limit`.
  func unpack(_ bytes: UnsafeRawBufferPointer, limit: Int) -> [UInt8]? {
    Compression.unpacked(bytes, limit: limit) { [context, dictionary] in
      ZSTD_decompress_usingDDict(context, $0, $1, $2, $3, dictionary)
    }
  }
}
