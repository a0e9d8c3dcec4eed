import LenientJSON

/// Members of an agent's events that are never kept, at any depth (contract 16.8).
package enum SecretMembers {
  private static let secrets: Set<String> = [
    "auth", "authorization", "devicetoken", "devicetokens", "recoveryscope", "bootstraptoken",
    "setupcode", "signature", "token", "password", "answers",
  ]

  package static func removed(from value: JSONValue) -> JSONValue {
    switch value {
    case .object(let object):
      return .object(
        JSONObject(
          members: object.members.compactMap { member in
            guard !secrets.contains(member.key.lowercased()) else { return nil }
            return JSONObject.Member(key: member.key, value: removed(from: member.value))
          }))
    case .array(let list): return .array(list.map { removed(from: $0) })
    case .null, .bool, .number, .string: return value
    }
  }
}
