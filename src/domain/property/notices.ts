import { hash } from 'node:crypto'
import type { Notice } from '../offer.ts'

/** Longer texts are a mistake or an attack and are cut. */
export const NOTICE_TEXT_MAX = 10_000

const EVERYWHERE = ['detail', 'checkout', 'voucher'] as const

export const MANDATORY_FEES = 'Mandatory fees'

/** True if mandatory fees are named in words, which no total includes. */
export const hasMandatoryFees = (notices: readonly Notice[] = []): boolean =>
  notices.some(({ kind, title }) => kind === 'fees' && title === MANDATORY_FEES)

/** Undefined if the text is empty. */
export function createNotice(
  kind: Notice['kind'],
  title: string,
  text: string,
  requiredAt: Notice['requiredAt'] = EVERYWHERE,
): Notice | undefined {
  if (text === '') return undefined
  return { kind, title, text: text.length > NOTICE_TEXT_MAX ? `${text.slice(0, NOTICE_TEXT_MAX)}…` : text, requiredAt }
}

/** Joins the lists without duplicates. If one text contains another of the same kind, only the longer one is kept. */
export function joinNotices(...lists: readonly (readonly (Notice | undefined)[])[]): Notice[] {
  const joined: Notice[] = []
  for (const notice of lists.flat()) {
    if (notice === undefined || joined.some((other) => contains(other, notice))) continue
    const shorter = joined.findIndex((other) => contains(notice, other))
    if (shorter === -1) joined.push(notice)
    else joined[shorter] = notice
  }
  return joined
}

const contains = (longer: Notice, shorter: Notice) =>
  longer.kind === shorter.kind && longer.url === shorter.url && longer.text.includes(shorter.text)

export const withLanguage = (language: string, notices: readonly Notice[]): Notice[] =>
  notices.map((notice) => ({ ...notice, language }))

/** Replaces the shown notices of each kind that the vendor has sent again. */
export function renewNotices(shown: readonly Notice[], current: readonly Notice[]): Notice[] {
  const kinds = new Set(current.map(({ kind }) => kind))
  return joinNotices(
    current.map((notice) => shown.find((before) => hashNotice(before) === hashNotice(notice)) ?? notice),
    shown.filter(({ kind }) => !kinds.has(kind)),
  )
}

/** Notices with the same key have the same content. */
export const hashNotice = ({ kind, title, text, url, requiredAt }: Notice): string =>
  hash('sha256', JSON.stringify([kind, title, text, url ?? '', requiredAt]), 'base64url').slice(0, 22)
