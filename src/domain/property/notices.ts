import { hash } from 'node:crypto'
import type { Notice } from '../offer.ts'

/** A text longer than this is a mistake or an attack: nobody could be asked to read it. */
export const NOTICE_TEXT_MAX = 10_000

const EVERYWHERE = ['detail', 'checkout', 'voucher'] as const

/** A notice that is to be shown wherever the room is; undefined where the vendor wrote nothing. */
export function noticeOf(
  kind: Notice['kind'],
  title: string,
  text: string,
  requiredAt: Notice['requiredAt'] = EVERYWHERE,
): Notice | undefined {
  if (text === '') return undefined
  return { kind, title, text: text.length > NOTICE_TEXT_MAX ? `${text.slice(0, NOTICE_TEXT_MAX)}…` : text, requiredAt }
}

/** All of them, each text once: of two of a kind of which one holds the other, the longer one. */
export function joinNotices(...lists: readonly (readonly (Notice | undefined)[])[]): Notice[] {
  const joined: Notice[] = []
  for (const notice of lists.flat()) {
    if (notice === undefined || joined.some((other) => holds(other, notice))) continue
    const shorter = joined.findIndex((other) => holds(notice, other))
    if (shorter === -1) joined.push(notice)
    else joined[shorter] = notice
  }
  return joined
}

const holds = (longer: Notice, shorter: Notice) =>
  longer.kind === shorter.kind && longer.url === shorter.url && longer.text.includes(shorter.text)

/** The same, marked as written in a language. */
export const noticesIn = (language: string, notices: readonly Notice[]): Notice[] =>
  notices.map((notice) => ({ ...notice, language }))

/** Those that were shown, except of the kinds that the vendor has told since: there its present words count. */
export function renewNotices(shown: readonly Notice[], told: readonly Notice[]): Notice[] {
  const kinds = new Set(told.map(({ kind }) => kind))
  return joinNotices(
    told.map((notice) => shown.find((before) => noticeKeyOf(before) === noticeKeyOf(notice)) ?? notice),
    shown.filter(({ kind }) => !kinds.has(kind)),
  )
}

/** Two notices with the same key say the same. */
export const noticeKeyOf = ({ kind, title, text, url, requiredAt }: Notice): string =>
  hash('sha256', JSON.stringify([kind, title, text, url ?? '', requiredAt]), 'base64url').slice(0, 22)
