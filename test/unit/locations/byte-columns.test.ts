import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packColumns } from '../../../scripts/locations/pack-columns.ts'
import { openColumns } from '../../../src/locations/byte-columns.ts'

test('every column is unpacked unchanged', () => {
  const u32 = fc.array(fc.integer({ min: 0, max: 2 ** 32 - 1 }))
  const i32 = fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }))
  const u16 = fc.array(fc.integer({ min: 0, max: 65_535 }))
  fc.assert(
    fc.property(u32, i32, u16, fc.uint8Array(), (a, b, c, d) => {
      const columns = { a: Uint32Array.from(a), b: Int32Array.from(b), c: Uint16Array.from(c), d }
      const file = openColumns(packColumns({ version: 'once' }, columns))
      expect(file.meta).toEqual({ version: 'once' })
      expect(file.column('a', 'u32')).toEqual(columns.a)
      expect(file.column('b', 'i32')).toEqual(columns.b)
      expect(file.column('c', 'u16')).toEqual(columns.c)
      expect([...file.column('d', 'u8')]).toEqual([...d])
    }),
  )
})

test('bytes that are not a location file are refused, complete or truncated', () => {
  expect(() => openColumns(Buffer.from('not at all'))).toThrow('not a location file')
  expect(() => openColumns(new Uint8Array())).toThrow('not a location file')
  const cut = packColumns({}, { a: Uint32Array.of(1, 2, 3) }).subarray(0, -1)
  expect(() => openColumns(cut).column('a', 'u32')).toThrow('ends inside column a')
})

test('a missing column or one of another type is named in the error', () => {
  const file = openColumns(packColumns({}, { a: Uint32Array.of(1) }))
  expect(() => file.column('b', 'u32')).toThrow('no column b')
  expect(() => file.column('a', 'u16')).toThrow('no column a of u16')
})
