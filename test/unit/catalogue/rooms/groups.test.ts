import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assignRooms, bestAssignment, type Edge } from '../../../../src/catalogue/rooms/assign-rooms.ts'
import { groupRooms, keptSeparateBy, matchedBy } from '../../../../src/catalogue/rooms/group-rooms.ts'
import { readAttributes } from '../../../../src/catalogue/rooms/read-attributes.ts'

const room = (vendorId: string, name: string, groupId?: string) => ({
  key: `${vendorId}:${name}`,
  vendorId,
  isListed: true,
  attributes: readAttributes({ name }),
  groupId,
})
type Rooms = ReturnType<typeof room>[]
const groupsOf = (rooms: Rooms, findPin?: Parameters<typeof groupRooms>[1]) =>
  groupRooms(rooms, findPin)
    .map((group) => group.map((at) => rooms[at]?.key ?? '').sort())
    .sort()

describe('rooms of one property', () => {
  test('two rooms of one vendor never land in one room of the other: the better fit gets it', () => {
    const rooms = [room('a', 'Deluxe Room'), room('a', 'Deluxe King'), room('b', 'DELUXE KING')]
    expect(groupsOf(rooms)).toEqual([['a:Deluxe King', 'b:DELUXE KING'], ['a:Deluxe Room']])
  })

  test('where two fit equally well, neither is matched, and the group says so', () => {
    const rooms = [room('a', 'Deluxe Room'), room('b', 'Deluxe King'), room('b', 'Deluxe Twin')]
    expect(groupsOf(rooms)).toHaveLength(3)
    const groups = rooms.map((one) => [one])
    expect(keptSeparateBy(groups[0] ?? [], groups, () => undefined)).toEqual(['doubt'])
  })

  test('identical rooms of one vendor are one before anything else', () => {
    const rooms = [room('a', 'Twin Room'), room('b', 'Twin Room - Room Only'), room('b', 'Twin Room - Breakfast')]
    expect(groupsOf(rooms)).toEqual([['a:Twin Room', 'b:Twin Room - Breakfast', 'b:Twin Room - Room Only']])
  })

  test('a vendor’s room with one large bed and its room for two are not identical, but each finds its partner', () => {
    const rooms = ['a', 'b'].flatMap((vendor) =>
      ['Camera Doppia', 'Camera Matrimoniale'].map((name) => room(vendor, name)),
    )
    expect(groupsOf(rooms)).toEqual([
      ['a:Camera Doppia', 'b:Camera Doppia'],
      ['a:Camera Matrimoniale', 'b:Camera Matrimoniale'],
    ])
  })

  test('a room that only an offer names is the described room of its vendor that it fits best, or its own', () => {
    const unlisted = (name: string) => ({ ...room('b', name), isListed: false })
    const rooms = [
      room('a', 'Twin Room'),
      room('b', 'Twin Room, 2 Single Beds, Non Smoking'),
      room('b', 'Suite, 1 King Bed'),
      room('b', 'Suite, 2 Queen Beds'),
      unlisted('TWIN - Room Only'),
      unlisted('Suite'),
    ]
    expect(groupsOf(rooms)).toEqual([
      ['a:Twin Room', 'b:TWIN - Room Only', 'b:Twin Room, 2 Single Beds, Non Smoking'],
      ['b:Suite'],
      ['b:Suite, 1 King Bed'],
      ['b:Suite, 2 Queen Beds'],
    ])
  })

  test('an operator’s split counts for rooms that are known to be one, and the others stay so', () => {
    const rooms = [room('a', 'Twin Room', 'g'), room('b', 'Twin', 'g'), room('c', 'Twin Room', 'g')]
    const split = (a: string, b: string) => ([a, b].includes('b:Twin') ? 'split' : undefined)
    expect(groupsOf(rooms)).toHaveLength(1)
    expect(groupsOf(rooms, split)).toEqual([['a:Twin Room', 'c:Twin Room'], ['b:Twin']])
  })

  test('the result does not depend on the order of vendors and rooms', () => {
    const names = ['Deluxe Room', 'Deluxe King', 'Deluxe Twin', 'Deluxe King, Sea View', 'Suite', 'Standard Double']
    const rooms = ['a', 'b', 'c'].flatMap((vendorId) => names.map((name) => room(vendorId, name)))
    const expected = groupsOf(rooms)
    expect(expected).toHaveLength(names.length)
    fc.assert(
      fc.property(fc.shuffledSubarray(rooms, { minLength: rooms.length }), (shuffled) => {
        expect(groupsOf(shuffled)).toEqual(expected)
      }),
      { numRuns: 30 },
    )
  })

  test('known groups stay together and are never joined with each other', () => {
    const rooms = [room('a', 'Suite', 'one'), room('b', 'Double Room', 'one'), room('c', 'Suite', 'two')]
    expect(groupsOf(rooms)).toEqual([['a:Suite', 'b:Double Room'], ['c:Suite']])
  })

  test('an operator’s split and join beat the rules, and are named', () => {
    const rooms = [room('a', 'Suite'), room('b', 'Suite'), room('b', 'Rooftop Room')]
    const findPin = (a: string, b: string) => {
      const pair = [a, b].sort().join(' ')
      return pair === 'a:Suite b:Suite' ? 'split' : pair === 'a:Suite b:Rooftop Room' ? 'join' : undefined
    }
    expect(groupsOf(rooms, findPin)).toEqual([['a:Suite', 'b:Rooftop Room'], ['b:Suite']])
    const [a, b, c] = rooms as [Rooms[0], Rooms[0], Rooms[0]]
    expect(matchedBy([a, c], findPin)).toEqual(['operator'])
    expect(keptSeparateBy([a, c], [[a, c], [b]], findPin)).toEqual(['operator'])
  })
})

describe('the assignment', () => {
  test('has the highest sum of all assignments, as trying every one shows', () => {
    const edge = fc.record({ a: fc.nat(4), b: fc.nat(4), score: fc.nat(20) })
    fc.assert(
      fc.property(fc.uniqueArray(edge, { selector: ({ a, b }) => `${a} ${b}`, maxLength: 14 }), (edges) => {
        const chosen = bestAssignment(edges)
        expect(new Set(chosen.map(({ a }) => a)).size).toBe(chosen.length)
        expect(new Set(chosen.map(({ b }) => b)).size).toBe(chosen.length)
        expect(chosen.reduce((sum, { score }) => sum + score, 0)).toBe(bestSum(edges))
      }),
      { numRuns: 300 },
    )
  })

  test('leaves the best pair to others where the whole is better', () => {
    const edges = [
      { a: 0, b: 0, score: 10 },
      { a: 0, b: 1, score: 9 },
      { a: 1, b: 0, score: 9 },
    ]
    expect(
      assignRooms(edges)
        .map(({ a, b }) => `${a}${b}`)
        .sort(),
    ).toEqual(['01', '10'])
  })
})

function bestSum(edges: readonly Edge[]): number {
  const [first, ...rest] = edges
  if (first === undefined) return 0
  const free = rest.filter(({ a, b }) => a !== first.a && b !== first.b)
  return Math.max(bestSum(rest), first.score + bestSum(free))
}
