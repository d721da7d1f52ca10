import type { Receipt } from '../../src/vendors/contract.ts'
import type { PlantedBug } from './planted-bugs.ts'

/** Typical bugs in reading bookings again; each is added to one process. */
export const PLANTED_READING_BUGS: readonly PlantedBug[] = [
  {
    name: 'a booking is read once and never again',
    breaks: ['unseen', 'phantom', 'untold'],
    plant: ({ bookings }) => ({
      bookings: {
        ...bookings,
        finishReading: (held, facts) => bookings.finishReading(held, { dueAt: NEVER, ...facts }),
      },
    }),
  },
  {
    name: 'an interrupted reading is not repeated',
    breaks: ['unseen', 'phantom', 'untold'],
    plant: ({ bookings, database }) => ({
      bookings: {
        ...bookings,
        async claimReadings(...args) {
          const claims = await bookings.claimReadings(...args)
          const ids = claims.map(({ booking }) => booking.bookingId)
          const lost = { due_at: NEVER, lease_until: NEVER }
          await database.write((tx) =>
            tx.updateTable('tasks').set(lost).where('kind', '=', 'read').where('subject', 'in', ids).execute(),
          )
          return claims.map((claim) => ({ ...claim, task: { ...claim.task, lease_until: NEVER } }))
        },
      },
    }),
  },
  {
    name: 'later readings of the vendor are not compared',
    breaks: ['unseen', 'untold'],
    plant: ({ bookings }) => ({
      bookings: {
        ...bookings,
        finishReading: (held, { compared: _, move, ...facts }) =>
          bookings.finishReading(held, move?.to === 'cancelled' ? { ...facts, move } : facts),
      },
    }),
  },
  {
    name: 'a booking cancelled by the vendor is mistaken for a confirmed one',
    breaks: ['unseen', 'phantom'],
    plant: ({ vendor }) => ({
      vendor: {
        ...vendor,
        async find(lookup, context) {
          const receipt = await vendor.find(lookup, context)
          const isOld = lookup.vendorReference !== undefined && receipt?.cancelFee?.minor === 0
          return isOld ? ({ state: 'confirmed', vendorReference: receipt.vendorReference } satisfies Receipt) : receipt
        },
      },
    }),
  },
  {
    name: 'one absence is enough',
    breaks: ['false_alarm'],
    plant: ({ bookings }) => ({
      bookings: {
        ...bookings,
        async claimReadings(...args) {
          const claims = await bookings.claimReadings(...args)
          return claims.map((claim) => ({ ...claim, absentSince: 0 }))
        },
      },
    }),
  },
  {
    name: 'only the first difference of a kind is recorded',
    breaks: ['unseen', 'untold'],
    plant: ({ bookings }) => ({
      bookings: {
        ...bookings,
        finishReading: (held, { compared, ...facts }) => {
          const known = (held.booking.discrepancies ?? []).map(({ code }) => code)
          const differs = compared?.differs.filter(({ code }) => !known.includes(code)) ?? []
          return bookings.finishReading(held, { ...facts, ...(compared && { compared: { differs, agrees: [] } }) })
        },
      },
    }),
  },
]

const NEVER = Date.parse('2037-01-01T00:00:00Z')
