package import ClankyWire
package import CockpitStores
internal import LenientJSON

extension RuleRow {
  static let maxContent = 400
  private static let printedContent = 200

  /// Reads a row; nil if the bytes are no action, or if no rule asks for it.
  ///
  /// - Parameters:
  ///   - json: in either shape (contract 4.1).
  ///   - label: of the row, where it is known already.
  package init?(
    _ json: UnsafeRawBufferPointer, label: ActionLabel? = nil, router: inout RuleRouter,
    actionID: Int? = nil, rowID: RowID? = nil
  ) {
    if let label, !router.wants(label) { return nil }
    guard let scan = try? ActionScanner.scan(json) else { return nil }
    let content = scan.content.text(in: json)
    let label =
      label ?? ActionLabel(kind: scan.kind.text(in: json) ?? "", content: content)
    guard router.wants(label) else { return nil }
    userID = scan.user.id(in: json)
    channelID = scan.channel.id(in: json)
    guildID = scan.guild.id(in: json)
    messageID = scan.message.id(in: json)
    kind = label.kind
    name = RuleRow.name(of: label)
    let told = content ?? ""
    self.content = content.map { String(decoding: $0.utf8.prefix(Self.maxContent), as: UTF8.self) }
    if router.wantsPrompts, label.kind == "llm_call" {
      var prints: [PromptPrint] = []
      metadata = scan.metadata(router.keys, in: json) { key, value in
        guard PromptPrint.fields.contains(key), value.count >= 2, value[0] == UInt8(ascii: "\"")
        else { return }
        let text = UnsafeRawBufferPointer(rebasing: value[1..<(value.count - 1)])
        prints.append(PromptPrint(field: key, json: text))
      }
      prompts = prints
    } else {
      metadata = scan.metadata(router.keys, in: json)
    }
    costUSD = scan.costNanos == 0 ? nil : Double(scan.costNanos) / 1e9
    isFailure =
      label.severity == .error
      || label.mayFail && scan.metadata.form == .object
        && ActionLabel.reportsFailure(scan.metadata.bytes(in: json))
    lane = Lane.order(name: name, kind: kind)
    var print = Fingerprint()
    print.add(scan.timeMs)
    print.add(kind)
    print.add(told.utf8.prefix(Self.printedContent))
    for id in [userID, channelID, messageID] { print.add(id) }
    cite = Citation(
      timeMs: scan.timeMs, name: name, fingerprint: print.value, actionID: actionID ?? scan.id,
      rowID: rowID)
  }

  /// The event that a row tells of, else its kind.
  package static func name(of label: ActionLabel) -> String {
    switch label.kind {
    case "voice_turn_in": "voice_activity_started"
    case "voice_turn_out": "bot_audio_started"
    default: label.title
    }
  }
}
