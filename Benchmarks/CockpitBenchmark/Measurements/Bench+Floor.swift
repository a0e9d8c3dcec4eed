import Foundation

extension Bench {
  /// A fresh cockpit's memory use above a program that has a terminal and a network and does
  /// nothing: first step by step, then the difference by cause.
  func measureFloor() throws {
    report.begin("Memory floor: step by step, resident and of that written to")
    var bare: MemoryMap?
    let probes = [
      ("floor-c", "C, nothing else"),
      ("floor-c-libraries", "C with ncurses and libcurl, TLS set up"),
      ("floor-swift", "Swift, nothing else"),
      ("floor-swift-libraries", "**Swift with ncurses and libcurl: the bare program**"),
      ("floor-foundation", "the same with Foundation"),
    ]
    for (name, title) in probes {
      guard let program = yardstick(name) else {
        report.add(title, figure: "not measured: not compiled")
        continue
      }
      let screen = try Screen(program, home: folder)
      guard Screen.serve([screen], seconds: 10, until: { screen.text.contains("ready") }) else {
        throw BenchmarkError("\(name) did not start:\n\(screen.text)")
      }
      // TLS is set up after the first words.
      Screen.serve([screen], seconds: 0.5)
      let map = try MemoryMap(screen.processID)
      if name == "floor-swift-libraries" { bare = map }
      report.add(title, figure: Self.sizes(map))
    }
    let version = try Child.run(cockpit, ["--version"])
    report.add(
      "`clanky-cockpit --version`, at its largest", figure: Self.megabytes(version.peakResident))
    let alone = try Screen(cockpit, ["open", "--url", "http://127.0.0.1:9"], home: folder)
    Screen.serve([alone], seconds: 6)
    report.add("cockpit without a backend", figure: Self.sizes(try MemoryMap(alone.processID)))
    let demo = try DemoProcess(cockpit: backend, scenario: "quiet")
    let fresh = try openCockpit(demo)
    guard Screen.serve([fresh], seconds: 20, until: { Self.isCockpitComplete(fresh) }) else {
      throw BenchmarkError("the cockpit shows no complete frame:\n\(fresh.text)")
    }
    Screen.serve([fresh], seconds: 7)
    let map = try MemoryMap(fresh.processID)
    report.add("**fresh cockpit on a quiet backend**", figure: Self.sizes(map))
    guard let bare, let program = yardstick("floor-swift-libraries") else { return }
    report.begin(
      "Memory floor: fresh cockpit against the bare program, by cause",
      column: "Cause, and what could be done")
    let sections = ProgramSections(program: cockpit, processID: fresh.processID, map: map)
    for cause in Self.causes {
      let before = bare.resident { cause.isIn($0, program) }
      let after = map.resident { cause.isIn($0, cockpit) }
      report.add(
        cause.name, target: cause.reason,
        figure: "\(Self.megabytes(after)), bare \(Self.megabytes(before)): "
          + "\(after >= before ? "+" : "-")\(Self.megabytes(abs(after - before)))")
    }
    if let sections {
      for (name, reason, names) in Self.parts {
        report.add(
          "of the program: " + name, target: reason, figure: Self.megabytes(sections.sum(names)))
      }
      report.add(
        "of the program: data tables of ICU",
        target: "34 MB in the file, here what is looked at; goes with Foundation",
        figure: Self.megabytes(sections.icu))
    }
    report.add(
      "sum",
      figure: "\(Self.megabytes(map.resident)), bare \(Self.megabytes(bare.resident)): "
        + "+\(Self.megabytes(map.resident - bare.resident))")
  }

  private static func megabytes(_ bytes: Int) -> String { "\(number(Double(bytes) / 1e6, 1)) MB" }

  private static func sizes(_ map: MemoryMap) -> String {
    "\(megabytes(map.resident)), \(megabytes(map.dirty)) written to"
  }

  /// A group of mappings and why it is as large as it is. Each mapping is in exactly one.
  private struct Cause: Sendable {
    let name: String
    let reason: String
    let isIn: @Sendable (_ mapping: MemoryMap.Mapping, _ program: String) -> Bool
  }

  private static func isLibrary(_ mapping: MemoryMap.Mapping, _ program: String) -> Bool {
    mapping.name.hasPrefix("/") && mapping.name != program
  }

  private static func isC(_ mapping: MemoryMap.Mapping) -> Bool {
    ["/libc.", "/libm.", "/ld-linux", "/libstdc++", "/libgcc_s", "/libc-", "/locale"].contains {
      mapping.name.contains($0)
    }
  }

  private static func isScreen(_ mapping: MemoryMap.Mapping) -> Bool {
    mapping.name.contains("/libncursesw") || mapping.name.contains("/libtinfo")
  }

  private static let causes = [
    Cause(
      name: "the program's file",
      reason: "clean pages but for the pointers below, dropped when memory is short"
    ) { $0.name == $1 },
    Cause(
      name: "heap and other memory of its own",
      reason: "220 rows and their columns, the screen's cells, stores, two connections"
    ) {
      mapping, _ in
      mapping.name == "[heap]" || mapping.name.isEmpty || mapping.name.hasPrefix("[anon")
    },
    Cause(name: "stack", reason: "one thread") { mapping, _ in mapping.name == "[stack]" },
    Cause(
      name: "libc, libm, libstdc++",
      reason: "libstdc++, the TOML reader's, is in the program where its archive is installed"
    ) {
      isLibrary($0, $1) && isC($0)
    },
    Cause(name: "ncurses", reason: "as in the bare program") { isLibrary($0, $1) && isScreen($0) },
    Cause(name: "libcurl with TLS and all that it needs", reason: "as in the bare program") {
      isLibrary($0, $1) && !isC($0) && !isScreen($0)
    },
    Cause(name: "the kernel's pages", reason: "clock without a system call") { mapping, _ in
      mapping.name.hasPrefix("[") && !["[heap]", "[stack]"].contains(mapping.name)
        && !mapping.name.hasPrefix("[anon")
    },
  ]

  /// Sections of the file, and their content.
  private static let parts = [
    (
      "code",
      "ours, Foundation, the runtime: what has run, side by side (scripts/dev/link-order), and what lies around it",
      [".text", ".plt", ".init"]
    ),
    (
      "constants and metadata of types", "read-only, shared with the file",
      [
        ".rodata", ".eh_frame", ".eh_frame_hdr", ".gcc_except_table", "swift5_typeref",
        "swift5_reflstr", "swift5_fieldmd", "swift5_types", "swift5_protocols",
        "swift5_protocol_conformances", "swift5_capture", "swift5_assocty", "swift5_builtin",
        "swift5_mpenum", "swift5_accessible_functions", "swift5_runtime_compatibility",
        ".dynsym", ".dynstr", ".gnu.hash", ".hash", ".gnu.version", ".gnu.version_r", ".interp",
        ".note.gnu.build-id", ".note.ABI-tag",
      ]
    ),
    (
      "relocations", "read once at the start; packed where the linker and glibc can",
      [".rela.dyn", ".rela.plt", ".relr.dyn"]
    ),
    (
      "pointers that the loader fills in",
      "written at the start, because the program has no fixed address",
      [".data.rel.ro", ".init_array", ".fini_array", ".got", ".got.plt", ".dynamic", ".tdata"]
    ),
    ("variables", "written to while it runs", [".data", ".tm_clone_table"]),
  ]
}
