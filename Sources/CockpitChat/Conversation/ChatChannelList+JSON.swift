internal import LenientJSON

extension ChatChannelList {
  /// A line for each channel, in order.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for channel in channels {
      var line = JSONObjectWriter()
      line.string("id", channel.id)
      line.string("name", channel.name)
      line.string("source", channel.source)
      line.string("agent", channel.agent)
      line.int("version", channel.version)
      bytes += line.finish()
      bytes.append(0x0A)
    }
    return bytes
  }

  static func isIdentifier(_ id: String) -> Bool {
    !id.isEmpty && id.utf8.count <= 40
      && id.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}
