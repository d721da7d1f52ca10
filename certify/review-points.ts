import { zonedIso } from '../src/lib/time/zoned-time.ts'
import { listOf, numberOf, recordOf, recordsOf, textOf, type Wire } from '../src/vendors/wire/read.ts'
import type { Evidence, ReviewPoint, Verdict } from './review.ts'
import { booked, exchangesOf, type Place, pageAt, shownAt, subjectAt, wordsAt, wordsOf } from './review-evidence.ts'

/** Points that the reviews of several vendors have in common. */

/** No more than a notice may hold. */
const WORDS_MAX = 8_000

/** Every text that the vendor sent for the room of a sample must be read at each of the places. */
export function textPoint(
  point: Omit<ReviewPoint, 'judge'>,
  places: readonly Place[],
  textsOf: (evidence: Evidence, sample: string) => readonly string[],
): ReviewPoint {
  return {
    ...point,
    judge(evidence) {
      const files: string[] = []
      for (const sample of booked(evidence)) {
        const texts = textsOf(evidence, sample).map((text) => wordsOf(text).slice(0, WORDS_MAX))
        for (const text of texts.filter((one) => one !== '')) {
          const lacking = places.find((place) => !readAt(evidence, sample, place, text))
          if (lacking !== undefined) return { missing: `${lacking} of ${sample} lacks "${text.slice(0, 60)}…"` }
          files.push(...places.map((place) => wordsAt(evidence, sample, place).file))
        }
      }
      return files.length === 0 ? { notSent: 'the vendor sent none in these samples' } : { files: [...new Set(files)] }
    },
  }
}

function readAt(evidence: Evidence, sample: string, place: Place, text: string): boolean {
  if (!wordsAt(evidence, sample, place).words.includes(text)) return false
  if (place !== 'voucher') return true
  // The document that guests get must say it too, not only the JSON.
  const page = shownAt(evidence, sample, 'voucher').find(({ body }) => typeof body === 'string')
  return wordsOf(textOf(page?.body)).includes(text)
}

/** Holds for each booked sample, or says where it does not. */
export function eachBooked(
  point: Omit<ReviewPoint, 'judge'>,
  holds: (evidence: Evidence, sample: string) => string | { readonly wrong: string },
): ReviewPoint {
  return {
    ...point,
    judge(evidence) {
      const files: string[] = []
      for (const sample of booked(evidence)) {
        const found = holds(evidence, sample)
        if (typeof found !== 'string') return { missing: `${sample}: ${found.wrong}` }
        files.push(found)
      }
      return files.length === 0 ? { missing: 'nothing was booked' } : { files }
    },
  }
}

/** The samples that a review asks for. */
export function samplePoints(area: string, ...more: readonly ReviewPoint[]): ReviewPoint[] {
  return [
    sample(area, 'two-rooms', 'Two rooms with children, refundable, cancelled before the deadline', (evidence) => {
      const { subject, file } = subjectAt(evidence, 'two-rooms', 'read')
      const rooms = recordsOf(subject.occupancies)
      const children = rooms.flatMap((room) => listOf(room.children_ages))
      return rooms.length === 2 && children.length > 1 && penaltyOf(evidence, 'two-rooms') === 0
        ? { files: [file, ...cancelFiles(evidence, 'two-rooms')] }
        : { missing: 'two rooms, their children and a cancellation without a fee' }
    }),
    sample(area, 'non-refundable', 'A rate that is not refundable', (evidence) => {
      const { subject, file } = subjectAt(evidence, 'non-refundable', 'detail')
      return subject.refundable === false ? { files: [file] } : { missing: 'the room is not told to be non-refundable' }
    }),
    sample(area, 'after-deadline', 'Cancelled after the deadline, with its fee', (evidence) =>
      (penaltyOf(evidence, 'after-deadline') ?? 0) > 0
        ? { files: cancelFiles(evidence, 'after-deadline') }
        : { missing: 'a cancellation with a fee' },
    ),
    ...more,
  ]
}

const sample = (area: string, name: string, title: string, judge: (evidence: Evidence) => Verdict): ReviewPoint => ({
  id: `sample-${name}`,
  area,
  title,
  judge: (evidence) => (booked(evidence).includes(name) ? judge(evidence) : { missing: 'it could not be booked' }),
})

function penaltyOf(evidence: Evidence, name: string): number | undefined {
  const { subject } = subjectAt(evidence, name, 'cancel')
  return subject.status === 'cancelled' && typeof subject.penalty === 'number' ? subject.penalty : undefined
}

const cancelFiles = ({ shown, exchanges }: Evidence, name: string): string[] =>
  [...shown, ...exchanges].filter((one) => one.sample === name && one.step.startsWith('cancel')).map(({ file }) => file)

/** Total, one line of taxes and fees, what is paid now and what at the property, and that they add up. */
export const pricePoint = (point: Omit<ReviewPoint, 'judge'>): ReviewPoint =>
  eachBooked(point, (evidence, name) => {
    const { subject: room, file } = subjectAt(evidence, name, 'check')
    const amounts = [room.total_inclusive, room.taxes_fees, room.due_at_property, room.daily_rate]
    if (amounts.some((amount) => typeof amount !== 'number')) return { wrong: 'an amount is not shown' }
    const { subject: booking } = subjectAt(evidence, name, 'read')
    const gap = numberOf(booking.base_price) + numberOf(booking.taxes_fees) - numberOf(booking.total_price)
    if (Math.abs(gap) > 0.01) return { wrong: 'base price, taxes and fees do not add up to the total' }
    const atProperty = recordsOf(room.fees).filter(({ paid_at: at }) => at === 'property')
    const due = atProperty.reduce((sum, { amount }) => sum + numberOf(amount), 0)
    if (Math.abs(due - numberOf(room.due_at_property)) > 0.05)
      return { wrong: 'what is paid at the property is not itemised' }
    return numberOf(booking.total_price) > 0 ? file : { wrong: 'no total is shown' }
  })

/** Each deadline that the vendor names is shown, in the property's own time. */
export const cancellationPoint = (
  point: Omit<ReviewPoint, 'judge'>,
  deadlinesOf: (evidence: Evidence, sample: string) => readonly string[],
): ReviewPoint =>
  eachBooked(point, (evidence, name) => {
    const { subject: room, file } = subjectAt(evidence, name, 'check')
    const policy = recordOf(room.cancel_policy)
    const from = recordsOf(policy?.penalties).map((penalty) => textOf(penalty.from))
    const zone = textOf(policy?.timezone)
    const isLocal = (iso: string) => zonedIso(Date.parse(iso), zone) === iso
    if (!from.every(isLocal)) return { wrong: 'a deadline is not in the property’s time' }
    const [first] = deadlinesOf(evidence, name).toSorted()
    const shown = from.map((iso) => Date.parse(iso))
    const isFree = policy?.cancelation === 'free'
    const isShown =
      first === undefined ||
      shown.some((instant) => instant === Date.parse(first) || (!isFree && instant < Date.parse(first)))
    return isShown && ['free', 'partial', 'none'].includes(textOf(policy?.cancelation))
      ? file
      : { wrong: `the deadline ${first} is not shown` }
  })

/** The vendor gets the names of the guests, and never that of the account's holder. */
export const namesPoint = (
  point: Omit<ReviewPoint, 'judge'>,
  namesIn: (request: Wire) => readonly string[],
): ReviewPoint =>
  eachBooked(point, (evidence, name) => {
    const [call] = exchangesOf(evidence, name, 'book')
    const names = namesIn(recordOf(call?.body) ?? {})
    const [lead] = evidence.guests
    if (call === undefined || !names.includes(`${lead?.givenName} ${lead?.familyName}`))
      return { wrong: 'the guest’s name is not in the request' }
    return names.includes(evidence.holder.name) ? { wrong: 'the account’s holder is sent as a guest' } : call.file
  })

/** The vendor's own number is told with the booking. */
export const numberPoint = (point: Omit<ReviewPoint, 'judge'>, numberIn: (answer: Wire) => string): ReviewPoint =>
  eachBooked(point, (evidence, name) => {
    const calls = [...exchangesOf(evidence, name, 'book'), ...evidence.exchanges.filter((one) => one.sample === name)]
    const number = calls
      .map(({ answer }) => numberIn(recordOf(answer) ?? recordsOf(answer)[0] ?? {}))
      .find((one) => one !== '')
    const { subject, file } = subjectAt(evidence, name, 'read')
    const told = [subject.vendor_reference, recordOf(subject.confirmation)?.vendor].map(textOf)
    if (number === undefined || told.some((one) => one !== number)) return { wrong: 'the vendor’s number is not told' }
    const { subject: voucher } = subjectAt(evidence, name, 'voucher')
    return voucher.vendor_reference === number ? file : { wrong: 'the voucher has no number of the vendor' }
  })

/** A customer can look a booking up and cancel it, and the vendor is asked for both. */
export const managePoint = (point: Omit<ReviewPoint, 'judge'>, operations: readonly string[]): ReviewPoint => ({
  ...point,
  judge(evidence) {
    const calls = operations.map((operation) => evidence.exchanges.find((one) => one.operation === operation))
    const absent = operations.find((_, at) => calls[at] === undefined)
    if (absent !== undefined) return { missing: `the vendor was never asked to ${absent}` }
    const { subject, file } = subjectAt(evidence, 'two-rooms', 'after')
    return subject.status === 'cancelled'
      ? { files: [...calls.flatMap((call) => call?.file ?? []), file] }
      : { missing: 'the booking is not told to be cancelled' }
  },
})

export const pricechangePoint = (area: string): ReviewPoint => ({
  id: 'price-change',
  area,
  title: 'A price that changes is told before anything is booked',
  judge(evidence) {
    const { data, file } = pageAt(evidence, 'price-change', 'check')
    const told = recordsOf(data.changes).some(({ what }) => what === 'total_price')
    return data.status === 'price_changed' && told && recordOf(data.room) !== undefined
      ? { files: [file] }
      : { missing: 'the change is not told with the new room' }
  },
})

/** A booking whose answer was lost is asked about, and never sent twice. */
export const lostAnswerPoint = (area: string): ReviewPoint => ({
  id: 'lost-answer',
  area,
  title: 'An answer that was lost: the booking is asked about and never sent twice',
  judge(evidence) {
    const sent = exchangesOf(evidence, 'lost-answer', 'book')
    const [answer] = shownAt(evidence, 'lost-answer', 'book')
    const { subject, file } = subjectAt(evidence, 'lost-answer', 'read')
    const looks = evidence.exchanges.filter(
      ({ sample: name, step, class: of }) => name === 'lost-answer' && step === 'read' && of === 'manage',
    )
    if (sent.length !== 1) return { missing: `the booking was sent ${sent.length} times` }
    if (answer?.status !== 202) return { missing: 'the client was not told that the outcome is open' }
    if (looks.length === 0) return { missing: 'the vendor was not asked about it' }
    return subject.status === 'confirmed'
      ? { files: [...sent.map((one) => one.file), answer.file, ...looks.map((one) => one.file), file] }
      : { missing: 'it was not found again' }
  },
})

export const unavailablePoint = (area: string): ReviewPoint => ({
  id: 'unavailable',
  area,
  title: 'A vendor that is down is told as that, not as an empty result',
  judge(evidence) {
    const [page] = shownAt(evidence, 'unavailable', 'search')
    const failed = evidence.exchanges.filter((one) => one.sample === 'unavailable' && (one.status ?? 500) >= 500)
    if (page === undefined || failed.length === 0) return { missing: 'no failed call was recorded' }
    return page.status >= 500
      ? { files: [...failed.map((one) => one.file), page.file] }
      : { missing: `we answered ${page.status}` }
  },
})

/** What every voucher must have, and what none may have. */
export const voucherPoint = (
  point: Omit<ReviewPoint, 'judge'>,
  phoneOf: (evidence: Evidence, sample: string) => string,
): ReviewPoint =>
  eachBooked(point, (evidence, name) => {
    const { subject: voucher, file } = subjectAt(evidence, name, 'voucher')
    const property = recordOf(voucher.property)
    const room = recordOf(voucher.room)
    const fields = [property?.name, property?.address, voucher.check_in, voucher.check_out, room?.name, room?.board]
    if (fields.some((field) => textOf(field) === '')) return { wrong: 'the voucher lacks a field' }
    const phone = phoneOf(evidence, name) === '' || textOf(property?.phone) !== ''
    if (!phone) return { wrong: 'the voucher lacks the property’s phone' }
    const guests = recordsOf(voucher.rooms).map(({ lead_guest: guest }) => textOf(guest))
    const [lead] = evidence.guests
    if (guests[0] !== `${lead?.givenName} ${lead?.familyName}`) return { wrong: 'the guest is not on the voucher' }
    const page = textOf(shownAt(evidence, name, 'voucher').find(({ body }) => typeof body === 'string')?.body)
    const { subject: booking } = subjectAt(evidence, name, 'read')
    const price = numberOf(booking.total_price)
    const hasPrice = [price.toFixed(2), price.toLocaleString('en'), price.toLocaleString('de')].some(
      (text) => price >= 100 && (page.includes(text) || JSON.stringify(voucher).includes(text)),
    )
    if (page === '') return { wrong: 'the voucher is not printed' }
    return hasPrice ? { wrong: 'the price is on the voucher' } : file
  })
