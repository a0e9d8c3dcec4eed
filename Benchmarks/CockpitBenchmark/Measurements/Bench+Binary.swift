import Foundation

extension Bench {
  /// The installed size, the cost of a start, and the required libraries.
  func measureBinary() throws {
    report.begin("Program file")
    let stripped = "\(folder)/stripped"
    defer { unlink(stripped) }
    report.add("as built, with symbols", figure: Self.size(cockpit))
    if let strip = Child.find("strip") {
      _ = try checked(Child.run(strip, ["-o", stripped, cockpit]))
      report.add("stripped, as it is installed", figure: Self.size(stripped))
    }
    let runs = try (0..<max(5, effort.pairs)).map { _ in
      try checked(Child.run(cockpit, ["--version"]))
    }
    report.add("`--version`: CPU", figure: Spread(runs.map { $0.cpu * 1000 }).text("ms", digits: 1))
    report.add(
      "`--version`: elapsed", figure: Spread(runs.map { $0.wall * 1000 }).text("ms", digits: 1))
    report.add(
      "`--version`: memory at its largest",
      figure: Spread(runs.map { Double($0.peakResident) / 1e6 }).text("MB", digits: 1))
    let demo = try DemoProcess(cockpit: backend, scenario: "quiet")
    let screen = try openCockpit(demo)
    Screen.serve([screen], seconds: 3)
    let resident = Double(ProcessFigures.residentBytes(screen.processID) ?? 0)
    report.add("resident 3 s after the start, demo", figure: "\(number(resident / 1e6, 1)) MB")
    try measureLibraries()
    try measureLinkOrder()
  }

  /// How well the linker's list matches this program: it ages with each change, harmlessly.
  private func measureLinkOrder() throws {
    guard let list = yardstick("link-order.txt", mode: R_OK), let nm = Child.find("nm"),
      let text = try? String(contentsOfFile: list, encoding: .utf8)
    else { return }
    let program = try checked(
      Child.run(nm, ["--defined-only", "-j", cockpit], keepsOutput: true)
    ).output
    let there = Set(program.split(separator: "\n"))
    let listed = text.split(separator: "\n")
    let share =
      listed.isEmpty ? 0 : Double(listed.count { there.contains($0) }) / Double(listed.count)
    report.add(
      "functions of the link order that it still has", target: ">= 95 %",
      figure: "\(number(share * 100, 1)) % of \(listed.count)", isMet: share >= 0.95)
  }

  private func measureLibraries() throws {
    guard let readelf = Child.find("readelf"), let ldd = Child.find("ldd") else { return }
    let dynamic = try Child.run(readelf, ["-dW", cockpit], keepsOutput: true).output
    let named = dynamic.split(separator: "\n").filter { $0.contains("(NEEDED)") }.compactMap {
      $0.firstMatch(of: /\[(.+)\]/).map { String($0.1) }
    }
    report.add(
      "libraries that it names",
      figure: "\(named.count): \(named.map { "`\($0)`" }.joined(separator: ", "))")
    let ownFolders = dynamic.split(separator: "\n").filter {
      $0.contains("(RUNPATH)") || $0.contains("(RPATH)")
    }
    report.add(
      "folders of its own that it takes libraries from", target: "none",
      figure: ownFolders.isEmpty ? "none" : "\(ownFolders.count)", isMet: ownFolders.isEmpty)
    let all = try Child.run(ldd, [cockpit], keepsOutput: true).output.split(separator: "\n").count
    report.add("libraries that are loaded with theirs", figure: "\(all)")
    let swift = named.filter { $0.hasPrefix("libswift") || $0.hasPrefix("libFoundation") }
    report.add(
      "of them Swift's own", target: "0 in what is installed", figure: "\(swift.count)",
      isMet: swift.isEmpty)
    // `ldd -u` asks the loader for libraries from which no symbol is used. It fails if there are
    // any. The loader itself is always present.
    let unused = try Child.run(ldd, ["-u", cockpit], keepsOutput: true).output
      .split(separator: "\n").filter { $0.contains("/") && !$0.contains("/ld-linux") }
      .map { $0.trimmingCharacters(in: .whitespaces).split(separator: "/").last ?? "" }
    report.add(
      "named and not needed", target: "none",
      figure: unused.isEmpty ? "none" : unused.joined(separator: ", "), isMet: unused.isEmpty)
  }

  private static func size(_ path: String) -> String {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return "\(number(Double((attributes?[.size] as? Int) ?? 0) / 1e6, 1)) MB"
  }
}
