import { type Occupancy, occupancyKey } from '../../domain/stay.ts'
import { foldText } from '../../lib/text/fold-text.ts'

type Name = { readonly givenName: string; readonly familyName: string }

/** Shorter prefixes are ambiguous. */
const SHORTENED_MIN = 3

/** Rooms, from 1, whose lead guest is missing or in another party's room. Ignores spelling, truncation and order. */
export function findMissingGuests(
  booked: readonly Name[],
  reported: readonly (Name & { readonly party?: Occupancy })[],
  occupancies: readonly Occupancy[],
): number[] {
  const parties = occupancies.map(partyKey)
  // An unknown party means that the vendor lists rooms differently. Then only the names are compared.
  const hasParties = reported.every(({ party }) => party !== undefined && parties.includes(partyKey(party)))
  const isInRoom = (party: Occupancy | undefined, index: number) =>
    !hasParties || (party !== undefined && partyKey(party) === parties[index])
  const unmatched = [...reported]
  return booked.flatMap((guest, index) => {
    const match = unmatched.findIndex((candidate) => isSamePerson(guest, candidate) && isInRoom(candidate.party, index))
    if (match === -1) return [index + 1]
    unmatched.splice(match, 1)
    return []
  })
}

/** Independent of the order of the ages. */
export const partyKey = ({ adults, childrenAges }: Occupancy) =>
  occupancyKey({ adults, childrenAges: [...childrenAges].sort((a, b) => a - b) })

function isSamePerson(a: Name, b: Name): boolean {
  const [given, family] = [foldName(a.givenName), foldName(a.familyName)]
  const [otherGiven, otherFamily] = [foldName(b.givenName), foldName(b.familyName)]
  const isSame = (x: string, y: string) =>
    x === y || (Math.min(x.length, y.length) >= SHORTENED_MIN && (x.startsWith(y) || y.startsWith(x)))
  return (
    (isSame(given, otherGiven) && isSame(family, otherFamily)) ||
    (isSame(given, otherFamily) && isSame(family, otherGiven)) ||
    isSame(given + family, otherGiven + otherFamily)
  )
}

const foldName = (name: string) => foldText(name).replaceAll(/[^\p{L}\p{N}]/gu, '')
