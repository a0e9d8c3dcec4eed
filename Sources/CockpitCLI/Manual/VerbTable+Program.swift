import CockpitPanes

extension VerbTable {
  /// The verbs of the program, as its parser describes them.
  init(_ tree: CommandTree) {
    self.init(verbs: tree.shownCommands.filter { $0.commandName != "help" }.map(\.verb))
  }
}

extension CommandTree {
  fileprivate var shownCommands: [CommandTree] {
    (subcommands ?? []).filter { $0.shouldDisplay ?? true }
  }

  fileprivate var verb: VerbTable.Verb {
    let shown = (arguments ?? []).filter(\.shouldDisplay)
    return VerbTable.Verb(
      name: commandName, abstract: abstract ?? "",
      options: shown.filter { $0.kind != .positional }.map(\.option),
      arguments: shown.filter { $0.kind == .positional }.map(\.argument),
      verbs: shownCommands.map(\.verb))
  }
}

extension CommandTree.Argument {
  fileprivate var option: VerbTable.Option {
    let preferred = preferredName.map { [$0.spelled] } ?? []
    let others = (names ?? []).map(\.spelled).filter { !preferred.contains($0) }
    return VerbTable.Option(
      preferred + others, valueName: kind == .flag ? nil : valueName ?? "VALUE",
      values: allValues ?? [], abstract: abstract ?? "")
  }

  fileprivate var argument: VerbTable.Argument {
    VerbTable.Argument(
      valueName ?? "VALUE", values: allValues ?? [], isOptional: isOptional,
      isRepeating: isRepeating)
  }
}
