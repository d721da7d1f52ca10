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
const groupKeys = (rooms: Rooms, findPin?: Parameters<typeof groupRooms>[1]) =>
  groupRooms(rooms, findPin)
    .map((group) => group.map((index) => rooms[index]?.key ?? '').sort())
    .sort()

describe('rooms of one property', () => {
  test('two rooms of one vendor never match the same room of another: the better fit wins', () => {
    const rooms = [room('a', 'Deluxe Room'), room('a', 'Deluxe King'), room('b', 'DELUXE KING')]
    expect(groupKeys(rooms)).toEqual([['a:Deluxe King', 'b:DELUXE KING'], ['a:Deluxe Room']])
  })

  test('if two rooms fit equally well, neither is matched and the group reports doubt', () => {
    const rooms = [room('a', 'Deluxe Room'), room('b', 'Deluxe King'), room('b', 'Deluxe Twin')]
    expect(groupKeys(rooms)).toHaveLength(3)
    const groups = rooms.map((single) => [single])
    expect(keptSeparateBy(groups[0] ?? [], groups, () => undefined)).toEqual(['doubt'])
  })

  test('identical rooms of one vendor are grouped first', () => {
    const rooms = [room('a', 'Twin Room'), room('b', 'Twin Room - Room Only'), room('b', 'Twin Room - Breakfast')]
    expect(groupKeys(rooms)).toEqual([['a:Twin Room', 'b:Twin Room - Breakfast', 'b:Twin Room - Room Only']])
  })

  test('a room with one large bed and a room for two stay separate, but each matches its partner', () => {
    const rooms = ['a', 'b'].flatMap((vendor) =>
      ['Camera Doppia', 'Camera Matrimoniale'].map((name) => room(vendor, name)),
    )
    expect(groupKeys(rooms)).toEqual([
      ['a:Camera Doppia', 'b:Camera Doppia'],
      ['a:Camera Matrimoniale', 'b:Camera Matrimoniale'],
    ])
  })

  test('a room known only from an offer joins the best-fitting listed room of its vendor, or stays separate', () => {
    const unlisted = (name: string) => ({ ...room('b', name), isListed: false })
    const rooms = [
      room('a', 'Twin Room'),
      room('b', 'Twin Room, 2 Single Beds, Non Smoking'),
      room('b', 'Suite, 1 King Bed'),
      room('b', 'Suite, 2 Queen Beds'),
      unlisted('TWIN - Room Only'),
      unlisted('Suite'),
    ]
    expect(groupKeys(rooms)).toEqual([
      ['a:Twin Room', 'b:TWIN - Room Only', 'b:Twin Room, 2 Single Beds, Non Smoking'],
      ['b:Suite'],
      ['b:Suite, 1 King Bed'],
      ['b:Suite, 2 Queen Beds'],
    ])
  })

  test('an operator’s split applies to a known group, and its other rooms stay together', () => {
    const rooms = [room('a', 'Twin Room', 'g'), room('b', 'Twin', 'g'), room('c', 'Twin Room', 'g')]
    const split = (a: string, b: string) => ([a, b].includes('b:Twin') ? 'split' : undefined)
    expect(groupKeys(rooms)).toHaveLength(1)
    expect(groupKeys(rooms, split)).toEqual([['a:Twin Room', 'c:Twin Room'], ['b:Twin']])
  })

  test('the grouping does not depend on the order of vendors and rooms', () => {
    const names = ['Deluxe Room', 'Deluxe King', 'Deluxe Twin', 'Deluxe King, Sea View', 'Suite', 'Standard Double']
    const rooms = ['a', 'b', 'c'].flatMap((vendorId) => names.map((name) => room(vendorId, name)))
    const expected = groupKeys(rooms)
    expect(expected).toHaveLength(names.length)
    fc.assert(
      fc.property(fc.shuffledSubarray(rooms, { minLength: rooms.length }), (shuffled) => {
        expect(groupKeys(shuffled)).toEqual(expected)
      }),
      { numRuns: 30 },
    )
  })

  test('known groups of rooms stay together and are never joined with each other', () => {
    const rooms = [room('a', 'Suite', 'one'), room('b', 'Double Room', 'one'), room('c', 'Suite', 'two')]
    expect(groupKeys(rooms)).toEqual([['a:Suite', 'b:Double Room'], ['c:Suite']])
  })

  test('an operator’s split and join of rooms override the rules and are reported', () => {
    const rooms = [room('a', 'Suite'), room('b', 'Suite'), room('b', 'Rooftop Room')]
    const findPin = (a: string, b: string) => {
      const pair = [a, b].sort().join(' ')
      return pair === 'a:Suite b:Suite' ? 'split' : pair === 'a:Suite b:Rooftop Room' ? 'join' : undefined
    }
    expect(groupKeys(rooms, findPin)).toEqual([['a:Suite', 'b:Rooftop Room'], ['b:Suite']])
    const [a, b, c] = rooms as [Rooms[0], Rooms[0], Rooms[0]]
    expect(matchedBy([a, c], findPin)).toEqual(['operator'])
    expect(keptSeparateBy([a, c], [[a, c], [b]], findPin)).toEqual(['operator'])
  })
})

describe('the assignment', () => {
  test('the assignment has the highest sum of all possible assignments', () => {
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

  test('the assignment gives up the best pair if the total is better', () => {
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
