import Testing

@testable import cockpit_benchmark

@Suite("The order for the linker") struct LinkOrderTests {
  /// Two objects, positions relative to the ones before, a call whose cost is not the caller's.
  private let text = """
    # callgrind format
    version: 1
    positions: instr line
    events: Ir
    ob=(1) /usr/lib/libc.so.6
    fn=(1) malloc
    0x1000 0 50
    ob=(2) /tmp/x/cockpit
    fn=(2) 0x2000
    0x2000 0 3
    +4 0 3
    cob=(1)
    cfn=(1)
    calls=3 0x1000
    * 0 150
    +0x10 0 2
    -4 0 1
    ob=(1)
    +8 0 7
    ob=(2)
    0x3000 0 9
    """

  @Test("counts what one program executed, by address") func profile() {
    let profile = CallgrindProfile(text, program: "/cockpit")
    #expect(
      profile.counts == [0x2000: 3, 0x2004: 3, 0x2014: 2, 0x2010: 1, 0x3000: 9])
  }

  @Test("folds addresses into functions; names that several have are told") func functions() {
    let table = FunctionTable(
      nm: """
        0000000000001ff0 r constants
        0000000000002000 T first
        0000000000002000 t alias
        0000000000002010 t second
        0000000000003000 t twice
        0000000000004000 t twice
        not a line
        """)
    let counts = table.fold(CallgrindProfile(text, program: "/cockpit"))
    #expect(table.names == ["first", "second", "twice", "twice"])
    #expect(counts == [0: 6, 1: 3, 2: 9])
    #expect(table.isAmbiguous(2))
    #expect(!table.isAmbiguous(1))
  }
}
