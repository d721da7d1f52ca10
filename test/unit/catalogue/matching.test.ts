import { describe, expect, test } from 'vitest'
import { assignMatches, type MatchNode, type MatchPair } from '../../../src/catalogue/matching/assign-matches.ts'
import { compareTraits, MATCH_ODDS } from '../../../src/catalogue/matching/compare-traits.ts'
import { getMatchTraits, toMatchFacts } from '../../../src/catalogue/matching/match-traits.ts'
import { pairNeighbours } from '../../../src/catalogue/matching/pair-neighbours.ts'
import type { VendorProperty } from '../../../src/domain/property/property.ts'
import { aVendorProperty, north, PARIS_CENTRE } from './a-vendor-property.ts'

const makeTraits = (some: Partial<VendorProperty>) => getMatchTraits(toMatchFacts(aVendorProperty(some)))
const NOWHERE = { line1: '', line2: '', city: 'Paris', region: '', postalCode: '', countryCode: 'FR' }

/** Two vendors' names at the given distance, without other evidence. */
function odds(a: string, b: string, meters = 40, more: Partial<VendorProperty>[] = [{}, {}]): number {
  const bare = { phone: '', address: NOWHERE, starRating: 0 }
  const x = makeTraits({ ...bare, name: a, vendorId: 'a', ...more[0] })
  const y = makeTraits({ ...bare, name: b, vendorId: 'b', location: north(PARIS_CENTRE, meters), ...more[1] })
  return compareTraits(x, y)?.odds ?? Number.NEGATIVE_INFINITY
}

describe('the same building', () => {
  test.each([
    ['Hôtel Bellevue', 'HOTEL BELLEVUE'],
    ['The Bellevue', 'Bellevue Hotel, Paris'],
    ['Hôtel Saint-Germain', 'Hotel St. Germain'],
    ['Grandhotel Schönblick', 'Grand Hotel Schonblick'],
    ['Sea View Apartments', 'Seaview Apts'],
    ['Hotel Panorama & Spa', 'Hotel Panorama and Spa'],
    ['Residence Tower One Rivoli', 'Rivoli Residence Tower 1'],
    ['Hôtel Villeneuve Montparnasse', 'Hotel Vileneuve Montparnasse'],
    ['Hotel El Constructor', 'Constructor'],
  ])('"%s" and "%s" are matched as the same building', (a, b) => expect(odds(a, b)).toBeGreaterThan(MATCH_ODDS))

  test('a shortened name matches if the telephone and the address agree', () => {
    const proof = { phone: '+33142720000', address: { ...NOWHERE, line1: '12 rue de Rivoli' } }
    expect(odds('Lumo Paris', 'Lumo Paris Marais', 30, [proof, proof])).toBeGreaterThan(MATCH_ODDS)
  })
})

describe('look-alikes', () => {
  test.each([
    ['Lagoon Resort - East Tower', 'Lagoon Resort - West Tower'],
    ['Lagoon Resort Tower 1', 'Lagoon Resort Tower 2'],
    ['Lagoon Resort Tower One', 'Lagoon Resort Tower II'],
    ['Lagoon Resort', 'Lagoon Resort Annex'],
    ['Hotel Bellevue', 'Hotel Bellevue II'],
    ['Hotel 31', 'Hotel 32'],
    ['Lumo Opéra', 'Lumo Bastille'],
    ['Lumo Times Square Central', 'Lumo Times Square South'],
    ['Bellevue Hotel', 'Bellevue Hostel'],
    ['Riverside Apartments', 'Riverside Hotel'],
    ['Hotel Central', 'Hotel Royal'],
  ])('"%s" and "%s" are not matched, even next door and with one telephone', (a, b) => {
    const same = { phone: '+33142720000' }
    expect(odds(a, b, 30, [same, same])).toBeLessThan(MATCH_ODDS)
  })

  test('one different letter in a short name means another property, unless other evidence is strong', () => {
    expect(odds('Hotel Maria', 'Hotel Marina')).toBeLessThan(MATCH_ODDS)
    const proof = { phone: '+33142720000', address: { ...NOWHERE, line1: '12 rue de Rivoli' } }
    expect(odds('Hotel Maria', 'Hotel Marina', 10, [proof, proof])).toBeGreaterThan(MATCH_ODDS)
  })

  test('the same name 1,600 metres away is another property', () => {
    expect(odds('Hotel Bellevue', 'Hotel Bellevue', 1_600)).toBe(Number.NEGATIVE_INFINITY)
  })

  test('the evidence of a comparison adds up to its odds', () => {
    const comparison = compareTraits(makeTraits({ vendorId: 'a' }), makeTraits({ vendorId: 'b' }))
    const sum = comparison?.evidence.reduce((all, { weight }) => all + weight, 0)
    expect(sum).toBeCloseTo(comparison?.odds ?? 0, 6)
    expect(comparison?.evidence.map(({ fact }) => fact)).toContain('same telephone')
  })
})

describe('putting vendor properties together', () => {
  const node = (vendorId: string, id: string, propertyId?: string): MatchNode => ({
    traits: makeTraits({ vendorId, vendorPropertyId: id }),
    propertyId,
  })
  const pair = (a: number, b: number, strength: number): MatchPair => ({ a, b, odds: strength, evidence: [] })
  const members = (groups: ReturnType<typeof assignMatches>) => groups.map((group) => [...group.members].sort())

  test('a group never has two records of one vendor: the likelier one wins', () => {
    const nodes = [node('a', '1'), node('b', '1'), node('b', '2')]
    expect(members(assignMatches({ nodes, pairs: [pair(0, 1, 3), pair(0, 2, 5)] }))).toEqual([[0, 2], [1]])
  })

  test('two properties with an equal claim to a third both stay separate', () => {
    const other = {
      traits: makeTraits({ vendorId: 'b', vendorPropertyId: '2', name: 'Hotel Royal' }),
      propertyId: undefined,
    }
    const nodes = [node('a', '1'), node('b', '1'), other]
    expect(assignMatches({ nodes, pairs: [pair(0, 1, 5), pair(0, 2, 5.1)] })).toHaveLength(3)
  })

  test('of duplicate entries of one vendor the likelier one is matched, and the other is reported as a twin', () => {
    const nodes = [node('a', '1'), node('b', '1'), node('b', '2')]
    const [first, second] = assignMatches({ nodes, pairs: [pair(0, 1, 5), pair(0, 2, 5.1)] })
    expect([first?.members, first?.twins, second?.members]).toEqual([[0, 2], [1], [1]])
  })

  test('a claim does not compete if its claimant has a better match', () => {
    const nodes = [node('a', '1'), node('a', '2'), node('b', '1'), node('b', '2')]
    const pairs = [pair(0, 2, 5), pair(0, 3, 4.9), pair(1, 2, 4.9), pair(1, 3, 5.2)]
    expect(members(assignMatches({ nodes, pairs }))).toEqual([
      [0, 2],
      [1, 3],
    ])
  })

  test('two existing properties are never joined by a new one', () => {
    const nodes = [node('a', '1', 'prp_x'), node('b', '1', 'prp_y'), node('c', '1')]
    const groups = assignMatches({ nodes, pairs: [pair(2, 0, 6), pair(2, 1, 4)] })
    expect(groups.map(({ propertyId, members: all }) => [propertyId, all.length])).toEqual([
      ['prp_x', 2],
      ['prp_y', 1],
    ])
  })

  test('an operator’s split and join take precedence over any evidence', () => {
    const nodes = [node('a', '1'), node('b', '1'), node('c', '1')]
    const findPin = (a: number, b: number) => (a + b === 1 ? 'split' : a + b === 2 ? 'join' : undefined)
    const groups = assignMatches({ nodes, pairs: [pair(0, 1, 9), pair(0, 2, -3)], findPin })
    expect(members(groups)).toEqual([[0, 2], [1]])
  })

  test('neighbours are found across the antimeridian and across cells', () => {
    const nodeAt = (vendorId: string, lat: number, lon: number): MatchNode => ({
      traits: makeTraits({ vendorId, location: { lat, lon } }),
      propertyId: undefined,
    })
    const antimeridian = [nodeAt('a', -17, 179.9999), nodeAt('b', -17, -179.9999)]
    const nodes = [...antimeridian, nodeAt('a', 48.8599, 2), nodeAt('b', 48.8601, 2)]
    expect(pairNeighbours(nodes, () => true).map(({ a, b }) => [a, b])).toEqual([
      [0, 1],
      [2, 3],
    ])
  })
})
