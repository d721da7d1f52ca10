import type { Occupancy, Stay } from '../../domain/stay.ts'
import type { Guest } from '../contract.ts'
import { numberOf, recordsOf, textOf, type Wire } from '../wire/read.ts'
import { occupancyText } from './parties.ts'

/** `party` is left out where not all are listed that the rate is for. */
type BookedRoom = { readonly adults: readonly Wire[]; readonly party?: Occupancy }

/** Equal rooms come as one entry, in which all guests have the number of their room. Guests come in any order. */
export function bookedRooms(entry: Wire): BookedRoom[] {
  const [rate] = recordsOf(entry.rates)
  const rooms = Map.groupBy(recordsOf(entry.paxes), ({ roomId }) => numberOf(roomId))
  return [...rooms]
    .sort(([a], [b]) => a - b)
    .map(([, paxes]) => {
      const adults = paxes.filter(({ type }) => type === 'AD')
      const childrenAges = paxes.filter(({ type }) => type === 'CH').map(({ age }) => numberOf(age))
      const isWhole = rate?.adults === adults.length && rate.children === childrenAges.length
      return { adults, ...(isWhole && { party: { adults: adults.length, childrenAges } }) }
    })
}

/**
 * Which adult of a booking stands for which guest of ours. Rooms are found by their party, as they were booked; undefined where
 * they cannot be told from each other.
 */
export function leadsOf(
  entries: readonly Wire[],
  { occupancies }: Stay,
  guests: readonly Guest[],
): ReadonlyMap<Wire, Guest | undefined> | undefined {
  const open = occupancies.map((occupancy, place) => ({ party: occupancyText(occupancy), guest: guests[place] }))
  const areAlike = open.every(({ party }) => party === open[0]?.party)
  const leads = new Map<Wire, Guest | undefined>()
  for (const { adults, party } of entries.flatMap(bookedRooms)) {
    const at = open.findIndex((one) => areAlike || (party !== undefined && one.party === occupancyText(party)))
    const [found] = at === -1 ? [] : open.splice(at, 1)
    const lead = found && leadIn(adults, found.guest)
    if (lead === undefined) return undefined
    leads.set(lead, found?.guest)
  }
  return open.length === 0 ? leads : undefined
}

/** Who has the guest's name already, or else the first with a name: usually the lead guest is the only one. */
function leadIn(adults: readonly Wire[], guest: Guest | undefined): Wire | undefined {
  const same = (theirs: unknown, ours = '') => textOf(theirs).toUpperCase() === ours.trim().toUpperCase()
  return (
    adults.find(({ name, surname }) => same(name, guest?.givenName) && same(surname, guest?.familyName)) ??
    adults.find(({ name }) => textOf(name) !== '') ??
    adults[0]
  )
}
