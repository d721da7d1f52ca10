import type { Keyring } from '../../lib/crypto/keyring.ts'
import { openText, sealText } from '../../lib/crypto/seal.ts'
import type { Tables } from '../../store/tables.ts'

/** First response to a booking request. */
export type StoredAnswer = { readonly status: number; readonly body: string }

/** Provisional 202 response; replaced by the final one. */
export const isProvisional = ({ status }: StoredAnswer): boolean => status === 202

const ANSWER = 'ans2'

type AnswerColumns = Pick<Tables['bookings'], 'answer_status' | 'answer_body'>

export const EMPTY_ANSWER: AnswerColumns = { answer_status: null, answer_body: null }

export const sealAnswer = (keyring: Keyring, answer: StoredAnswer) => ({
  answer_status: answer.status,
  answer_body: sealText(keyring, ANSWER, answer.body),
})

export function readAnswer(row: AnswerColumns, keyring: Keyring): StoredAnswer | undefined {
  if (row.answer_status === null || row.answer_body === null) return undefined
  const body = openText(keyring, ANSWER, row.answer_body)
  return body === undefined ? undefined : { status: row.answer_status, body }
}
