import LenientJSON

/// Where one field of an action lies in its bytes.
package struct ActionField: Hashable, Sendable {
  /// The form of the value.
  package enum Form: UInt8, Sendable {
    /// The key is absent or its value is null.
    case missing
    /// A string without escapes: its bytes are its text.
    case text
    /// A string with escapes.
    case escapedText
    case number
    /// `true`, `false`, `NaN` or an infinity.
    case word
    case object, array
  }

  /// In bytes from the start of the action; of a string, behind the opening quote.
  package var offset: UInt32
  /// In bytes; of a string, without the quotes.
  package var count: UInt32
  package var form: Form

  package init(offset: UInt32 = 0, count: UInt32 = 0, form: Form = .missing) {
    self.offset = offset
    self.count = count
    self.form = form
  }

  package static let missing = ActionField()

  package var isText: Bool { form == .text || form == .escapedText }

  /// The bytes of the field in the action it was found in.
  @inlinable
  package func bytes(in action: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let (start, length) = (Int(offset), Int(count))
    precondition(start &+ length <= action.count, "the field is of another action")
    return UnsafeRawBufferPointer(start: action.baseAddress.map { $0 + start }, count: length)
  }

  /// The text of a string; nil for every other form.
  package func text(in action: UnsafeRawBufferPointer) -> String? {
    isText ? JSONText.decode(bytes(in: action)) : nil
  }

  /// An id: a string that is not empty, or the digits of a number (contract 4.2).
  package func id(in action: UnsafeRawBufferPointer) -> String? {
    switch form {
    case .text, .escapedText: count == 0 ? nil : JSONText.decode(bytes(in: action))
    case .number: String(decoding: bytes(in: action), as: UTF8.self)
    default: nil
    }
  }
}

/// The index of one action: where its fields are, and the three values that order and sum it.
package struct ActionScan: Hashable, Sendable {
  package var kind = ActionField.missing
  package var content = ActionField.missing
  package var guild = ActionField.missing
  package var channel = ActionField.missing
  package var message = ActionField.missing
  package var user = ActionField.missing
  package var metadata = ActionField.missing
  package var createdAt = ActionField.missing
  /// The cost as spelled: a number or numeric text.
  package var costText = ActionField.missing
  /// Milliseconds since 1970.
  package var timeMs: Int64 = 0
  /// The row id of the backend; nil on live actions.
  package var id: Int?
  /// The cost in billionths of a dollar: embedding calls cost less than a millionth
  /// (contract 4.6). 0 when absent, negative, or no finite number; saturates.
  package var costNanos: Int64 = 0
  /// There is a cost, and it is no number.
  package var isCostOdd = false

  package init() {}
}

/// Why bytes are no action.
package enum ActionRejection: Error, Hashable, Sendable, CustomStringConvertible {
  case notJSON(offset: Int)
  case notAnObject
  case noKind
  case noTime
  case tooLarge(bytes: Int)

  package var description: String {
    switch self {
    case .notJSON(let offset): "the action is not JSON at byte \(offset)"
    case .notAnObject: "the action is not a JSON object"
    case .noKind: "the action has no kind"
    case .noTime: "the action has no readable time"
    case .tooLarge(let bytes): "the action is too large (\(bytes) bytes)"
    }
  }
}
