import LenientJSON

/// One setting that differs between two documents. A side without it has nil.
package struct SettingDifference: Hashable, Sendable {
  package var path: SettingPath
  package var before: JSONValue?
  package var after: JSONValue?

  package init(path: SettingPath, before: JSONValue?, after: JSONValue?) {
    self.path = path
    self.before = before
    self.after = after
  }

  /// The differences of two documents, in the order of the first, then what only the second has.
  /// Sections are compared member by member, lists as wholes.
  package static func between(_ before: JSONObject, _ after: JSONObject) -> [SettingDifference] {
    var found: [SettingDifference] = []
    compare(before, after, at: SettingPath([]), into: &found)
    return found
  }

  private static func compare(
    _ before: JSONObject, _ after: JSONObject, at path: SettingPath,
    into found: inout [SettingDifference]
  ) {
    for member in before.members {
      compare(member.value, after[member.key], at: path.appending(member.key), into: &found)
    }
    for member in after.members where before[member.key] == nil {
      compare(nil, member.value, at: path.appending(member.key), into: &found)
    }
  }

  private static func compare(
    _ before: JSONValue?, _ after: JSONValue?, at path: SettingPath,
    into found: inout [SettingDifference]
  ) {
    switch (before, after) {
    case (.object(let before)?, .object(let after)?):
      compare(before, after, at: path, into: &found)
    case (.object(let before)?, nil) where !before.isEmpty:
      compare(before, JSONObject(), at: path, into: &found)
    case (nil, .object(let after)?) where !after.isEmpty:
      compare(JSONObject(), after, at: path, into: &found)
    default:
      guard !before.meansSame(as: after) else { return }
      found.append(SettingDifference(path: path, before: before, after: after))
    }
  }
}

/// One setting of a document, with its value.
package struct SettingLeaf: Hashable, Sendable {
  package var path: SettingPath
  package var value: JSONValue

  package init(path: SettingPath, value: JSONValue) {
    self.path = path
    self.value = value
  }
}

extension JSONObject {
  /// Every setting, in order: plain values, lists, and sections without members.
  package var settings: [SettingLeaf] {
    SettingDifference.between(self, JSONObject()).compactMap { difference in
      difference.before.map { SettingLeaf(path: difference.path, value: $0) }
    }
  }
}
