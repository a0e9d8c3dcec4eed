import Foundation

/// What another program computed: `Vectors/make.py`.
struct Vectors: Decodable {
  struct RankCase: Decodable {
    var n: Int
    var p: Double
    var ranks: [Int]?
  }
  struct QuantileCase: Decodable {
    var sample: [Double]
    var p: Double
    var value: Double
  }
  struct NormalCase: Decodable {
    var p: Double
    var z: Double
    var back: Double
  }
  struct WilsonCase: Decodable {
    var hits: Int
    var n: Int
    var low: Double
    var high: Double
  }
  struct NewcombeCase: Decodable {
    var a: [Int]
    var b: [Int]
    var value: Double
    var low: Double
    var high: Double
  }
  struct GarwoodCase: Decodable {
    var count: Int
    var low: Double
    var high: Double
  }
  struct RateCase: Decodable {
    var x: Int
    var t: Double
    var y: Int
    var u: Double
    var p: Double
    var low: Double
    /// -1 stands for no bound.
    var high: Double
  }
  struct RankTestCase: Decodable {
    var a: [Double]
    var b: [Double]
    var u: Double
    var p: Double
    var widened: Double
  }
  struct ShiftCase: Decodable {
    var a: [Double]
    var b: [Double]
    var ratio: Double
    var plain: [Double]
    var widened: [Double]
  }
  struct LagCase: Decodable {
    var series: [[Double]]
    var rho: Double
  }
  struct ChangeCase: Decodable {
    var series: [Double]
    var index: Int
    var p: Double
  }
  struct DrawnCase: Decodable {
    var samples: [[Double]]
    var drawn: [Double]
    var low: Double
    var high: Double
  }
  struct FisherCase: Decodable {
    var a: [Int]
    var b: [Int]
    var p: Double
  }

  var ranks: [RankCase]
  var quantiles: [QuantileCase]
  var normal: [NormalCase]
  var wilson: [WilsonCase]
  var newcombe: [NewcombeCase]
  var garwood: [GarwoodCase]
  var rates: [RateCase]
  var mannwhitney: [RankTestCase]
  var hodges: [ShiftCase]
  var lag: [LagCase]
  var pettitt: [ChangeCase]
  var bca: [DrawnCase]
  var fisher: [FisherCase]

  init() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Vectors/vectors.json")
    self = try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file))
  }
}

/// Equal to nine digits.
func isNear(_ value: Double, _ wanted: Double) -> Bool {
  abs(value - wanted) <= 1e-9 * max(1, abs(wanted))
}
