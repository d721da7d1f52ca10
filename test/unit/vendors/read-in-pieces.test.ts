import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ListShape, readInPieces } from '../../../src/vendors/read-in-pieces.ts'

const FLAT: ListShape = { path: [], opening: '[', item: '{"id":' }
const NESTED: ListShape = { path: ['hotels', 'hotels'], opening: '"hotels":[', item: '{"code":', thenDigit: true }

/** What reading it whole gives; `undefined` when it is no JSON. */
function whole(text: string, { path }: ListShape): unknown {
  try {
    return path.reduce<unknown>((at, name) => (at as Record<string, unknown> | null)?.[name], JSON.parse(text))
  } catch {
    return undefined
  }
}

/** What reading it in pieces gives; the caller reads it whole where there are none. */
function inPieces(text: string, shape: ListShape): unknown {
  const pieces = readInPieces(Buffer.from(text), shape)
  if (pieces === undefined) return whole(text, shape)
  try {
    return [...pieces.items]
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError)
    return undefined
  }
}

/** Texts that look like the end of one item and the beginning of the next. */
const tricky = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('},{"id":', '"},{"id":"', '},{"code":1', '}]', '[', '"hotels":[', '\\', '"', 'é', '東京', '🏨'),
)
/** Long enough that a few of them are a piece. */
const long = fc.nat(3).map((times) => 'x'.repeat(times * 6_000))
const inner = fc.array(fc.record({ code: tricky, id: tricky, name: tricky }), { maxLength: 3 })
const flatItem = fc.record({ id: tricky, rooms: inner, name: tricky, long })
const hotel = fc.record({ code: fc.oneof(fc.nat(), tricky), name: tricky, rooms: inner, currency: tricky, long })

describe('read item by item', () => {
  test('a list is what it is when it is read whole, whatever its texts look like', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(flatItem, fc.jsonValue()), { maxLength: 6 }), fc.nat(1), (list, indent) => {
        const text = JSON.stringify(list, undefined, indent)
        expect(inPieces(text, FLAT)).toEqual(whole(text, FLAT))
      }),
    )
  })

  test('so is a list inside, whatever stands around it', () => {
    fc.assert(
      fc.property(fc.array(hotel, { maxLength: 6 }), tricky, fc.jsonValue(), (hotels, said, after) => {
        const text = JSON.stringify({ audit: said, hotels: { hotels, total: hotels.length, after } })
        expect(inPieces(text, NESTED)).toEqual(JSON.parse(text).hotels.hotels)
      }),
    )
  })

  test('one that is cut off or damaged is damaged either way', () => {
    const list = fc.array(flatItem, { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(list, fc.nat(), fc.nat(255), (items, place, byte) => {
        const bytes = Buffer.from(JSON.stringify(items))
        const at = place % bytes.length
        const cut = bytes.subarray(0, at).toString('utf8')
        expect(inPieces(cut, FLAT)).toEqual(whole(cut, FLAT))
        bytes[at] = byte
        const damaged = bytes.toString('utf8')
        expect(inPieces(damaged, FLAT)).toEqual(whole(damaged, FLAT))
      }),
      { numRuns: 500 },
    )
  })
})

test('a list as vendors write it is never parsed whole', () => {
  const name = 'x'.repeat(2_000)
  const hotels = Array.from({ length: 50 }, (_, code) => ({ code, name, rooms: [{ code: 'A' }, { code: 'B' }] }))
  const text = JSON.stringify({ hotels: { hotels, total: 50 } })
  const longest: number[] = []
  const parse = JSON.parse
  JSON.parse = (piece: string) => {
    longest.push(piece.length)
    return parse(piece)
  }
  try {
    expect([...(readInPieces(Buffer.from(text), NESTED)?.items ?? [])]).toHaveLength(50)
  } finally {
    JSON.parse = parse
  }
  expect(Math.max(...longest)).toBeLessThan(text.length / 4)
})

test.each(['', '{}', '[]', 'null', '{"hotels":{"total":0}}', '{"hotels":[{"code":1}]}', '<html>[{}]</html>'])(
  'in %j there is no list of that kind',
  (text) => {
    expect(readInPieces(Buffer.from(text), NESTED)).toBeUndefined()
  },
)
