/// How this machine reaches others, by its default route.
package enum NetworkKind: String, Sendable, CaseIterable {
  case wired, wifi, cellular
  /// There is no default route.
  case none
  /// It cannot be found out here.
  case unknown

  /// - Parameters:
  ///   - routes: the text of `/proc/net/route`; nil where there is no such file.
  ///   - routes6: the text of `/proc/net/ipv6_route`.
  ///   - isWireless: whether an interface has `/sys/class/net/NAME/wireless`.
  package init(routes: String?, routes6: String?, isWireless: (String) -> Bool) {
    guard routes != nil || routes6 != nil else {
      self = .unknown
      return
    }
    let found =
      Self.interface(routes ?? "", Self.defaultOfV4)
      ?? Self.interface(routes6 ?? "", Self.defaultOfV6)
    guard let found else {
      self = .none
      return
    }
    if isWireless(found) {
      self = .wifi
    } else {
      self = found.hasPrefix("ww") || found.hasPrefix("ppp") ? .cellular : .wired
    }
  }

  private static func interface(
    _ routes: String, _ read: ([Substring]) -> (name: Substring, metric: Int)?
  ) -> String? {
    routes.split(separator: "\n").compactMap { line in
      read(line.split(whereSeparator: { $0 == " " || $0 == "\t" }))
    }.min { $0.metric < $1.metric }.map { String($0.name) }
  }

  /// `Iface Destination Gateway Flags RefCnt Use Metric Mask …`, in hexadecimal; flag 1 is "up".
  private static func defaultOfV4(_ words: [Substring]) -> (name: Substring, metric: Int)? {
    guard words.count >= 8, words[1] == "00000000", words[7] == "00000000",
      let flags = Int(words[3], radix: 16), flags & 1 == 1
    else { return nil }
    return (words[0], Int(words[6]) ?? .max)
  }

  /// `destination prefix source prefix next-hop metric refcount use flags name`.
  private static func defaultOfV6(_ words: [Substring]) -> (name: Substring, metric: Int)? {
    guard words.count >= 10, words[0].allSatisfy({ $0 == "0" }), words[1] == "00",
      words[9] != "lo", let flags = Int(words[8], radix: 16), flags & 1 == 1
    else { return nil }
    return (words[9], Int(words[5], radix: 16) ?? .max)
  }
}
