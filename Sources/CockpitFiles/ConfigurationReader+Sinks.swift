import TOML
import TOMLKit

/// The table `[sinks]`.
extension ConfigurationReader {
  static let samples = ["answered", "silent", "anomaly"]
  /// A longer wait would keep a year of day files for a far end that is gone.
  private static let maxLag: ClosedRange<Int64> = 3_600_000...365 * 86_400_000

  mutating func read(sinks table: TOMLTable) {
    for name in table.keys {
      let path = ["sinks", name]
      guard PromisedShare.isName(name) else {
        complain(name, ["sinks"], "is no name of a sink: letters, digits, - and _, 40 at most")
        continue
      }
      guard let own = inner(table, name, ["sinks"], such: "[sinks.\(name)]") else { continue }
      if let sink = sink(own, path) { configuration.sinks[name] = sink }
    }
  }

  private mutating func sink(_ table: TOMLTable, _ path: [String]) -> Configuration.Sink? {
    check(table, keys: Configuration.Key.names(in: "sinks.NAME"), path)
    let kinds = Configuration.Sink.Kind.allCases.map(\.rawValue)
    guard table.contains(key: "kind") else {
      complain("kind", path, "is missing; it is one of \(kinds.joined(separator: ", "))")
      return nil
    }
    guard let kind = choice(table, "kind", kinds, path).flatMap(Configuration.Sink.Kind.init)
    else { return nil }
    var sink = Configuration.Sink(kind: kind)
    sink.url = string(table, "url", path)
    sink.dsn = string(table, "dsn", path)
    sink.file = string(table, "file", path)
    sink.redact = choice(table, "redact", ["people", "words", "none"], path)
    sink.prompts = bool(table, "prompts", path)
    sink.headersCommand = string(table, "headers_command", path)
    sink.allowPlainHTTP = bool(table, "allow_plain_http", path)
    sink.gzip = bool(table, "gzip", path)
    if let text = string(table, "max_lag", path) {
      sink.maxLagMs = KeptAmount.age(text).flatMap { Self.maxLag.contains($0) ? $0 : nil }
      if sink.maxLagMs == nil {
        complain("max_lag", path, "must be an age from \"1h\" to \"365d\", such as \"7d\"")
      }
    }
    if let text = string(table, "max", path) {
      sink.maxBytes = KeptAmount.size(text)
      if sink.maxBytes == nil {
        complain("max", path, "must be a size of 16MiB or more, such as \"50MiB\"")
      }
    }
    if let value = note(table, "sample", path) {
      let names = value.string.map { text in
        text.split(separator: ",").map { String($0.trimming { $0 == " " }) }
      }
      if let names = names ?? strings(value), names.allSatisfy(Self.samples.contains) {
        sink.sample = names
      } else {
        complain("sample", path, "must be some of \(Self.samples.joined(separator: ", "))")
      }
    }
    checkPlace(sink, path)
    return sink
  }

  /// A sink says where in the way of its kind, and in no other.
  private mutating func checkPlace(_ sink: Configuration.Sink, _ path: [String]) {
    let given = ["url": sink.url, "dsn": sink.dsn, "file": sink.file].compactMapValues(\.self)
    let place = sink.kind.place
    // OTLP has an environment variable for it.
    if given[place] == nil, sink.kind != .otlp {
      complain(place, path, "is missing; a sink of this kind needs it")
    }
    for key in given.keys.sorted() where key != place {
      complain(key, path, "has no meaning for this kind of sink; it takes \(place)")
    }
    if let dsn = sink.dsn, dsn.contains("password") || dsn.contains(":") && dsn.contains("@") {
      complain("dsn", path, "must not hold a password; put it into ~/.pgpass or a service file")
    }
    if sink.url?.contains("@") == true {
      complain("url", path, "must not hold a password; use headers_command")
    }
  }
}

extension Substring {
  fileprivate func trimming(_ isSpace: (Character) -> Bool) -> Substring {
    var text = drop(while: isSpace)
    while let last = text.last, isSpace(last) { text.removeLast() }
    return text
  }
}
