/// Documents as a shared history has them: compressed, with an earlier document of the same name as prefix.
package enum PackedDocument {
  /// - Returns: nil if zstd has no memory.
  package static func pack(_ body: [UInt8], on base: [UInt8]) -> [UInt8]? {
    Compression.pack(body, prefix: base)
  }

  /// - Returns: nil if the bytes are damaged, or were packed on something else.
  package static func unpack(_ packed: [UInt8], on base: [UInt8]) -> [UInt8]? {
    packed.withUnsafeBytes {
      Compression.unpack($0, prefix: base, limit: DayFormat.maxDocumentBytes)
    }
  }
}
