import { zonedIso } from '../src/lib/time/zoned-time.ts'
import { asList, asNumberOrZero, asRecord, asRecords, asText, type Wire } from '../src/vendors/wire/read.ts'
import type { Evidence, ReviewPoint, Verdict } from './review.ts'
import {
  findExchanges,
  findNoticeWords,
  findPage,
  findShown,
  findSubject,
  listBookedSamples,
  normalizeWords,
  type Place,
} from './review-evidence.ts'

/** Points that the reviews of several vendors have in common. */

/** Maximum length of a notice. */
const WORDS_MAX = 8_000

/** Requires every text that the vendor sent for the room of a sample to appear in each of the places. */
export function textPoint(
  point: Omit<ReviewPoint, 'judge'>,
  places: readonly Place[],
  readTexts: (evidence: Evidence, sample: string) => readonly string[],
): ReviewPoint {
  return {
    ...point,
    judge(evidence) {
      const files: string[] = []
      for (const sample of listBookedSamples(evidence)) {
        const texts = readTexts(evidence, sample).map((text) => normalizeWords(text).slice(0, WORDS_MAX))
        for (const text of texts.filter((entry) => entry !== '')) {
          const lacking = places.find((place) => !isShownAt(evidence, sample, place, text))
          if (lacking !== undefined) return { missing: `${lacking} of ${sample} lacks "${text.slice(0, 60)}…"` }
          files.push(...places.map((place) => findNoticeWords(evidence, sample, place).file))
        }
      }
      return files.length === 0 ? { notSent: 'the vendor sent none in these samples' } : { files: [...new Set(files)] }
    },
  }
}

function isShownAt(evidence: Evidence, sample: string, place: Place, text: string): boolean {
  if (!findNoticeWords(evidence, sample, place).words.includes(text)) return false
  if (place !== 'voucher') return true
  // The document for guests must contain it too, not only the JSON.
  const page = findShown(evidence, sample, 'voucher').find(({ body }) => typeof body === 'string')
  return normalizeWords(asText(page?.body)).includes(text)
}

/** Checks each booked sample and reports the first that fails. */
export function eachBooked(
  point: Omit<ReviewPoint, 'judge'>,
  check: (evidence: Evidence, sample: string) => string | { readonly wrong: string },
): ReviewPoint {
  return {
    ...point,
    judge(evidence) {
      const files: string[] = []
      for (const sample of listBookedSamples(evidence)) {
        const found = check(evidence, sample)
        if (typeof found !== 'string') return { missing: `${sample}: ${found.wrong}` }
        files.push(found)
      }
      return files.length === 0 ? { missing: 'nothing was booked' } : { files }
    },
  }
}

/** The samples that a review requires. */
export function samplePoints(area: string, ...more: readonly ReviewPoint[]): ReviewPoint[] {
  return [
    sample(area, 'two-rooms', 'Two rooms with children, refundable, cancelled before the deadline', (evidence) => {
      const { subject, file } = findSubject(evidence, 'two-rooms', 'read')
      const rooms = asRecords(subject.occupancies)
      const children = rooms.flatMap((room) => asList(room.children_ages))
      return rooms.length === 2 && children.length > 1 && readPenalty(evidence, 'two-rooms') === 0
        ? { files: [file, ...cancelFiles(evidence, 'two-rooms')] }
        : { missing: 'two rooms, their children and a cancellation without a fee' }
    }),
    sample(area, 'non-refundable', 'A rate that is not refundable', (evidence) => {
      const { subject, file } = findSubject(evidence, 'non-refundable', 'detail')
      return subject.refundable === false ? { files: [file] } : { missing: 'the room is not shown as non-refundable' }
    }),
    sample(area, 'after-deadline', 'Cancelled after the deadline, with its fee', (evidence) =>
      (readPenalty(evidence, 'after-deadline') ?? 0) > 0
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
  judge: (evidence) =>
    listBookedSamples(evidence).includes(name) ? judge(evidence) : { missing: 'the sample could not be booked' },
})

function readPenalty(evidence: Evidence, name: string): number | undefined {
  const { subject } = findSubject(evidence, name, 'cancel')
  return subject.status === 'cancelled' && typeof subject.penalty === 'number' ? subject.penalty : undefined
}

const cancelFiles = ({ shown, exchanges }: Evidence, name: string): string[] =>
  [...shown, ...exchanges]
    .filter((entry) => entry.sample === name && entry.step.startsWith('cancel'))
    .map(({ file }) => file)

/** Total, one line of taxes and fees, amounts due now and at the property, and that they add up. */
export const pricePoint = (point: Omit<ReviewPoint, 'judge'>): ReviewPoint =>
  eachBooked(point, (evidence, name) => {
    const { subject: room, file } = findSubject(evidence, name, 'check')
    const amounts = [room.total_inclusive, room.taxes_fees, room.due_at_property, room.daily_rate]
    if (amounts.some((amount) => typeof amount !== 'number')) return { wrong: 'an amount is not shown' }
    const { subject: booking } = findSubject(evidence, name, 'read')
    const gap =
      asNumberOrZero(booking.base_price) + asNumberOrZero(booking.taxes_fees) - asNumberOrZero(booking.total_price)
    if (Math.abs(gap) > 0.01) return { wrong: 'base price, taxes and fees do not add up to the total' }
    const atProperty = asRecords(room.fees).filter(({ paid_at: place }) => place === 'property')
    const due = atProperty.reduce((sum, { amount }) => sum + asNumberOrZero(amount), 0)
    if (Math.abs(due - asNumberOrZero(room.due_at_property)) > 0.05)
      return { wrong: 'what is paid at the property is not itemised' }
    return asNumberOrZero(booking.total_price) > 0 ? file : { wrong: 'no total is shown' }
  })

/** Each deadline of the vendor is shown, in the property's local time. */
export const cancellationPoint = (
  point: Omit<ReviewPoint, 'judge'>,
  readDeadlines: (evidence: Evidence, sample: string) => readonly string[],
): ReviewPoint =>
  eachBooked(point, (evidence, name) => {
    const { subject: room, file } = findSubject(evidence, name, 'check')
    const policy = asRecord(room.cancel_policy)
    const from = asRecords(policy?.penalties).map((penalty) => asText(penalty.from))
    const zone = asText(policy?.timezone)
    const isLocal = (iso: string) => zonedIso(Date.parse(iso), zone) === iso
    if (!from.every(isLocal)) return { wrong: 'a deadline is not in the property’s time' }
    const [first] = readDeadlines(evidence, name).toSorted()
    const shown = from.map((iso) => Date.parse(iso))
    const isFree = policy?.cancelation === 'free'
    const isShown =
      first === undefined ||
      shown.some((instant) => instant === Date.parse(first) || (!isFree && instant < Date.parse(first)))
    return isShown && ['free', 'partial', 'none'].includes(asText(policy?.cancelation))
      ? file
      : { wrong: `the deadline ${first} is not shown` }
  })

/** The vendor receives the names of the guests, and never that of the account's holder. */
export const namesPoint = (
  point: Omit<ReviewPoint, 'judge'>,
  readNames: (request: Wire) => readonly string[],
): ReviewPoint =>
  eachBooked(point, (evidence, name) => {
    const [call] = findExchanges(evidence, name, 'book')
    const names = readNames(asRecord(call?.body) ?? {})
    const [lead] = evidence.guests
    if (call === undefined || !names.includes(`${lead?.givenName} ${lead?.familyName}`))
      return { wrong: 'the guest’s name is not in the request' }
    return names.includes(evidence.holder.name) ? { wrong: 'the account’s holder is sent as a guest' } : call.file
  })

/** The vendor's own number is shown with the booking. */
export const numberPoint = (point: Omit<ReviewPoint, 'judge'>, readReference: (answer: Wire) => string): ReviewPoint =>
  eachBooked(point, (evidence, name) => {
    const calls = [
      ...findExchanges(evidence, name, 'book'),
      ...evidence.exchanges.filter((entry) => entry.sample === name),
    ]
    const number = calls
      .map(({ answer }) => readReference(asRecord(answer) ?? asRecords(answer)[0] ?? {}))
      .find((entry) => entry !== '')
    const { subject, file } = findSubject(evidence, name, 'read')
    const shown = [subject.vendor_reference, asRecord(subject.confirmation)?.vendor].map(asText)
    if (number === undefined || shown.some((entry) => entry !== number))
      return { wrong: 'the vendor’s number is not shown' }
    const { subject: voucher } = findSubject(evidence, name, 'voucher')
    return voucher.vendor_reference === number ? file : { wrong: 'the voucher lacks the vendor’s number' }
  })

/** A customer can look up and cancel a booking, and the vendor is called for both. */
export const managePoint = (point: Omit<ReviewPoint, 'judge'>, operations: readonly string[]): ReviewPoint => ({
  ...point,
  judge(evidence) {
    const calls = operations.map((operation) => evidence.exchanges.find((entry) => entry.operation === operation))
    const missing = operations.find((_, index) => calls[index] === undefined)
    if (missing !== undefined) return { missing: `the vendor was never asked to ${missing}` }
    const { subject, file } = findSubject(evidence, 'two-rooms', 'after')
    return subject.status === 'cancelled'
      ? { files: [...calls.flatMap((call) => call?.file ?? []), file] }
      : { missing: 'the booking is not shown as cancelled' }
  },
})

export const pricechangePoint = (area: string): ReviewPoint => ({
  id: 'price-change',
  area,
  title: 'A changed price is shown before anything is booked',
  judge(evidence) {
    const { data, file } = findPage(evidence, 'price-change', 'check')
    const shown = asRecords(data.changes).some(({ what }) => what === 'total_price')
    return data.status === 'price_changed' && shown && asRecord(data.room) !== undefined
      ? { files: [file] }
      : { missing: 'the change is not shown with the new room' }
  },
})

/** After a lost response, the vendor is asked about the booking, and the booking is never sent twice. */
export const lostAnswerPoint = (area: string): ReviewPoint => ({
  id: 'lost-answer',
  area,
  title: 'After a lost response, the vendor is asked about the booking, which is never sent twice',
  judge(evidence) {
    const sent = findExchanges(evidence, 'lost-answer', 'book')
    const [answer] = findShown(evidence, 'lost-answer', 'book')
    const { subject, file } = findSubject(evidence, 'lost-answer', 'read')
    const lookups = evidence.exchanges.filter(
      ({ sample: name, step, class: callClass }) => name === 'lost-answer' && step === 'read' && callClass === 'manage',
    )
    if (sent.length !== 1) return { missing: `the booking was sent ${sent.length} times` }
    if (answer?.status !== 202) return { missing: 'the client was not informed that the outcome is open' }
    if (lookups.length === 0) return { missing: 'the vendor was not asked about it' }
    return subject.status === 'confirmed'
      ? { files: [...sent.map((entry) => entry.file), answer.file, ...lookups.map((entry) => entry.file), file] }
      : { missing: 'the booking was not found at the vendor' }
  },
})

export const unavailablePoint = (area: string): ReviewPoint => ({
  id: 'unavailable',
  area,
  title: 'An outage of the vendor is reported as such, not as an empty result',
  judge(evidence) {
    const [page] = findShown(evidence, 'unavailable', 'search')
    const failed = evidence.exchanges.filter((entry) => entry.sample === 'unavailable' && (entry.status ?? 500) >= 500)
    if (page === undefined || failed.length === 0) return { missing: 'no failed call was recorded' }
    return page.status >= 500
      ? { files: [...failed.map((entry) => entry.file), page.file] }
      : { missing: `the search was answered with ${page.status}` }
  },
})

/** Fields that every voucher must have, and that no voucher may have. */
export const voucherPoint = (
  point: Omit<ReviewPoint, 'judge'>,
  readPhone: (evidence: Evidence, sample: string) => string,
): ReviewPoint =>
  eachBooked(point, (evidence, name) => {
    const { subject: voucher, file } = findSubject(evidence, name, 'voucher')
    const property = asRecord(voucher.property)
    const room = asRecord(voucher.room)
    const fields = [property?.name, property?.address, voucher.check_in, voucher.check_out, room?.name, room?.board]
    if (fields.some((field) => asText(field) === '')) return { wrong: 'the voucher lacks a field' }
    const phone = readPhone(evidence, name) === '' || asText(property?.phone) !== ''
    if (!phone) return { wrong: 'the voucher lacks the property’s phone' }
    const guests = asRecords(voucher.rooms).map(({ lead_guest: guest }) => asText(guest))
    const [lead] = evidence.guests
    if (guests[0] !== `${lead?.givenName} ${lead?.familyName}`) return { wrong: 'the guest is not on the voucher' }
    const page = asText(findShown(evidence, name, 'voucher').find(({ body }) => typeof body === 'string')?.body)
    const { subject: booking } = findSubject(evidence, name, 'read')
    const price = asNumberOrZero(booking.total_price)
    const hasPrice = [price.toFixed(2), price.toLocaleString('en'), price.toLocaleString('de')].some(
      (text) => price >= 100 && (page.includes(text) || JSON.stringify(voucher).includes(text)),
    )
    if (page === '') return { wrong: 'the voucher is not printed' }
    return hasPrice ? { wrong: 'the price is on the voucher' } : file
  })
