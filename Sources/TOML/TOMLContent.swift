import TOMLKit

/// The content of a TOML text without its formatting, for comparison.
indirect enum TOMLContent: Hashable, Sendable {
  case table([String: TOMLContent])
  case array([TOMLContent])
  /// The name of the type, and the value in TOMLKit's words.
  case leaf(String, String)

  init(parsing text: String) throws(TOMLEditError) {
    do throws(TOMLMistake) {
      self.init(try TOMLDocument.table(text))
    } catch {
      throw TOMLEditError("line \(error.line): \(error.problem)")
    }
  }

  private init(_ value: any TOMLValueConvertible) {
    switch value.type {
    case .table:
      let table = value.table ?? TOMLTable()
      var content: [String: TOMLContent] = [:]
      for key in table.keys { content[key] = table[key].map { TOMLContent($0) } }
      self = .table(content)
    case .array:
      let array = value.array ?? TOMLArray()
      self = .array((0..<array.count).map { TOMLContent(array[$0]) })
    case .string: self = .leaf("string", value.string ?? "")
    case .int: self = .leaf("int", String(value.int ?? 0))
    default: self = .leaf("\(value.type)", value.debugDescription)
    }
  }

  init(_ value: TOMLEdit.Value) {
    switch value {
    case .string(let text): self = .leaf("string", text)
    case .bool(let value): self.init(value)
    case .integer(let value): self = .leaf("int", String(value))
    case .strings(let texts): self = .array(texts.map { .leaf("string", $0) })
    }
  }

  func value(at path: [String]) -> TOMLContent? {
    guard let key = path.first else { return self }
    guard case .table(let table) = self else { return nil }
    return table[key]?.value(at: Array(path.dropFirst()))
  }

  /// Sets a value, or removes it if nil; creates intermediate tables.
  mutating func set(_ value: TOMLContent?, at path: ArraySlice<String>) {
    guard let key = path.first else { return }
    guard case .table(var table) = self else { return }
    if path.count == 1 {
      table[key] = value
    } else {
      var inner = table[key] ?? .table([:])
      inner.set(value, at: path.dropFirst())
      table[key] = inner
    }
    self = .table(table)
  }

  /// The same without empty tables: a dotted key takes its table with it.
  var pruned: TOMLContent {
    guard case .table(let table) = self else { return self }
    return .table(table.mapValues(\.pruned).filter { $0.value != .table([:]) })
  }
}
