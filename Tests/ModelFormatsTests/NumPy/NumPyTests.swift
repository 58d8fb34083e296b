import Manifests
import ModelFormats
import Testing

/// The bytes of a NumPy array, as `numpy.save` writes them.
func array(_ header: String, data: Int, version: UInt8 = 1) -> [UInt8] {
  let length = Files.number(UInt64(header.utf8.count), bytes: version == 1 ? 2 : 4)
  return [0x93] + Array("NUMPY".utf8) + [version, 0] + length + Array(header.utf8)
    + [UInt8](repeating: 7, count: data)
}

struct NumPyTests {
  @Test(arguments: [
    ("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }  \n", 24),
    ("{'shape': (), 'fortran_order': True, 'descr': '|b1'}", 1),
    ("{'descr': '<U3', 'fortran_order': False, 'shape': (2,), }", 24),
    ("{'descr': '<M8[ns]', 'fortran_order': False, 'shape': (2L,), }", 16),
    ("{'descr': [('a', '<f4'), ('b', '|u1', (3,))], 'fortran_order': False, 'shape': (2,), }", 14),
    ("{'descr': '<c16', 'fortran_order': False, 'shape': (0, 5), }", 0),
    ("{'descr': '|S7', 'fortran_order': False, 'shape': (1,), }", 7),
  ])
  func `a right array has no fault`(header: String, data: Int) throws {
    for version: UInt8 in [1, 2, 3] {
      #expect(try inspect("m.npy", array(header, data: data, version: version)).problemCode == nil)
    }
    #expect(try inspect("m.npy", array(header, data: data + 1)).problemCode == "trailingBytes")
    if data > 0 {
      #expect(try inspect("m.npy", array(header, data: data - 1)).problemCode == "truncated")
    }
  }

  @Test(arguments: [
    ("objects", "{'descr': '|O', 'fortran_order': False, 'shape': (2,), }", "unsafeCode"),
    (
      "objects in records",
      "{'descr': [('a', '<f4'), ('b', '|O')], 'fortran_order': False, 'shape': (2,), }",
      "unsafeCode"
    ),
    (
      "another member", "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'x': 1}",
      "badEncoding"
    ),
    (
      "a member twice", "{'descr': '<f4', 'descr': '|O', 'fortran_order': False, 'shape': (2,)}",
      "badEncoding"
    ),
    ("a member missing", "{'descr': '<f4', 'shape': (2,)}", "badEncoding"),
    ("a call", "{'descr': eval('1'), 'fortran_order': False, 'shape': (2,)}", "badEncoding"),
    (
      "a negative dimension", "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}",
      "badEncoding"
    ),
    (
      "a shape of 2^64",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", "badShape"
    ),
    (
      "a size of 2^64", "{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904,)}",
      "overflow"
    ),
    ("an unknown type", "{'descr': '<q8', 'fortran_order': False, 'shape': (2,)}", "badType"),
    (
      "an order that is no boolean", "{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}",
      "badType"
    ),
    (
      "deep nesting",
      "{'descr': \(String(repeating: "(", count: 5_000)), 'fortran_order': 0, 'shape': (2,)}",
      "badEncoding"
    ),
    ("too long", String(repeating: " ", count: 10_001), "tooLong"),
  ])
  func `a header that numpy did not write is refused`(name: String, header: String, code: String)
    throws
  {
    #expect(try inspect("m.npy", array(header, data: 16)).problemCode == code)
  }

  @Test func `another version is refused`() throws {
    #expect(
      try inspect("m.npy", array("{}", data: 0, version: 4)).problemCode == "unsupportedVersion"
    )
  }

  static let right = array(
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }",
    data: 8
  )
  private static let objects = array(
    "{'descr': '|O', 'fortran_order': False, 'shape': (2,), }",
    data: 8
  )

  @Test func `the arrays of an archive are checked`() throws {
    let found = try inspect("m.npz", ZipFixture([ZipFixture.Entry("a.npy", Self.right)]).bytes)
    #expect(found.problemCode == nil)
    #expect(found.format.types == ["<f4"])
    #expect(found.format.more["names"] == .list(["a.npy"]))
    #expect(
      try inspect("m.npz", ZipFixture([ZipFixture.Entry("a.npy", Self.objects)]).bytes).problemCode
        == "unsafeCode"
    )
    #expect(
      try inspect("m.npz", ZipFixture([ZipFixture.Entry("a.npy", Self.right + [0])]).bytes)
        .problemCode == "trailingBytes"
    )
    #expect(
      try inspect("m.npz", ZipFixture([ZipFixture.Entry("a.txt", "x")]).bytes).warningCodes == [
        .unknownField
      ]
    )
    #expect(
      try inspect("m.npz", ZipFixture([ZipFixture.Entry("a.npy", "x")]).bytes).problemCode
        == "badMagic"
    )
  }

  @Test func `packed arrays are unpacked as far as their headers go`() throws {
    for (content, code) in [(Self.right, nil), (Self.objects, "unsafeCode")] as [([UInt8], String?)]
    {
      var entry = ZipFixture.Entry("a.npy", Self.stored(content))
      entry.method = 8
      entry.size = UInt64(content.count)
      #expect(try inspect("m.npz", ZipFixture([entry]).bytes).problemCode == code)
    }
    for (packed, size) in [(Self.zeros, 4_128), (Self.letters, 528)] as [([UInt8], UInt64)] {
      var entry = ZipFixture.Entry("a.npy", packed)
      entry.method = 8
      entry.size = size
      #expect(try inspect("m.npz", ZipFixture([entry]).bytes).problemCode == nil)
      entry.size = size - 1
      #expect(try inspect("m.npz", ZipFixture([entry]).bytes).problemCode == "truncated")
      entry.content = [7] + packed.dropFirst()
      #expect(try inspect("m.npz", ZipFixture([entry]).bytes).problemCode == "badEncoding")
    }
  }

  /// One block of Deflate that holds the bytes as they are.
  private static func stored(_ content: [UInt8]) -> [UInt8] {
    let length = UInt16(content.count)
    return [1] + Files.number(UInt64(length), bytes: 2) + Files.number(UInt64(~length), bytes: 2)
      + content
  }

  /// 1,000 zeros of type `<f4` with their header, packed by zlib with the fixed codes.
  private static let zeros: [UInt8] = [
    155, 236, 23, 234, 27, 16, 201, 200, 80, 198, 80, 173, 158, 146, 90, 156, 92, 164, 110, 165,
    160, 110, 147, 102,
    162, 174, 163, 160, 158, 150, 95, 84, 82, 148, 152, 23, 159, 95, 148, 146, 10, 18, 119, 75, 204,
    41, 78, 5,
    138, 23, 103, 36, 22, 164, 2, 249, 26, 134, 6, 6, 6, 58, 154, 58, 10, 181, 10, 228, 2, 46, 134,
    81,
    48, 10, 70, 193, 40, 24, 5, 163, 96, 20, 140, 130, 81, 48, 10, 70, 193, 40, 24, 5, 163, 96, 20,
    12,
    56, 0, 0,
  ]

  /// 400 bytes of type `|u1` with their header, packed by zlib with codes of the block's own.
  private static let letters: [UInt8] = [
    157, 80, 187, 78, 196, 48, 16, 60, 90, 190, 34, 157, 65, 74, 113, 72, 87, 241, 1, 116, 32, 26,
    10, 42,
    52, 179, 27, 68, 129, 56, 148, 112, 215, 0, 95, 193, 15, 227, 153, 37, 247, 1, 172, 226, 200,
    94, 143, 231,
    177, 63, 119, 15, 183, 247, 143, 103, 155, 227, 230, 179, 229, 180, 196, 220, 174, 135, 246,
    117, 184, 106, 227, 208,
    158, 247, 243, 199, 140, 183, 167, 253, 156, 147, 250, 55, 120, 93, 166, 222, 95, 94, 240, 62,
    245, 243, 197, 110,
    187, 29, 47, 199, 225, 123, 248, 119, 157, 35, 3, 76, 38, 18, 68, 0, 140, 32, 1, 132, 126, 217,
    151, 110,
    217, 23, 212, 160, 62, 70, 63, 134, 222, 80, 144, 190, 205, 21, 42, 20, 107, 131, 222, 21, 78,
    164, 170, 20,
    185, 97, 20, 140, 98, 9, 171, 195, 202, 93, 208, 42, 34, 163, 20, 11, 45, 190, 180, 186, 90,
    165, 104, 74,
    11, 165, 21, 5, 145, 42, 20, 165, 78, 149, 198, 74, 171, 245, 12, 58, 159, 163, 217, 238, 9,
    111, 194, 30,
    220, 67, 176, 19, 96, 245, 205, 162, 78, 93, 123, 50, 168, 57, 120, 78, 14, 226, 71, 52, 75, 89,
    150, 148,
    28, 209, 101, 170, 44, 191, 180, 133, 202, 90, 77, 251, 252, 219, 104, 253, 2,
  ]
}
