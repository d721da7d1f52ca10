import { memoize } from '../src/lib/async/memoize.ts'
import { plainLines } from '../src/lib/text/clean-markup.ts'
import { asRecord, asRecords, asText, type Wire } from '../src/vendors/wire/read.ts'
import type { Evidence, Exchange, Shown } from './review.ts'

/** Reads the evidence of a review: calls to the vendor, and responses shown to the client. */

export const findExchanges = ({ exchanges }: Evidence, sample: string, operation: string): Exchange[] =>
  exchanges.filter((entry) => entry.sample === sample && entry.operation === operation)

export const findShown = ({ shown }: Evidence, sample: string, step: string): Shown[] =>
  shown.filter((entry) => entry.sample === sample && entry.step === step)

/** Samples that ended in a booking. */
export const listBookedSamples = ({ shown }: Evidence): string[] => [
  ...new Set(
    shown
      .filter(({ step, status }) => step === 'book' && (status === 201 || status === 202))
      .map(({ sample }) => sample),
  ),
]

/** Response shown at a step. Throws if there is none, and the checklist reports it. */
export function findPage(evidence: Evidence, sample: string, step: string): { data: Wire; file: string } {
  // A sample may have taken several tries; the last one was booked.
  const shown = findShown(evidence, sample, step).findLast((entry) => asRecord(entry.body) !== undefined)
  const body = asRecord(shown?.body)
  if (shown === undefined || body === undefined) throw new Error(`nothing was shown at ${step} of ${sample}`)
  return { data: asRecord(body.data) ?? body, file: shown.file }
}

/** The room or booking that a page shows. */
export function findSubject(evidence: Evidence, sample: string, step: string): { subject: Wire; file: string } {
  const { data, file } = findPage(evidence, sample, step)
  const subject = step === 'detail' ? asRecords(data.available_rooms)[0] : step === 'check' ? asRecord(data.room) : data
  if (subject === undefined) throw new Error(`no room was shown at ${step} of ${sample}`)
  return { subject, file }
}

export type Place = 'detail' | 'check' | 'read' | 'voucher'

/** All notices of a page, as words. */
export function findNoticeWords(evidence: Evidence, sample: string, place: Place): { words: string; file: string } {
  const { subject, file } = findSubject(evidence, sample, place)
  const notices = asRecords(subject.notices).map(({ title, text, url }) => [title, text, url].map(asText).join(' '))
  return { words: normalizeWords([...notices, asText(subject.clause)].join(' ')), file }
}

const CACHED_MAX = 1_000

/** Words of a text without markup, punctuation and case. Cached, because the same pages are searched for many texts. */
export const normalizeWords = memoize(CACHED_MAX, (text: string): string =>
  plainLines(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase(),
)
