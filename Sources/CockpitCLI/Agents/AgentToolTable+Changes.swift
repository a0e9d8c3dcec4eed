/// What a program may change: the same verbs as an owner's, with their checks, journals and read-only profiles. What
/// deletes much at once, as 'facts forget' and 'facts purge', is not among them: there a word has to be typed.
extension AgentToolTable {
  static var changesOfBot: [AgentTool] {
    [settings, factEdit, factDelete, settingSet, settingUndo, voiceJoin, voiceLeave]
  }
  static var changesOfGateway: [AgentTool] { [approvalAllow, approvalDeny] }

  private static let settings = AgentTool(
    name: "settings", title: "Settings of the bot",
    description:
      "The bot's settings with value, default, type and what they do; read one here before it is changed. Secrets are masked.",
    parameters: [
      .init(
        name: "path", kind: .text(200),
        help: "A setting or a section, such as voice.sessionLimits; all settings without it."),
      .init(name: "search", kind: .text(200), help: "Only settings with these words."),
    ],
    verb: ["settings", "get"],
    arguments: { $0.option("search") + ($0["path"].map { ["--", $0] } ?? []) }, hasPast: false,
    isOfNow: true)

  private static let factEdit = AgentTool(
    name: "fact_edit", title: "Correct a fact",
    description:
      "Changes one fact in the bot's memory; what is not named stays. It is read again first: if somebody changed it meanwhile, nothing is sent. The answer is the stored fact.",
    parameters: [
      factID,
      .init(name: "fact", kind: .text(1_600), help: "The fact, 400 characters at most."),
      .init(name: "type", kind: .text(100), help: "Its type, such as preference, profile, other."),
      .init(name: "confidence", kind: .text(20), help: "How sure it is: 0 to 1."),
      .init(
        name: "subject", kind: .text(100), help: "Whom it is about: a user id, self or lore."),
      .init(
        name: "evidence", kind: .text(960),
        help: "The words that it rests on, 240 characters at most."),
    ],
    verb: ["facts", "edit"],
    arguments: { given in
      ["fact", "type", "confidence", "subject", "evidence"].flatMap { given.option($0) }
        + ["--", given["id"] ?? ""]
    }, takesOne: false, hasPast: false, listsFacts: true, isOfNow: true,
    change: .init(isDestructive: true, isIdempotent: true))

  private static let factDelete = AgentTool(
    name: "fact_delete", title: "Delete a fact",
    description:
      "Deletes one fact from the bot's memory, for good; its words stay in the journal on this machine.",
    parameters: [factID], verb: ["facts", "delete"],
    arguments: { ["--yes", "--", $0["id"] ?? ""] }, takesOne: false, hasPast: false,
    listsFacts: true, isOfNow: true, change: .init(isDestructive: true, isIdempotent: true))

  private static let settingSet = AgentTool(
    name: "setting_set", title: "Change a setting",
    description:
      "Changes one setting of the bot. The settings are read again first; the answer says what was stored, which may differ from what was sent. It restarts the time limits of live voice sessions.",
    parameters: [
      .init(
        name: "path", kind: .text(200), help: "The setting, as 'settings' lists it.",
        isRequired: true),
      .init(
        name: "value", kind: .text(4_000),
        help: "on or off, a number, a text, texts between commas or a JSON array, or JSON.",
        isRequired: true),
    ],
    verb: ["settings", "set"],
    arguments: { ["--yes", "--", $0["path"] ?? "", $0["value"] ?? ""] }, takesOne: false,
    hasPast: false, isOfNow: true, change: .init(isDestructive: true, isIdempotent: true))

  private static let settingUndo = AgentTool(
    name: "setting_undo", title: "Take back the last save",
    description: "Writes back what stood there before the last save of settings from this machine.",
    parameters: [], verb: ["settings", "undo"], arguments: { _ in ["--yes"] }, takesOne: false,
    hasPast: false, isOfNow: true, change: .init(isDestructive: true, isIdempotent: false))

  private static let voiceJoin = AgentTool(
    name: "voice_join", title: "Let the bot join voice",
    description:
      "Lets the bot join the voice channel where somebody is. It may take up to a minute.",
    parameters: [
      .init(name: "user", kind: .text(100), help: "The person to follow: id or name.")
    ],
    verb: ["voice", "join"], arguments: { $0.option("user") }, takesOne: false, hasPast: false,
    isOfNow: true, change: .init(isDestructive: false, isIdempotent: true, isOpenWorld: true))

  private static let voiceLeave = AgentTool(
    name: "voice_leave", title: "Let the bot leave voice",
    description: "Lets the bot leave voice, where the backend has a route for it.",
    parameters: [], verb: ["voice", "leave"], arguments: { _ in [] }, takesOne: false,
    hasPast: false, isOfNow: true,
    change: .init(isDestructive: false, isIdempotent: true, isOpenWorld: true))

  private static let approvalAllow = AgentTool(
    name: "approval_allow", title: "Allow what waits",
    description:
      "Allows exactly what 'approvals' showed: a command then runs on the gateway's machine, or a device is let in. If anything has changed since, nothing is sent.",
    parameters: approval + [
      .init(
        name: "how", kind: .choice(["once", "always"]),
        help: "always: the gateway does not ask for the like again; once without it.")
    ],
    verb: ["approvals", "allow"],
    arguments: { given in
      (given["how"] == "always" ? ["--always"] : [])
        + ["--", given["id"] ?? "", given["fingerprint"] ?? ""]
    }, takesOne: false, hasPast: false, isOfNow: true,
    change: .init(isDestructive: true, isIdempotent: true, isOpenWorld: true))

  private static let approvalDeny = AgentTool(
    name: "approval_deny", title: "Deny what waits",
    description:
      "Denies exactly what 'approvals' showed. If anything has changed since, nothing is sent.",
    parameters: approval, verb: ["approvals", "deny"],
    arguments: { ["--", $0["id"] ?? "", $0["fingerprint"] ?? ""] }, takesOne: false,
    hasPast: false, isOfNow: true,
    change: .init(isDestructive: false, isIdempotent: true, isOpenWorld: true))

  private static let factID = AgentTool.Parameter(
    name: "id", kind: .number(1...Int(Int32.max)), help: "The fact's number, as 'facts' lists it.",
    isRequired: true)

  private static let approval: [AgentTool.Parameter] = [
    .init(name: "id", kind: .text(200), help: "As 'approvals' lists it.", isRequired: true),
    .init(
      name: "fingerprint", kind: .text(64), help: "As 'approvals' lists it: of what was read.",
      isRequired: true),
  ]
}
