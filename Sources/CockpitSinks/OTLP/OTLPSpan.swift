/// One span, as OTLP has it. Times are ns since 1970.
struct OTLPSpan: Hashable, Sendable {
  enum Kind: Int64, Sendable { case `internal` = 1, client = 3 }

  enum Value: Hashable, Sendable {
    case string(String)
    case int(Int64)
    case double(Double)
    case bool(Bool)
  }

  struct Event: Hashable, Sendable {
    var timeNs: UInt64
    var name: String
    var attributes: [Attribute]
  }

  struct Attribute: Hashable, Sendable {
    var key: String
    var value: Value

    init(_ key: String, _ value: Value) {
      self.key = key
      self.value = value
    }
  }

  /// 16 bytes.
  var traceID: [UInt8]
  /// 8 bytes.
  var spanID: [UInt8]
  /// 8 bytes; empty for the root.
  var parentID: [UInt8] = []
  var name: String
  var kind: Kind
  var startNs: UInt64
  var endNs: UInt64
  var attributes: [Attribute] = []
  var events: [Event] = []
  /// What went wrong; nil if nothing did.
  var error: String?
}

/// `ExportTraceServiceRequest` and its answer.
enum OTLPTraces {
  /// - Parameters:
  ///   - resource: what is said of all spans.
  ///   - version: of this program.
  static func request(
    _ spans: [OTLPSpan], resource: [OTLPSpan.Attribute]
  ) -> [UInt8] {
    var writer = ProtoWriter()
    writer.message(1) { writer in
      writer.message(1) { write(resource, 1, to: &$0) }
      writer.message(2) { writer in
        writer.message(1) {
          $0.string(1, GenAI.scope)
          $0.string(2, GenAI.version)
        }
        for span in spans { writer.message(2) { write(span, to: &$0) } }
        writer.string(3, GenAI.schema)
      }
    }
    return writer.bytes
  }

  private static func write(_ span: OTLPSpan, to writer: inout ProtoWriter) {
    writer.bytes(1, span.traceID)
    writer.bytes(2, span.spanID)
    if !span.parentID.isEmpty { writer.bytes(4, span.parentID) }
    writer.string(5, span.name)
    writer.int(6, span.kind.rawValue)
    writer.fixed64(7, span.startNs)
    writer.fixed64(8, span.endNs)
    write(span.attributes, 9, to: &writer)
    for event in span.events {
      writer.message(11) {
        $0.fixed64(1, event.timeNs)
        $0.string(2, event.name)
        write(event.attributes, 3, to: &$0)
      }
    }
    if let error = span.error {
      writer.message(15) {
        if !error.isEmpty { $0.string(2, error) }
        $0.int(3, 2)
      }
    }
  }

  private static func write(
    _ attributes: [OTLPSpan.Attribute], _ field: Int, to writer: inout ProtoWriter
  ) {
    for attribute in attributes {
      writer.message(field) {
        $0.string(1, attribute.key)
        $0.message(2) { value in
          switch attribute.value {
          case .string(let text): value.string(1, text)
          case .bool(let isTrue): value.int(2, isTrue ? 1 : 0)
          case .int(let number): value.int(3, number)
          case .double(let number): value.double(4, number)
          }
        }
      }
    }
  }

  /// What a far end left out of an accepted request: the number of spans, and its words.
  static func rejected(_ answer: [UInt8]) -> (spans: Int, words: String) {
    var reader = ProtoReader(answer)
    while let (number, field) = reader.next() {
      guard number == 1, case .bytes(let partial) = field else { continue }
      var found = (spans: 0, words: "")
      var inner = ProtoReader(partial)
      while let (number, field) = inner.next() {
        switch (number, field) {
        case (1, .int(let count)): found.spans = Int(clamping: count)
        case (2, .bytes(let words)):
          found.words = String(String(decoding: words, as: UTF8.self).prefix(300))
        default: break
        }
      }
      return found
    }
    return (0, "")
  }
}
