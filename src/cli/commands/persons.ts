import { createErasePersons, type FoundBooking } from '../../booking/guests/erase-persons.ts'
import { withoutPersons } from '../../booking/present/booking.ts'
import { createErasureStore } from '../../booking/store/erasure.ts'
import { deriveKeyring } from '../../lib/crypto/keyring.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { type Command, print } from '../command.ts'
import { readVerb } from '../read-verb.ts'
import { withAccounts } from '../with-accounts.ts'

const USAGE = `serai persons erase EMAIL|BOOKING_ID [--yes]
            erases names, contacts and special requests of the bookings that name this e-mail, or of one booking.
            Without --yes it only lists them. What was booked and what it cost stays. A request that is repeated with
            the same idempotency key gets an answer without the persons from then on. The vendor's copy is not touched.`

export const persons: Command = { usage: USAGE, run: runPersons }

async function runPersons(args: string[]): Promise<number> {
  const { words, values } = readVerb(args, { erase: 'EMAIL|BOOKING_ID --yes' }, { yes: { type: 'boolean' } })
  const [whom = ''] = words
  return withAccounts(async ({ config, database, audited }) => {
    const store = createErasureStore(database, deriveKeyring(config.secrets, 'persons'), withoutPersons)
    const erasePersons = createErasePersons({ store, clock: systemClock })
    const found = await erasePersons.find(whom)
    if (found.length === 0) return print('No booking names such a person, or they were erased before.', 1)
    const ready = found.filter(({ why }) => why === undefined)
    for (const { bookingId, why } of found) if (why !== undefined) console.error(`${bookingId}  not erased: ${why}`)
    if (values.yes !== true) return print(listOf(ready), 0)
    // The audit log must not keep what is erased here, so it names the booking and not the person.
    for (const { bookingId } of ready)
      await audited('persons.erase', bookingId, async () =>
        (await erasePersons.erase(bookingId)) ? print(`${bookingId}  erased`, 0) : 0,
      )
    return ready.length === found.length ? 0 : 1
  })
}

const listOf = (ready: readonly FoundBooking[]) =>
  [
    ...ready.map(({ bookingId, state, checkOut }) => `${bookingId}  ${state}, check-out ${checkOut}`),
    `${ready.length} to be erased; add --yes to do it. It cannot be undone.`,
  ].join('\n')
