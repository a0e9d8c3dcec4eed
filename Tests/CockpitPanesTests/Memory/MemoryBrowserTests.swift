import TerminalUI
import CockpitDomain
import Networking
import ClankyWire
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell
@testable import CockpitStores

@MainActor
@Suite struct MemoryBrowserTests {
  private func shell(_ size: Size = Size(width: 120, height: 40), guild: String? = nil)
    -> CockpitShell
  {
    CockpitShell(tab: .memory, guild: guild, size: size)
  }

  private func requests(_ effects: [Effect]) -> [MemoryRequest] {
    effects.compactMap { if case .memory(let request) = $0 { request } else { nil } }
  }

  private func requests(_ needs: [Need]) -> [MemoryRequest] {
    needs.compactMap { if case .memory(let request) = $0 { request } else { nil } }
  }

  private func text(_ fixture: inout MemoryFixture, _ shell: inout CockpitShell) -> String {
    fixture.draw(&shell).canvas.text
  }

  // MARK: Loading

  @Test(
    "opening the tab loads once, a reconnect loads again, and without a connection nothing is asked"
  )
  func loading() {
    var fixture = MemoryFixture(isLoaded: false)
    let shell = shell()
    let facts = fixture.facts(shell)
    var fetcher = Fetcher()
    func requests(_ shell: CockpitShell, _ facts: ViewContext) -> [MemoryRequest] {
      self.requests(fetcher.due(shell.needs(facts), connection: facts.status.returns))
    }
    #expect(
      requests(shell, facts) == [.load(guild: nil), .loadReflections(guild: nil), .loadJournal])
    #expect(requests(shell, facts).isEmpty)
    var later = facts
    later.status.returns = 1
    #expect(requests(shell, later).contains(.load(guild: nil)))
    later.status.overall = .reconnecting
    #expect(shell.needs(later).isEmpty)
    #expect(CockpitShell(tab: .pulse, size: shell.size).needs(facts).isEmpty)
  }

  @Test("an end that no retry mends says what does, as VOICE and BRAIN do")
  func stopped() {
    var fixture = MemoryFixture(isLoaded: false)
    let shell = shell()
    var facts = fixture.facts(shell)
    facts.status.overall = .stopped
    let words = shell.render(facts, size: shell.size).canvas.text
    #expect(words.contains(":setup takes another address"))
    #expect(!words.contains("as soon as it answers"))
  }

  @Test("the views ask for what they show; a guild of all is not asked for again")
  func viewsLoad() {
    var fixture = MemoryFixture()
    var shell = shell()
    var fetcher = Fetcher()
    let facts = fixture.facts(shell)
    func requests() -> [MemoryRequest] {
      self.requests(fetcher.due(shell.needs(facts), connection: facts.status.returns))
    }
    _ = requests()
    shell.memory.view = .markdown
    #expect(requests() == [.loadMarkdown(guild: nil)])
    shell.memory.view = .profile
    shell.memory.query.subject = MemoryFixture.james
    #expect(
      requests() == [.loadProfile(guild: MemoryFixture.workshop, user: MemoryFixture.james)])
    shell.memory.view = .facts
    shell.memory.query.guild = MemoryFixture.crew
    #expect(requests() == [.loadReflections(guild: MemoryFixture.crew)])
  }

  @Test("r loads what is shown anew, and tries the connection when there is none")
  func refresh() {
    var fixture = MemoryFixture()
    var shell = shell()
    #expect(fixture.type("r", &shell) == [.refetch])
    var dead = MemoryFixture(isLoaded: false)
    dead.base = Fixture(state: .reconnecting)
    #expect(dead.type("r", &shell) == [.reconnect])
  }

  // MARK: Moving

  @Test("the cursor keeps its fact and its line while others come and go")
  func stableCursor() {
    var fixture = MemoryFixture()
    var shell = shell()
    fixture.type("j j j j", &shell)
    #expect(shell.memory.cursor.id == 1042)
    let before = text(&fixture, &shell).split(separator: "\n").firstIndex {
      $0.contains(">james         preference")
    }
    var all = MemoryFixture.facts
    all.insert(
      MemoryFixture.fact(3000, MemoryFixture.ada, "Is new here", daysAgo: 0), at: 0)
    fixture.load(all)
    let after = text(&fixture, &shell)
    #expect(shell.memory.cursor.id == 1042)
    #expect(after.contains("FACT #1042"))
    _ = before

    // A fact that goes leaves the cursor on its neighbour.
    let rows = fixture.facts(shell).factView.rows.map(\.id)
    let place = rows.firstIndex(of: 1042) ?? 0
    fixture.store.facts.remove(1042)
    _ = fixture.draw(&shell)
    #expect(shell.memory.cursor.id == rows[place + 1])
  }

  @Test("a long list scrolls with wheel, pages and ends, and only visible rows are drawn")
  func longList() {
    var fixture = MemoryFixture(isLoaded: false)
    fixture.load(
      (0..<20_000).map {
        MemoryFixture.fact(
          $0 + 1, "7000000000000\($0 % 40)", "fact number \($0)", daysAgo: Double($0) / 100)
      })
    var shell = shell()
    fixture.type("G", &shell)
    #expect(shell.memory.cursor.id == 20_000)
    fixture.type("gg PgDn", &shell)
    let paged = shell.memory.cursor.line
    #expect(paged > 20 && paged < 40)
    let clock = ContinuousClock()
    let took = clock.measure { _ = fixture.draw(&shell) }
    // Debug build, shared machine: what must not happen is work for every fact with every frame.
    #expect(took < .milliseconds(900))
  }

  @Test("Tab, zoom and Esc go through the levels, and q at the top is the shell's")
  func levels() {
    var fixture = MemoryFixture()
    var shell = shell()
    fixture.type("Tab", &shell)
    #expect(shell.memory.focus == .detail)
    fixture.type("z", &shell)
    #expect(shell.memory.isZoomed)
    fixture.type("Esc", &shell)
    #expect(!shell.memory.isZoomed)
    fixture.type("Esc", &shell)
    #expect(shell.memory.focus == .facts)
    fixture.type("]]", &shell)
    #expect(shell.memory.view == .reflections)
    fixture.type("q", &shell)
    #expect(shell.memory.view == .facts)
    #expect(fixture.type("Esc", &shell).isEmpty)
    #expect(fixture.type("q", &shell) == [.quit])
  }

  // MARK: Narrowing

  @Test("facts that differ in a digit or a short word are near, and never the same")
  func near() {
    let texts = [
      "Rosalind wakes at 6", "Rosalind wakes at 8", "rosalind  wakes at 6.", "likes C++ a lot",
      "likes C# a lot",
    ]
    let fixture = MemoryFixture(isLoaded: false)
    fixture.load(texts.enumerated().map { MemoryFixture.fact($0 + 1, "7", $1) })
    let caches = MemoryCaches()
    let table = fixture.store.facts
    func shares(_ id: Int) -> [Int: Double] {
      guard let fact = table.entries[id]?.fact else { return [:] }
      return Dictionary(
        uniqueKeysWithValues: caches.near(to: fact, in: table).map { ($0.id, $0.share) })
    }
    #expect(shares(1) == [2: 0.6, 3: 1])
    #expect(shares(4) == [5: 0.6])
    // The beginning of a long text is not the whole of it.
    let long = (0..<150).map { "w\($0) " }.joined()
    fixture.load([
      MemoryFixture.fact(11, "8", long + "yes"), MemoryFixture.fact(12, "8", long + "no"),
    ])
    let first = fixture.store.facts.entries[11]?.fact
    let found = first.map { caches.near(to: $0, in: fixture.store.facts) } ?? []
    #expect(found.map(\.id) == [12] && found.allSatisfy { $0.share < 0.995 })
  }

  @Test("one guild is not called all of them")
  func oneGuild() {
    var fixture = MemoryFixture()
    var shell = shell()
    #expect(text(&fixture, &shell).contains("all 2 guilds"))
    fixture.store.guilds = [MemoryFixture.workshop]
    #expect(text(&fixture, &shell).contains(" 1 guild "))
  }

  @Test("subjects and guilds narrow the list")
  func narrowing() {
    var fixture = MemoryFixture()
    var shell = shell()
    fixture.type("l", &shell)
    #expect(shell.memory.query.subject == MemoryFixture.james)
    #expect(fixture.facts(shell).factView.rows.map(\.id).sorted() == [1042, 1043, 1044])
    fixture.type("Esc }", &shell)
    #expect(shell.memory.query.guild == MemoryFixture.workshop)
    #expect(text(&fixture, &shell).contains("The Workshop 1/2"))
    fixture.type("} }", &shell)
    #expect(shell.memory.query.guild == nil)
    fixture.type("{", &shell)
    #expect(shell.memory.query.guild == MemoryFixture.crew)
  }

  @Test("find as one types, n and N, only matches, and Esc")
  func find() {
    var fixture = MemoryFixture()
    var shell = shell()
    fixture.type("/", &shell)
    fixture.write("concise", &shell)
    #expect(shell.memory.query.find == "concise")
    #expect(text(&fixture, &shell).contains("2 hits"))
    fixture.type("Enter", &shell)
    #expect(shell.memory.cursor.id == 1042)
    fixture.type("n", &shell)
    #expect(shell.memory.cursor.id == 1044)
    fixture.type("n", &shell)
    #expect(shell.memory.cursor.id == 1042)
    #expect(shell.memory.message == "from the top again")
    fixture.type("&", &shell)
    #expect(fixture.facts(shell).factView.rows.count == 2)
    fixture.type("Esc", &shell)
    #expect(shell.memory.query.find.isEmpty && !shell.memory.query.onlyMatches)
  }

  @Test("the filter is applied as it is typed, its problem shown, and Esc takes the one before")
  func filter() {
    var fixture = MemoryFixture()
    var shell = shell()
    fixture.type("f", &shell)
    fixture.write("type:profile", &shell)
    fixture.type("Enter", &shell)
    #expect(fixture.facts(shell).factView.rows.allSatisfy { $0.fact.factType == .profile })
    fixture.type("f", &shell)
    fixture.write(" conf>x", &shell)
    #expect(fixture.facts(shell).factView.problem != nil)
    fixture.type("Esc", &shell)
    #expect(shell.memory.query.filter == "type:profile")
    fixture.type("\\", &shell)
    #expect(shell.memory.query.filter.isEmpty)
    fixture.type("\\", &shell)
    #expect(shell.memory.query.filter == "type:profile")
  }

  @Test("a search goes to one guild and says which; only Enter sends it")
  func search() {
    var fixture = MemoryFixture()
    var shell = shell()
    fixture.type("s", &shell)
    fixture.write("cello", &shell)
    #expect(text(&fixture, &shell).contains("The Workshop: guild facts only"))
    #expect(shell.memory.query.source == .facts)
    let sent = requests(fixture.type("Enter", &shell))
    #expect(sent == [.search(text: "cello", guild: MemoryFixture.workshop)])
    #expect(shell.memory.query.source == .search)
    fixture.type("Esc", &shell)
    #expect(shell.memory.query.source == .facts)
    #expect(shell.memory.query.order == .updated)

    var named = self.shell(guild: MemoryFixture.crew)
    fixture.type("s", &named)
    fixture.write("x", &named)
    #expect(
      requests(fixture.type("Enter", &named)) == [.search(text: "x", guild: MemoryFixture.crew)])
  }

  @Test("a search can be typed while the guilds are on their way, and goes when they are here")
  func searchBeforeTheGuilds() {
    var fixture = MemoryFixture(isLoaded: false)
    var shell = shell()
    fixture.type("s", &shell)
    fixture.write("cello", &shell)
    #expect(requests(fixture.type("Enter", &shell)).isEmpty)
    #expect(text(&fixture, &shell).contains("none is known yet"))
    #expect(shell.memory.isTyping)
    fixture.store.guilds = [MemoryFixture.crew]
    #expect(
      requests(fixture.type("Enter", &shell)) == [.search(text: "cello", guild: MemoryFixture.crew)]
    )

    var none = self.shell()
    fixture.store.guilds = []
    fixture.type("s", &none)
    #expect(!none.memory.isTyping)
  }

  @Test("what it would recall is asked for only after a second Enter")
  func recall() {
    var fixture = MemoryFixture()
    var shell = shell()
    fixture.type("[[ [[", &shell)
    #expect(shell.memory.view == .recall)
    // Walking through the views never ends in a line that takes the keys.
    #expect(!shell.memory.isTyping)
    fixture.type("Enter", &shell)
    fixture.write("what games?", &shell)
    #expect(fixture.type("Enter", &shell).isEmpty)
    #expect(text(&fixture, &shell).contains("may cost the bot's owner money"))
    #expect(fixture.type("y x D", &shell).isEmpty)
    #expect(
      requests(fixture.type("Enter", &shell))
        == [.recall(SnapshotRequest(guildID: MemoryFixture.workshop, queryText: "what games?"))])
  }

  @Test("people, channel and mode of the question are chosen in its form")
  func recallForm() {
    var fixture = MemoryFixture()
    var shell = shell()
    fixture.type("[[ [[", &shell)
    fixture.type("Enter", &shell)
    fixture.write("what games?", &shell)
    // Voice; the first person of the list; no channel.
    fixture.type("Tab Space Tab Enter Down Enter Esc", &shell)
    #expect(text(&fixture, &shell).contains("voice reply"))
    fixture.type("Tab Tab", &shell)
    let sent = requests(fixture.type("Enter", &shell))
    guard case .recall(let question)? = sent.first else {
      Issue.record("\(sent)")
      return
    }
    #expect(question.mode == .voice && question.userID != nil && question.channelID == nil)
    #expect(question.participantIDs.isEmpty)
    #expect(shell.memory.recalled == question)
  }

  @Test("the order is walked with O, and the headings reverse it")
  func order() {
    var fixture = MemoryFixture()
    var shell = shell()
    fixture.type("O O", &shell)
    #expect(shell.memory.query.order == .confidence)
    fixture.type("O O O", &shell)
    #expect(shell.memory.query.order == .updated)
    let frame = fixture.draw(&shell)
    let heading = frame.targets.first { $0.target == .memory(.order(.confidence)) }
    #expect(heading != nil)
    for isReversed in [false, true] {
      fixture.send(
        .mouse(.down(0), column: heading?.area.x ?? 0, row: heading?.area.y ?? 0, []), &shell)
      #expect(shell.memory.query.order == .confidence)
      #expect(shell.memory.query.isReversed == isReversed)
    }
  }

  // MARK: Private facts

  @Test("the owner's facts are masked until asked for, and again when the tab is left")
  func masked() {
    var fixture = MemoryFixture()
    let secret = "third stone"
    for keys in ["", "J", "Tab", "z", "e", "E", "D", "v D", "/", "gr"] {
      var shell = shell()
      shell.memory.query.subject = "__owner__"
      fixture.type(keys, &shell)
      #expect(!text(&fixture, &shell).contains("spare key"), "\(keys)")
      #expect(shell.dialog == nil)
    }
    var fresh = self.shell()
    fresh.memory.query.subject = "__owner__"
    #expect(requests(fixture.type("Enter", &fresh)) == [.loadOwnerPrivate])
    #expect(text(&fixture, &fresh).contains(secret))
    fixture.type("1 4", &fresh)
    #expect(!text(&fixture, &fresh).contains(secret))
  }

  // MARK: Changing

  @Test(
    "e means what is selected, whatever the cursor stands on; a masked fact among it does not go")
  func retypingBesideMasked() {
    var fixture = MemoryFixture()
    var shell = shell()
    shell.memory.selection = [1043, 979]
    shell.memory.cursor.select(id: 2001)
    #expect(fixture.type("e", &shell) == [])
    guard case .retyping? = shell.dialog else {
      Issue.record("\(String(describing: shell.memory.message))")
      return
    }
    var masked = self.shell()
    masked.memory.selection = [1043, 2001]
    masked.memory.cursor.select(id: 1043)
    fixture.type("e", &masked)
    #expect(
      masked.dialog == nil && masked.memory.message?.description.contains("masked") == true)
  }

  @Test("a draft whose fact is gone is a row of its own: e opens it, D has nothing to delete")
  func strayDraft() throws {
    var fixture = MemoryFixture()
    let base = MemoryFixture.fact(77, MemoryFixture.james, "Was here once")
    var edit = try #require(FactEdit(editing: base, target: .guild(MemoryFixture.workshop)))
    edit.fact = "A PRECIOUS text"
    fixture.store.drafts[77] = FactDraft(
      edit: edit, confidenceText: "0.9", base: base, changedAtMs: Fixture.nowMs - 1000)
    var shell = shell()
    let words = text(&fixture, &shell)
    #expect(words.contains("A PRECIOUS") && words.contains("gone"))
    shell.memory.cursor.select(id: 77)
    #expect(text(&fixture, &shell).contains("the fact is gone; this is your"))
    fixture.type("D", &shell)
    #expect(shell.dialog == nil && shell.memory.message == "there is nothing to delete")
    fixture.type("e", &shell)
    guard case .form(let form)? = shell.dialog else {
      Issue.record("no form")
      return
    }
    #expect(form.edit.fact == "A PRECIOUS text")
    #expect(requests(fixture.type("C-x C-d Enter", &shell)).last == .dropDraft(factID: 77))
    fixture.store.drafts[77] = nil
    #expect(!text(&fixture, &shell).contains("PRECIOUS"))
  }

  @Test("a draft is no stray while the lists are still to come, nor one of what is not listed gone")
  func strayLater() throws {
    var fixture = MemoryFixture(isLoaded: false)
    let base = MemoryFixture.fact(77, MemoryFixture.james, "Was here once")
    let edit = try #require(FactEdit(editing: base, target: .guild(MemoryFixture.workshop)))
    let draft = FactDraft(edit: edit, confidenceText: "", base: base, changedAtMs: 1)
    fixture.store.drafts[77] = draft
    #expect(fixture.store.strayDrafts.isEmpty)
    fixture.load(MemoryFixture.facts)
    #expect(fixture.store.isGone(draft) == true)
    fixture.store.coverage[MemoryFixture.workshop]?.isComplete = false
    #expect(fixture.store.isGone(draft) == false)
    var shell = shell()
    #expect(text(&fixture, &shell).contains("not listed"))
    fixture.load([base])
    #expect(fixture.store.strayDrafts.isEmpty)
  }

  @Test("the journal is read anew when it is shown, and r needs no connection for it")
  func journal() {
    var fixture = MemoryFixture()
    var shell = shell()
    fixture.type("j", &shell)
    #expect(requests(fixture.type("g j", &shell)).contains(.loadJournal))
    #expect(fixture.type("r", &shell) == [.refetch])
    fixture.type("] ]", &shell)
    #expect(shell.memory.view == .facts)
    #expect(requests(fixture.type("[ [", &shell)) == [.loadJournal])
    var dead = fixture.facts(shell)
    dead.status.overall = .reconnecting
    let frame = fixture.draw(&shell)
    let effects = shell.handle(.key(.char("r"), []), on: dead, frame: frame)
    #expect(effects == [.memory(.loadJournal), .reconnect])
  }

  @Test("v selects and moves on, e and D open their dialogs, and read-only has none of it")
  func changing() {
    var fixture = MemoryFixture()
    var shell = shell()
    fixture.type("v v", &shell)
    #expect(shell.memory.selection == [1043, 979])
    fixture.type("D", &shell)
    #expect(shell.dialog != nil)
    #expect(shell.isTyping)

    var reading = self.shell()
    for keys in ["e", "E", "D", "v", "u", "U"] {
      #expect(fixture.type(keys, &reading, isReadOnly: true).isEmpty)
      #expect(reading.dialog == nil)
      #expect(reading.memory.selection.isEmpty)
    }
    #expect(fixture.draw(&reading, isReadOnly: true).canvas.text.contains("READ-ONLY"))
  }

  @Test("u takes a held deletion back, and says when none is held")
  func undo() {
    var fixture = MemoryFixture()
    var shell = shell()
    #expect(fixture.type("u", &shell).isEmpty)
    #expect(shell.memory.message != nil)
    fixture.store.deletions = [
      HeldDeletion(
        id: 1, facts: [MemoryFixture.facts[0]], dueNs: Fixture.monotonicNs + 9_000_000_000)
    ]
    #expect(text(&fixture, &shell).contains("1 held 10s u undo"))
    #expect(requests(fixture.type("u", &shell)) == [.undoDeletion])
    #expect(requests(fixture.type("U", &shell)) == [.deleteNow])
  }

  @Test("g r shows where a fact comes from, and Enter goes to the row that wrote it")
  func provenance() throws {
    var fixture = MemoryFixture(isLoaded: false)
    fixture.base = Fixture(
      rows: Fixture.story + [
        Fixture.row(
          40, "14:32:00.000", "memory_fact", content: "Prefers tea to coffee",
          metadata: #"{"factId":1,"reason":"added_new","source":"memory_tool"}"#)
      ])
    fixture.load([MemoryFixture.fact(1, MemoryFixture.james, "Prefers tea to coffee")])
    var shell = shell()
    fixture.type("gr", &shell)
    #expect(shell.memory.focus == .detail)
    #expect(text(&fixture, &shell).contains("written: added_new"))
    fixture.type("j", &shell)
    fixture.type("Enter", &shell)
    #expect(shell.tab == .pulse)
    #expect(shell.pulse.cursor != nil)
    // And back.
    fixture.type("gr", &shell)
    #expect(shell.tab == .memory)
    _ = fixture.draw(&shell)
    #expect(shell.memory.cursor.id == 1)
    #expect(shell.memory.wantedFact == nil)
  }

  @Test("a fact that another tab wants is found behind a filter, waited for, or said to be missing")
  func wanted() {
    var fixture = MemoryFixture()
    var shell = shell()
    shell.memory.query.filter = "type:guidance"
    shell.memory.query.guild = MemoryFixture.crew
    shell.memory.reveal(FactReference(id: 977, subject: "__lore__", fact: "?"))
    _ = fixture.draw(&shell)
    _ = fixture.draw(&shell)
    #expect(shell.memory.cursor.id == 977)
    #expect(shell.memory.wantedFact == nil)

    shell.memory.reveal(FactReference(id: nil, subject: nil, fact: "Game night is on  Fridays"))
    _ = fixture.draw(&shell)
    #expect(shell.memory.cursor.id == 979)

    shell.memory.reveal(FactReference(id: 4711, subject: "x", fact: "Was deleted"))
    _ = fixture.draw(&shell)
    #expect(shell.memory.message?.description.contains("Was deleted") == true)
    #expect(shell.memory.wantedFact == nil)

    var loading = MemoryFixture(isLoaded: false)
    var waiting = self.shell()
    waiting.memory.reveal(FactReference(id: 977, subject: nil, fact: "?"))
    _ = loading.draw(&waiting)
    #expect(waiting.memory.wantedFact != nil)
    loading.load(MemoryFixture.facts)
    _ = loading.draw(&waiting)
    #expect(waiting.memory.cursor.id == 977)
  }

  @Test(
    "no key and no paste writes anything without a dialog's consent",
    arguments: [1, 2, 3] as [UInt64])
  func mashing(seed: UInt64) {
    var state = seed
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let keys: [Key] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ[]{}/&\\ ".map(Key.char) + [
        .escape, .tab, .up, .down, .pageDown, .home, .end, .backspace,
      ]
    var fixture = MemoryFixture()
    var shell = shell(Size(width: 80, height: 24))
    for _ in 0..<400 {
      var effects: [Effect] = []
      if next(12) == 0 {
        effects = fixture.send(.paste("D\ny\nyes\n2\n"), &shell)
      } else {
        effects = fixture.send(.key(keys[next(keys.count)], []), &shell)
      }
      shell.tab = .memory
      shell.layers.remove(HelpOverlay.self)
      for request in requests(effects) {
        switch request {
        case .send, .delete, .deleteNow, .retype:
          Issue.record("\(request) after random keys, seed \(seed)")
        default: break
        }
      }
    }
  }
}
