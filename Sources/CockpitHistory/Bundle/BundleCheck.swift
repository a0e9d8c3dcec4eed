internal import Foundation
internal import LenientJSON

/// Reads a written export again, and looks for everything that was to be replaced.
struct BundleCheck {
  private let ids: Set<String>
  private let names: NameMatcher
  private let findsSecret: (UnsafeRawBufferPointer) -> Bool
  private let level: RedactionLevel

  init(_ known: KnownIdentities, _ request: BundleRequest) {
    level = request.redaction
    findsSecret = request.findsSecret
    ids = Set(known.sorts.keys.filter { Self.isLongNumber($0) })
    names = NameMatcher(NameList(known).entries.map(\.text))
  }

  private static func isLongNumber(_ text: String) -> Bool {
    text.utf8.count >= 15 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// - Throws: what was found, and where.
  func check(_ file: String) throws(HistoryError) {
    let history = try HistoryFolder(file)
    guard try history.manifest() != nil else {
      throw HistoryError(.damaged, "the written file cannot be read back; nothing was kept")
    }
    var finding: String?
    _ = try history.eachRow(limit: .max) { row in
      finding = finding ?? found(in: row.json, "row \(row.seq)")
    }
    for document in try history.documents(after: .min, through: .max) where finding == nil {
      finding =
        found(inName: document.name, "document") ?? found(in: document.body, "document")
    }
    for link in try history.links(after: .min, through: .max) where finding == nil {
      finding = found(in: link.value, "link record")
    }
    for mark in try history.marks() { finding = finding ?? found(inText: mark.note, "mark") }
    if let manifest = try history.manifest() {
      finding =
        finding ?? found(inText: manifest.note, "note")
        ?? found(in: manifest.json, "manifest", isFormat: true)
    }
    let damage = history.damage
    if damage != HistoryDamage() {
      throw HistoryError(.damaged, "the written file is damaged; nothing was kept")
    }
    guard let bytes = FileManager.default.contents(atPath: file) else {
      throw HistoryError(.disk, "the written file cannot be read back; nothing was kept")
    }
    try refuse(finding ?? found(inRaw: bytes))
  }

  func check(lines: [UInt8]) throws(HistoryError) {
    var finding: String?
    for (index, line) in lines.split(separator: UInt8(ascii: "\n")).enumerated()
    where finding == nil {
      finding = found(in: Array(line), "line \(index + 1)", isFormat: true)
    }
    try refuse(finding ?? found(inRaw: Data(lines)))
  }

  private func refuse(_ finding: String?) throws(HistoryError) {
    guard let finding else { return }
    throw HistoryError(
      .refused, "nothing was written: the check found \(finding); please report it")
  }

  // MARK: looking

  /// Members that are words of the format itself; a channel or a person may be called like one of them.
  private static let formatMembers: Set<String> = [
    "type", "what", "version", "dialect", "redaction", "replaced",
  ]
  private static let formatKeys = BundleManifest.keys.union([
    "seq", "at_ms", "received_ms", "channels", "body", "name", "kind", "event", "id",
  ])

  /// - Parameter isFormat: whether the members at the top are those of an export, and not of the bot.
  private func found(in json: [UInt8], _ place: String, isFormat: Bool = false) -> String? {
    if json.withUnsafeBytes(findsSecret) { return "the token in a \(place)" }
    guard level != .none else { return nil }
    guard let value = json.withUnsafeBytes({ try? JSONValue.parse($0) }) else {
      return "a \(place) that cannot be read"
    }
    let kind = value["kind"]?.string ?? ""
    guard isFormat, let object = value.object else {
      return found(in: value, key: "", kind: kind, place)
    }
    for member in object.members where !Self.formatMembers.contains(member.key) {
      let isName = member.key == "name" && value["type"]?.string == "document"
      let finding =
        isName
        ? found(inName: member.value.string ?? "", place)
        : (Self.formatKeys.contains(member.key) ? nil : found(inKey: member.key, place))
          ?? found(in: member.value, key: member.key, kind: kind, place)
      if let finding { return finding }
    }
    return nil
  }

  private func found(inKey key: String, _ place: String) -> String? {
    RecordedField(key) == .unknown ? found(inText: key, place) : nil
  }

  private func found(inName name: String, _ place: String) -> String? {
    var finding: String?
    _ = RecordedDocumentName(name).mapped { part in
      finding = finding ?? found(inText: part, place)
      return part
    }
    return finding
  }

  private func found(
    in value: JSONValue, key: String, kind: String, _ place: String
  ) -> String? {
    switch value {
    case .null, .bool: return nil
    case .number(let number): return ids.contains(number.text) ? "an id in a \(place)" : nil
    case .string(let text):
      if let finding = found(inIDsOf: text, place) { return finding }
      var rest = text
      if RecordedField(key) == .machine, Redactor.isCode(text, key: key) { return nil }
      if key == "content" { rest = String(text.dropFirst(Redactor.eventLength(text, kind: kind))) }
      return names.find(in: rest).first.map {
        "the name \($0.debugDescription) in '\(key)' of a \(place)"
      }
    case .array(let list):
      return list.lazy.compactMap { found(in: $0, key: key, kind: kind, place) }.first
    case .object(let object):
      for member in object.members {
        if let finding = found(inKey: member.key, place) { return finding }
        if let finding = found(in: member.value, key: member.key, kind: kind, place) {
          return finding
        }
      }
      return nil
    }
  }

  private func found(inText text: String, _ place: String) -> String? {
    if Array(text.utf8).withUnsafeBytes(findsSecret) { return "the token in a \(place)" }
    guard level != .none else { return nil }
    if let finding = found(inIDsOf: text, place) { return finding }
    return names.find(in: text).first.map { "the name \($0.debugDescription) in a \(place)" }
  }

  private func found(inIDsOf text: String, _ place: String) -> String? {
    for run in text.utf8.split(whereSeparator: { !(0x30...0x39).contains($0) })
    where run.count >= 15 && ids.contains(String(decoding: run, as: UTF8.self)) {
      return "an id in a \(place)"
    }
    return nil
  }

  /// In the bytes of the file: where they are compressed nothing shows, where they are not everything does.
  private func found(inRaw data: Data) -> String? {
    data.withUnsafeBytes { bytes in
      if findsSecret(bytes) { return "the token in the bytes of the file" }
      guard level != .none else { return nil }
      var run: [UInt8] = []
      for byte in bytes {
        if (0x30...0x39).contains(byte) {
          run.append(byte)
        } else {
          if run.count >= 15, ids.contains(String(decoding: run, as: UTF8.self)) {
            return "an id in the bytes of the file"
          }
          run.removeAll(keepingCapacity: true)
        }
      }
      // Compressed bytes contain short texts by chance. Words of the format's own are found in their records.
      for name in names.names
      where name.utf8.count >= 6 && name.contains(where: { !$0.isASCII || $0 == " " }) {
        if ByteScan.contains(bytes, name) { return "a name in the bytes of the file" }
      }
      return nil
    }
  }
}
