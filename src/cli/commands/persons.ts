import { createErasePersons, type FoundBooking } from '../../booking/guests/erase-persons.ts'
import { withoutPersons } from '../../booking/present/booking.ts'
import { createErasureStore } from '../../booking/store/erasure.ts'
import { deriveKeyring } from '../../lib/crypto/keyring.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { type Command, print } from '../command.ts'
import { readVerb } from '../read-verb.ts'
import { withAccounts } from '../with-accounts.ts'

const USAGE = `serai persons erase EMAIL|BOOKING_ID [--yes]
            erases names, contacts and special requests from all bookings with this e-mail, or from one booking.
            Without --yes it only lists the bookings. Stay and price are kept. A request repeated with the same
            idempotency key then gets a response without personal data. The vendor's copy is not touched.`

export const personsCommand: Command = { usage: USAGE, run: runPersons }

async function runPersons(args: string[]): Promise<number> {
  const { words, values } = readVerb(args, { erase: 'EMAIL|BOOKING_ID --yes' }, { yes: { type: 'boolean' } })
  const [emailOrBookingId = ''] = words
  return withAccounts(async ({ config, database, audited }) => {
    const store = createErasureStore(database, deriveKeyring(config.secrets, 'persons'), withoutPersons)
    const erasePersons = createErasePersons({ store, clock: systemClock })
    const found = await erasePersons.find(emailOrBookingId)
    if (found.length === 0) return print('No such booking or person found, or already erased.', 1)
    const ready = found.filter(({ why }) => why === undefined)
    for (const { bookingId, why } of found) if (why !== undefined) console.error(`${bookingId}  not erased: ${why}`)
    if (values.yes !== true) return print(formatList(ready), 0)
    // The audit log names the booking, not the person, whose data must not survive there.
    for (const { bookingId } of ready)
      await audited('persons.erase', bookingId, async () =>
        (await erasePersons.erase(bookingId)) ? print(`${bookingId}  erased`, 0) : 0,
      )
    return ready.length === found.length ? 0 : 1
  })
}

const formatList = (ready: readonly FoundBooking[]) =>
  [
    ...ready.map(({ bookingId, state, checkOut }) => `${bookingId}  ${state}, check-out ${checkOut}`),
    `${ready.length} to erase. Add --yes to erase them; this cannot be undone.`,
  ].join('\n')
