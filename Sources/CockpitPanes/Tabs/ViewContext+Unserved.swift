import CockpitStores
import CockpitText
import TerminalCore

extension ViewContext {
  /// The routes that this backend turned out not to have.
  package var unserved: Set<BackendRoute> {
    BackendRoute.unserved(
      connection: connection, memory: memory, operations: command, settings: settings)
  }

  /// Said once for each route, when it is found missing: what there is not, and which keys are of no use.
  ///
  /// - Parameter routes: those that a command needs on the open tab.
  package func words(
    unserved route: BackendRoute, _ routes: (KeyAction) -> [BackendRoute]
  ) -> PlainText {
    var text = PlainText("this backend has \(route.words): it does not serve \(route.rawValue)")
    let commands = KeyAction.allCases.filter {
      routes($0).contains(route) && keys.binding(for: $0) != nil
    }
    if !commands.isEmpty {
      text += "; without use: " + commands.map { keys.text($0) }.joined(separator: ", ")
    }
    return text
  }
}
