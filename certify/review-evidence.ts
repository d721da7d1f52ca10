import { remember } from '../src/lib/async/remember.ts'
import { plainLines } from '../src/lib/text/clean-markup.ts'
import { recordOf, recordsOf, textOf, type Wire } from '../src/vendors/wire/read.ts'
import type { Evidence, Exchange, Shown } from './review.ts'

/** Reads the evidence of a review: what the vendor was asked, and what we showed. */

export const exchangesOf = ({ exchanges }: Evidence, sample: string, operation: string): Exchange[] =>
  exchanges.filter((one) => one.sample === sample && one.operation === operation)

export const shownAt = ({ shown }: Evidence, sample: string, step: string): Shown[] =>
  shown.filter((one) => one.sample === sample && one.step === step)

/** Samples that ended in a booking. */
export const booked = ({ shown }: Evidence): string[] => [
  ...new Set(
    shown
      .filter(({ step, status }) => step === 'book' && (status === 201 || status === 202))
      .map(({ sample }) => sample),
  ),
]

/** What we showed at a step; throws where nothing was, which the checklist then says. */
export function pageAt(evidence: Evidence, sample: string, step: string): { data: Wire; file: string } {
  // A sample may have taken several tries; the last one is what was booked.
  const shown = shownAt(evidence, sample, step).findLast((one) => recordOf(one.body) !== undefined)
  const body = recordOf(shown?.body)
  if (shown === undefined || body === undefined) throw new Error(`nothing was shown at ${step} of ${sample}`)
  return { data: recordOf(body.data) ?? body, file: shown.file }
}

/** The room or booking that a page is about. */
export function subjectAt(evidence: Evidence, sample: string, step: string): { subject: Wire; file: string } {
  const { data, file } = pageAt(evidence, sample, step)
  const subject = step === 'detail' ? recordsOf(data.available_rooms)[0] : step === 'check' ? recordOf(data.room) : data
  if (subject === undefined) throw new Error(`no room was shown at ${step} of ${sample}`)
  return { subject, file }
}

export type Place = 'detail' | 'check' | 'read' | 'voucher'

/** Everything a page says in notices, as words. */
export function wordsAt(evidence: Evidence, sample: string, place: Place): { words: string; file: string } {
  const { subject, file } = subjectAt(evidence, sample, place)
  const said = recordsOf(subject.notices).map(({ title, text, url }) => [title, text, url].map(textOf).join(' '))
  return { words: wordsOf([...said, textOf(subject.clause)].join(' ')), file }
}

const REMEMBERED_MAX = 1_000

/** The words of a text without markup, punctuation and case. Remembered, because the same pages are searched for many texts. */
export const wordsOf = remember(REMEMBERED_MAX, (text: string): string =>
  plainLines(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase(),
)
