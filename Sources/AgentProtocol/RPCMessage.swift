package import LenientJSON

/// One message of JSON-RPC 2.0, as far as a server acts on it.
package enum RPCMessage: Equatable, Sendable {
  case request(id: JSONValue, method: String, params: JSONObject)
  case notification(method: String, params: JSONObject)
  /// A response. This server sends no requests, so none is expected.
  case response
  /// What the sender gets back, with the id if there was one.
  case invalid(id: JSONValue, RPCError)

  /// Ids are echoed, so they have a limit, in bytes.
  private static let longestID = 256

  package init(_ value: JSONValue) {
    guard case .object(let object) = value else {
      self = .invalid(id: .null, .invalidRequest("a message is an object"))
      return
    }
    let id = object["id"]
    let echo = id.map { Self.isID($0) ? $0 : .null } ?? .null
    guard object["jsonrpc"]?.string == "2.0" else {
      self = .invalid(id: echo, .invalidRequest("\"jsonrpc\" is not \"2.0\""))
      return
    }
    guard let method = object["method"]?.string else {
      let isResponse = object["result"] != nil || object["error"] != nil
      self =
        isResponse ? .response : .invalid(id: echo, .invalidRequest("there is no \"method\""))
      return
    }
    let params: JSONObject
    switch object["params"] {
    case nil, .null: params = JSONObject()
    case .object(let given): params = given
    default:
      self = .invalid(id: echo, .invalidParams("\"params\" is not an object"))
      return
    }
    guard let id else {
      self = .notification(method: method, params: params)
      return
    }
    self =
      Self.isID(id)
      ? .request(id: id, method: method, params: params)
      : .invalid(id: .null, .invalidRequest("\"id\" is neither a string nor a number"))
  }

  private static func isID(_ value: JSONValue) -> Bool {
    switch value {
    case .string(let text): text.utf8.count <= longestID
    case .number(let number): number.text.utf8.count <= longestID && number.double.isFinite
    default: false
    }
  }
}

/// An error of JSON-RPC.
package struct RPCError: Error, Equatable, Sendable {
  package var code: Int
  /// What is wrong, in our own words.
  package var message: String

  package init(code: Int, message: String) {
    self.code = code
    self.message = message
  }

  package static func parse(_ words: String) -> RPCError {
    RPCError(code: -32700, message: "Parse error: \(words)")
  }
  package static func invalidRequest(_ words: String) -> RPCError {
    RPCError(code: -32600, message: "Invalid request: \(words)")
  }
  package static func methodNotFound() -> RPCError {
    RPCError(code: -32601, message: "Method not found")
  }
  package static func invalidParams(_ words: String) -> RPCError {
    RPCError(code: -32602, message: "Invalid params: \(words)")
  }
  /// A limit of this server (-32000 to -32099 are its own).
  package static func overloaded(_ words: String) -> RPCError {
    RPCError(code: -32000, message: words)
  }
}

/// Messages of ours.
enum RPCAnswer {
  static func result(_ id: JSONValue, _ result: JSONValue) -> JSONValue {
    .body([("jsonrpc", .string("2.0")), ("id", id), ("result", result)])
  }

  static func error(_ id: JSONValue, _ error: RPCError) -> JSONValue {
    .body([
      ("jsonrpc", .string("2.0")), ("id", id),
      (
        "error",
        .body([("code", .integer(error.code)), ("message", .string(error.message))])
      ),
    ])
  }

  /// A frame: one line of ASCII JSON with its newline. Line breaks and non-ASCII text are escaped.
  static func frame(_ value: JSONValue) -> [UInt8] {
    var bytes: [UInt8] = []
    value.write(to: &bytes, ascii: true)
    bytes.append(0x0A)
    return bytes
  }
}
