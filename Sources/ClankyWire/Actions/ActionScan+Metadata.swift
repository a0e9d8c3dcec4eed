import LenientJSON

extension ActionScan {
  /// The wanted members of `metadata`, without reading the others: a row of a model call has prompts
  /// of tens of kilobytes beside a handful of numbers. Null when there is no metadata.
  package func metadata(
    _ names: Set<String>, in action: UnsafeRawBufferPointer
  ) -> JSONValue {
    guard metadata.form == .object else { return .null }
    let bytes = metadata.bytes(in: action)
    let outline = JSONOutline(bytes) { $1.skipValue() }
    guard let object = outline?.object(of: bytes, where: { names.contains($0.key) }) else {
      return metadataValue(in: action)
    }
    return .object(object)
  }
}
