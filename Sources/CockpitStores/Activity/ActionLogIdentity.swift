internal import LenientJSON
internal import ClankyWire

/// The identity of an action: its interned names and its fingerprint.
extension ActionLog {
  /// Length of the content prefix in the fingerprint, in UTF-16 code units (contract 4.1).
  static let fingerprintUnits = 2000

  // MARK: interned names

  @inline(__always)
  func label(_ scan: ActionScan, in json: UnsafeRawBufferPointer) -> UInt32 {
    let kind = scan.kind.slice(of: json)
    guard scan.kind.isPlain else {
      var text = JSONText.decode(kind).withoutHalves
      return text.withUTF8 { label(kind: UnsafeRawBufferPointer($0), scan, in: json) }
    }
    return label(kind: kind, scan, in: json)
  }

  @inline(__always)
  private func label(
    kind: UnsafeRawBufferPointer, _ scan: ActionScan, in json: UnsafeRawBufferPointer
  ) -> UInt32 {
    guard scan.content.isString, ActionKind.isContainer(kind) else {
      return plainLabel(kind)
    }
    let content = scan.content.slice(of: json)
    if scan.content.isPlain {
      return label(kind: kind, content: content)
    }
    textScratch.removeAll(keepingCapacity: true)
    JSONText.unescape(content, into: &textScratch, limit: ActionLabel.maxEventLength + 2)
    let text = textScratch
    return text.withUnsafeBytes { label(kind: kind, content: $0) }
  }

  /// The label of a container: its key is the kind and the event.
  @inline(__always)
  private func label(
    kind: UnsafeRawBufferPointer, content: UnsafeRawBufferPointer
  ) -> UInt32 {
    let kindHash = hash(kind)
    // Nearly always the content is the name of an event, and one that is known.
    if content.count <= ActionLabel.maxEventLength,
      let known = labelTable.find(kind, content, hash: hash(content, after: kindHash))
    {
      return known <= ActionRecord.maxLabel ? known : 0
    }
    guard let length = ActionLabel.eventLength(content) else {
      return plainLabel(kind)
    }
    let event = UnsafeRawBufferPointer(rebasing: content[..<length])
    let number = labelTable.number(of: kind, event, hash: hash(event, after: kindHash)) {
      LabelInfo(
        ActionLabel(
          kind: String(decoding: kind, as: UTF8.self), event: String(decoding: event, as: UTF8.self)
        ))
    }
    return number <= ActionRecord.maxLabel ? number : 0
  }

  @inline(__always)
  private func plainLabel(_ kind: UnsafeRawBufferPointer) -> UInt32 {
    let number = labelTable.number(of: kind, hash: hash(kind)) {
      LabelInfo(ActionLabel(kind: String(decoding: kind, as: UTF8.self)))
    }
    return number <= ActionRecord.maxLabel ? number : 0
  }

  @inline(__always)
  func place(_ scan: ActionScan, in json: UnsafeRawBufferPointer) -> UInt32 {
    if scan.guild.isMissing, scan.channel.isMissing { return 0 }
    if scan.guild.isEscaped || scan.channel.isEscaped {
      let (guild, channel) = (scan.guild.id(in: json), scan.channel.id(in: json))
      var (guildText, channelText) = (guild ?? "", channel ?? "")
      return guildText.withUTF8 { guildBytes in
        channelText.withUTF8 { channelBytes in
          place(UnsafeRawBufferPointer(guildBytes), UnsafeRawBufferPointer(channelBytes)) {
            Place(guild: guild, channel: channel)
          }
        }
      }
    }
    return place(scan.guild.slice(of: json), scan.channel.slice(of: json)) {
      Place(guild: scan.guild.id(in: json), channel: scan.channel.id(in: json))
    }
  }

  @inline(__always)
  private func place(
    _ guild: UnsafeRawBufferPointer, _ channel: UnsafeRawBufferPointer, _ make: () -> Place
  ) -> UInt32 {
    placeTable.number(of: guild, channel, hash: hash(channel, after: hash(guild)), make: make)
  }

  @inline(__always)
  func user(_ scan: ActionScan, in json: UnsafeRawBufferPointer) -> UInt32 {
    if scan.user.isMissing { return 0 }
    if scan.user.isEscaped {
      var text = JSONText.decode(scan.user.slice(of: json)).withoutHalves
      return text.withUTF8 { user(UnsafeRawBufferPointer($0)) }
    }
    return user(scan.user.slice(of: json))
  }

  @inline(__always)
  private func user(_ id: UnsafeRawBufferPointer) -> UInt32 {
    userTable.number(of: id, hash: hash(id)) { String(decoding: id, as: UTF8.self) }
  }

  // MARK: the fingerprint

  /// The hash of all that makes an action this one (promise P4): time, kind, guild, channel,
  /// message, user and the first 2,000 UTF-16 units of the content, as text. Kind, places and
  /// people count by their numbers, which is the same as by their text while rows have them.
  @inline(__always)
  func fingerprint(
    _ record: ActionRecord, _ scan: ActionScan, in json: UnsafeRawBufferPointer
  ) -> UInt64 {
    var result = hash(UInt64(bitPattern: record.timeMs), after: UInt64(record.label))
    result = hash(UInt64(record.place) << 32 | UInt64(record.user), after: result)
    if scan.message.isEscaped {
      var text = JSONText.decode(scan.message.slice(of: json)).withoutHalves
      result = text.withUTF8 { hash(UnsafeRawBufferPointer($0), after: result) }
    } else if !scan.message.isMissing {
      result = hash(scan.message.slice(of: json), after: result)
    }
    guard scan.content.isString, scan.content.count > 0 else { return result }
    let content = scan.content.slice(of: json)
    if scan.content.isPlain, content.count <= Self.fingerprintUnits, isASCII(content) {
      return hash(content, after: result)
    }
    scratch.removeAll(keepingCapacity: true)
    JSONText.canonicalPrefix(content, units: Self.fingerprintUnits, into: &scratch)
    return scratch.isEmpty ? result : scratch.withUnsafeBytes { hash($0, after: result) }
  }

  @inline(__always)
  private func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let base = bytes.baseAddress else { return true }
    var at = 0
    while at &+ 8 <= bytes.count {
      if base.loadUnaligned(fromByteOffset: at, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 {
        return false
      }
      at &+= 8
    }
    while at < bytes.count {
      if base.load(fromByteOffset: at, as: UInt8.self) >= 0x80 { return false }
      at &+= 1
    }
    return true
  }

  /// The first row with this fingerprint that has no copy from this channel yet, or else the number
  /// of rows that have one. Sets the hash of `record` for its position among equal rows.
  ///
  /// Equal rows are distinguished by their ordinal, which is part of the hash. Each channel fills
  /// them from the front, so a search for the first open one takes logarithmic time, even in a
  /// flood of equal rows.
  ///
  /// Rows count as equal if time, kind, place and user are equal and 32 bits of a seeded hash of
  /// the texts are too: of the pairs of different actions that share all of these, one in four
  /// billion is mistaken for one action.
  @inline(__always)
  func twin(
    of record: inout ActionRecord, lacking flag: ActionRecord.Flags, base: UInt64
  ) -> (row: RowID?, ordinal: Int) {
    record.hash = ordinalHash(base, 0)
    guard let first = row(like: record) else { return (nil, 0) }
    if !records[first].flags.contains(flag) { return (first, 0) }
    var filled = 0  // an ordinal that has come this way
    var step = 1
    while isFilled(&record, base, filled + step, flag) {
      filled += step
      step *= 2
    }
    var open = filled + step  // one that has not
    while open - filled > 1 {
      let middle = (open + filled) / 2
      if isFilled(&record, base, middle, flag) { filled = middle } else { open = middle }
    }
    record.hash = ordinalHash(base, open)
    return (row(like: record), open)
  }

  private func isFilled(
    _ record: inout ActionRecord, _ base: UInt64, _ ordinal: Int, _ flag: ActionRecord.Flags
  ) -> Bool {
    record.hash = ordinalHash(base, ordinal)
    return row(like: record).map { records[$0].flags.contains(flag) } ?? false
  }

  @inline(__always)
  func ordinalHash(_ base: UInt64, _ ordinal: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: hash(UInt64(ordinal), after: base) >> 32)
  }

  @inline(__always)
  private func row(like record: ActionRecord) -> RowID? {
    twins.find(record.hash, first: records.first, end: records.end) { row in
      let other = records[row]
      return other.hash == record.hash && other.timeMs == record.timeMs
        && other.label == record.label && other.place == record.place && other.user == record.user
    }
  }
}

// Pattern matching instead of `==`: comparing enums of another module goes through a witness table.
// These run ten times per action and live here because nothing of the other module is inlined.
extension ActionField {
  @inline(__always)
  var isString: Bool {
    switch form {
    case .text, .escapedText: true
    default: false
    }
  }

  /// The same as `bytes(in:)`.
  @inline(__always)
  func slice(of action: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let (start, length) = (Int(offset), Int(count))
    precondition(start &+ length <= action.count, "the field is of another action")
    return UnsafeRawBufferPointer(start: action.baseAddress.map { $0 + start }, count: length)
  }

  @inline(__always)
  var isMissing: Bool { if case .missing = form { true } else { false } }

  @inline(__always)
  var isPlain: Bool { if case .text = form { true } else { false } }

  @inline(__always)
  var isEscaped: Bool { if case .escapedText = form { true } else { false } }
}
