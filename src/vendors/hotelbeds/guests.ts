import type { Occupancy, Stay } from '../../domain/stay.ts'
import type { Guest } from '../contract.ts'
import { asNumberOrZero, asRecords, asText, type Wire } from '../wire/read.ts'
import { occupancyText } from './parties.ts'

/** `party` is absent if not all of its guests are listed. */
type BookedRoom = { readonly adults: readonly Wire[]; readonly party?: Occupancy }

/** Equal rooms share one entry, in which guests carry the number of their room. Guests come in any order. */
export function bookedRooms(entry: Wire): BookedRoom[] {
  const [rate] = asRecords(entry.rates)
  const rooms = Map.groupBy(asRecords(entry.paxes), ({ roomId }) => asNumberOrZero(roomId))
  return [...rooms]
    .sort(([a], [b]) => a - b)
    .map(([, paxes]) => {
      const adults = paxes.filter(({ type }) => type === 'AD')
      const childrenAges = paxes.filter(({ type }) => type === 'CH').map(({ age }) => asNumberOrZero(age))
      const isComplete = rate?.adults === adults.length && rate.children === childrenAges.length
      return { adults, ...(isComplete && { party: { adults: adults.length, childrenAges } }) }
    })
}

/** Maps adults of the booking to our lead guests. Rooms are matched by party; undefined if the match is ambiguous. */
export function matchLeads(
  entries: readonly Wire[],
  { occupancies }: Stay,
  guests: readonly Guest[],
): ReadonlyMap<Wire, Guest | undefined> | undefined {
  const unmatched = occupancies.map((occupancy, index) => ({ party: occupancyText(occupancy), guest: guests[index] }))
  const areEqual = unmatched.every(({ party }) => party === unmatched[0]?.party)
  const leads = new Map<Wire, Guest | undefined>()
  for (const { adults, party } of entries.flatMap(bookedRooms)) {
    const index = unmatched.findIndex(
      (room) => areEqual || (party !== undefined && room.party === occupancyText(party)),
    )
    const [found] = index === -1 ? [] : unmatched.splice(index, 1)
    const lead = found && findLead(adults, found.guest)
    if (lead === undefined) return undefined
    leads.set(lead, found?.guest)
  }
  return unmatched.length === 0 ? leads : undefined
}

/** The adult who already has the guest's name, or else the first with a name, usually the only one. */
function findLead(adults: readonly Wire[], guest: Guest | undefined): Wire | undefined {
  const isSame = (theirs: unknown, ours = '') => asText(theirs).toUpperCase() === ours.trim().toUpperCase()
  return (
    adults.find(({ name, surname }) => isSame(name, guest?.givenName) && isSame(surname, guest?.familyName)) ??
    adults.find(({ name }) => asText(name) !== '') ??
    adults[0]
  )
}
