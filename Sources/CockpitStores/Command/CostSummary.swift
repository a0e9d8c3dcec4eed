/// What the bot costs, from the rows that are kept and from the backend's daily sums. US dollars.
///
/// A value that is not known is nil, never 0: a log that does not reach back six hours
/// has no rate over six hours.
package struct CostSummary: Hashable, Sendable {
  /// What stands in `byModel` for rows that name none.
  package static let noModel = CostDay.noModel

  /// One UTC day.
  package struct Day: Hashable, Sendable {
    /// Days since 1970-01-01, UTC.
    package var number: Int
    package var usd: Double

    package init(number: Int, usd: Double) {
      self.number = number
      self.usd = usd
    }
  }

  /// One model, or one kind, of today.
  package struct Share: Hashable, Sendable {
    /// Words of the backend; not sanitised.
    package var name: String
    package var usd: Double
    package var calls: Int
    package var tokens: Tokens

    package init(name: String, usd: Double, calls: Int, tokens: Tokens = Tokens()) {
      self.name = name
      self.usd = usd
      self.calls = calls
      self.tokens = tokens
    }
  }

  package struct Tokens: Hashable, Sendable {
    package var input = 0
    package var output = 0
    package var cacheRead = 0
    package var cacheWrite = 0
    /// Input that may have come from the cache, what did among it (`CachedInput`).
    package var asked = 0

    package init() {}

    /// The share of the input that came from the cache; nil where no call says.
    package var cacheShare: Double? {
      asked > 0 ? min(1, Double(cacheRead) / Double(asked)) : nil
    }
  }

  /// What is spent in an hour, over a window that ends now.
  package struct Rate: Hashable, Sendable {
    /// How the window came about.
    package enum Window: Hashable, Sendable {
      /// The last so many milliseconds.
      case last
      /// The UTC day so far.
      case today
    }

    /// The windows that are meant, in ms: 15 minutes and six hours.
    package static let shortMs: Int64 = 900_000
    package static let longMs: Int64 = 21_600_000

    package var usdPerHour: Double
    /// The length of the window.
    package var overMs: Int64
    package var window: Window

    package init(usdPerHour: Double, overMs: Int64, window: Window = .last) {
      self.usdPerHour = usdPerHour
      self.overMs = overMs
      self.window = window
    }

    init(usd: Double, overMs: Int64, window: Window = .last) {
      self.init(
        usdPerHour: usd * 3_600_000 / Double(overMs), overMs: overMs, window: window)
    }
  }

  /// At midnight UTC, if it goes on as lately; `CostForecaster` says how it is made.
  package struct Forecast: Hashable, Sendable {
    /// What it was made from.
    package enum Basis: Hashable, Sendable {
      /// So many of the last hours.
      case hours(Int)
      /// The present rate, which is over so many milliseconds.
      case rate(overMs: Int64)
      /// So many earlier days: the rows do not reach back far enough.
      case days(Int)
    }

    package var usd: Double
    /// Holds the truth four times in five; nil where too few hours are known.
    package var interval: ClosedRange<Double>?
    /// So many of the last hours the interval is from.
    package var hours: Int?
    package var basis: Basis

    package init(
      usd: Double, interval: ClosedRange<Double>? = nil, hours: Int? = nil, basis: Basis
    ) {
      self.usd = usd
      self.interval = interval
      self.hours = interval == nil ? nil : hours
      self.basis = basis
    }
  }

  /// Today, UTC: 0 when the day has no row yet; nil before the first statistics.
  package var today: Double?
  /// All rows that the backend retains.
  package var retained: Double?
  /// Oldest first, 14 entries that end today; nil where the backend names no such day: it cost
  /// nothing, or lies before the first row.
  package var days: [Double?] = []
  /// Over the last 15 minutes; while less is known, over what is, a minute at least.
  package var rate: Rate?
  /// Over the last six hours; while less is known, over what is, or the UTC day so far. Nil where that
  /// is no longer than the other.
  package var longRate: Rate?
  /// Since when what is needed for a rate is known; nil while nothing is.
  package var measuredFromMs: Int64?
  package var forecast: Forecast?
  /// Of the known rows of today, dearest first.
  package var byModel: [Share] = []
  package var byKind: [Share] = []
  /// Whether the known rows reach back to midnight UTC: else the shares are of a part of the day.
  package var coversToday = false
  /// Today, of the known rows.
  package var tokens = Tokens()
  /// Calls of today that came with no price, as those of an OAuth account do.
  package var freeCalls = 0

  package init() {}
}
