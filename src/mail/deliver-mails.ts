import { MAIL_RETRY_FOR_MS, type MailContent, mailRetryWaitMs, type OperatorNote } from '../domain/mail.ts'
import { createWorker } from '../lib/async/worker.ts'
import type { Clock } from '../lib/time/clock.ts'
import { MINUTE_MS } from '../lib/time/durations.ts'
import type { SendResult, SmtpSender } from './smtp-sender.ts'
import type { DueMail, MailStore } from './store/mails.ts'
import type { Mail } from './write-mail.ts'

export const MAIL_RESULTS = ['sent', 'retry', 'given_up'] as const

/** Result of one attempt. Safe to log: contains neither address nor text. */
export type MailReport = {
  readonly bookingId: string
  readonly sequence: number
  readonly attempt: number
  readonly result: (typeof MAIL_RESULTS)[number]
  readonly code: string | undefined
}

type DeliverMailsDeps = {
  readonly mails: MailStore
  /** If undefined, nothing is sent. */
  readonly sender: SmtpSender | undefined
  readonly write: (content: MailContent | OperatorNote) => Promise<Mail>
  readonly clock: Clock
  readonly random?: () => number
  onReport?(report: MailReport): void
  onBug(error: unknown, mail: DueMail): void
}

const AT_ONCE = 4
/** Above the maximum of one attempt (ten server replies of 30 seconds), so that only a dead process loses its lease. */
const LEASE_MS = 6 * MINUTE_MS
/** Delays before storing an outcome again; their sum is far below the lease. */
const RECORD_RETRY_MS = [100, 1_000, 5_000, 20_000]

/** Sends due mails and returns their number. Any number of processes may run it. */
export function createDeliverMails(deps: DeliverMailsDeps): () => Promise<number> {
  const { sender } = deps
  if (sender === undefined) return async () => 0
  const worker = createWorker<DueMail>({
    name: 'mail',
    claim: (running) => deps.mails.claimDue(deps.clock.now(), LEASE_MS, AT_ONCE - running.length),
    // An unavailable server is retried on the next scheduled run.
    work: async (mail) => (await deliverOne(deps, sender, mail)) !== 'unavailable',
    onBug: deps.onBug,
  })
  return () => worker.run()
}

async function deliverOne(deps: DeliverMailsDeps, sender: SmtpSender, mail: DueMail): Promise<SendResult['result']> {
  const outcome = await send(deps, sender, mail)
  await recordWithRetries(deps, mail, outcome)
  return outcome.result
}

/** A bug in one mail must not block the others. */
async function send(deps: DeliverMailsDeps, sender: SmtpSender, mail: DueMail): Promise<SendResult> {
  if (mail.content === undefined) return { result: 'refused', code: 'unreadable' }
  try {
    return await sender.send(await deps.write(mail.content))
  } catch (error) {
    deps.onBug(error, mail)
    return { result: 'deferred', code: 'internal' }
  }
}

/** Retries only the write, so that a sent mail is not sent again. */
async function recordWithRetries(deps: DeliverMailsDeps, mail: DueMail, outcome: SendResult): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await record(deps, mail, outcome)
    } catch (error) {
      const waitMs = RECORD_RETRY_MS[tries]
      if (waitMs === undefined) return deps.onBug(error, mail)
      await new Promise((later) => setTimeout(later, waitMs))
    }
  }
}

async function record(deps: DeliverMailsDeps, mail: DueMail, outcome: SendResult): Promise<void> {
  const { bookingId, sequence, attempts: attempt } = mail
  const report = (result: MailReport['result'], code?: string) =>
    deps.onReport?.({ bookingId, sequence, attempt, result, code })
  if (outcome.result === 'sent') {
    await deps.mails.sent(mail)
    return report('sent')
  }
  const dueAt = deps.clock.now() + mailRetryWaitMs(attempt, deps.random ?? Math.random)
  if (outcome.result === 'refused' || dueAt > mail.createdAt + MAIL_RETRY_FOR_MS) {
    await deps.mails.giveUp(mail, outcome.code)
    return report('given_up', outcome.code)
  }
  await deps.mails.postpone(mail, dueAt, outcome.code)
  report('retry', outcome.code)
}
