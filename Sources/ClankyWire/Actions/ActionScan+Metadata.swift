import LenientJSON

extension ActionScan {
  /// The wanted members of `metadata`, without reading the others: a row of a model call has prompts
  /// of tens of kilobytes beside a handful of numbers. Null when there is no metadata.
  ///
  /// - Parameter visit: is given the JSON of every member, wanted or not.
  package func metadata(
    _ names: Set<String>, in action: UnsafeRawBufferPointer,
    visit: (_ key: String, _ json: UnsafeRawBufferPointer) -> Void = { _, _ in }
  ) -> JSONValue {
    guard metadata.form == .object else { return .null }
    let bytes = metadata.bytes(in: action)
    let outline = JSONOutline(bytes) { $1.skipValue() }
    for member in outline?.members ?? [] {
      visit(member.key, UnsafeRawBufferPointer(rebasing: bytes[member.value]))
    }
    guard let object = outline?.object(of: bytes, where: { names.contains($0.key) }) else {
      return metadataValue(in: action)
    }
    return .object(object)
  }
}
