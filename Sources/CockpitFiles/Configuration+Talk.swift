extension Configuration {
  /// What a profile with `kind = "openclaw"` or `"openai"` says about its requests and its conversations.
  package struct Talk: Hashable, Sendable {
    /// Whose history an agent sees.
    package enum History: String, Hashable, Sendable, CaseIterable {
      case server, client
    }

    /// Additional headers of every request to this address, sorted by name.
    package var headers: [Header] = []
    /// `x-openclaw-message-channel`; nil is the program's own name.
    package var messageChannel: String?
    /// Nil is `server` for a gateway and `client` for other servers.
    package var history: History?

    package init() {}
  }

  /// One header of the owner's. Its value is a secret.
  package struct Header: Hashable, Sendable {
    /// Where the value comes from.
    package enum Value: Hashable, Sendable {
      case literal(String)
      case variable(String)
      case file(String)
      case command(String)

      /// `env:NAME`, `file:PATH` and `command:LINE` are references; any other text is the value.
      package init(_ text: String) {
        func rest(_ start: String) -> String? {
          text.hasPrefix(start) ? String(text.dropFirst(start.utf8.count)) : nil
        }
        if let name = rest("env:") {
          self = .variable(name)
        } else if let path = rest("file:") {
          self = .file(path)
        } else if let line = rest("command:") {
          self = .command(line)
        } else {
          self = .literal(text)
        }
      }

      /// Where it comes from, without the value itself.
      package var place: String {
        switch self {
        case .literal: "(not shown)"
        case .variable(let name): "env:\(name)"
        case .file(let path): "file:\(path)"
        // A command line may hold a secret of its own.
        case .command: "command:(not shown)"
        }
      }
    }

    package var name: String
    package var value: Value

    package init(name: String, value: Value) {
      self.name = name
      self.value = value
    }
  }
}

/// Which headers an owner may add to requests.
package enum HeaderRule {
  package static let maximumCount = 32
  private static let maximumName = 128
  /// Bytes of a value, as of a token.
  package static let maximumValue = 4_096

  /// Those that the program or libcurl sets, or that would change how a message is framed.
  private static let reserved: Set<String> = [
    "accept", "accept-encoding", "authorization", "connection", "content-encoding",
    "content-length", "content-type", "expect", "host", "keep-alive", "te", "trailer",
    "transfer-encoding", "upgrade", "user-agent", "x-dashboard-token", "x-openclaw-agent-id",
    "x-openclaw-message-channel", "x-openclaw-model", "x-openclaw-session-key",
  ]
  private static let reservedStarts = ["proxy-", "sec-websocket-"]

  /// What is wrong with a name; nil if nothing is.
  package static func problem(name: String) -> String? {
    // The characters of a token (RFC 9110, 5.6.2).
    let marks = Array("!#$%&'*+-.^_`|~".utf8)
    let isToken = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: marks.contains(byte)
      }
    }
    guard (1...maximumName).contains(name.utf8.count), isToken else {
      return "is no name of a header: letters, digits and -, \(maximumName) at most"
    }
    let lower = name.lowercased()
    if lower == "authorization" {
      return "is set by the program; give the token with token_file or token_command"
    }
    if lower == "x-openclaw-message-channel" {
      return "is set by the program; message_channel says its value"
    }
    guard !reserved.contains(lower), !reservedStarts.contains(where: lower.hasPrefix) else {
      return "is set by the program; leave it out"
    }
    return nil
  }

  /// What is wrong with a value, which is not repeated; nil if nothing is.
  package static func problem(value: String) -> String? {
    guard !value.isEmpty else { return "is empty" }
    guard value.utf8.count <= maximumValue else {
      return "is longer than \(maximumValue) bytes"
    }
    guard value.utf8.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x09 }) else {
      return "has a line break, or another character that no header may have"
    }
    return nil
  }
}
