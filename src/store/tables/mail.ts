/** A mail to a guest or to the operator; nothing of it that is personal stands outside of `content`. */
export type MailRow = {
  booking_id: string
  /** Of the event that it tells of; negative for a mail to the operator. */
  sequence: number
  kind: string
  /** What it is written from, encrypted; null once it is of no further use. */
  content: string | null
  created_at: number
  attempts: number
  /** sent, failed, superseded, or kept: never to be sent. Null: waiting to be sent. */
  outcome: string | null
  /** A code of the last failure. */
  error: string | null
}
