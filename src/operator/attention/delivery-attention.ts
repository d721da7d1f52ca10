import type { MailLog, MailRecord } from '../../mail/store/log.ts'
import type { FailingWebhook, FailingWebhookStore } from '../../webhooks/store/failing.ts'
import type { AttentionEntry, AttentionSource } from './attention.ts'

type Deps = { readonly webhooks: Pick<FailingWebhookStore, 'list'>; readonly mails: Pick<MailLog, 'givenUp'> }

/** Webhooks that do not receive their events, and mails that were not sent. */
export const deliverySources = ({ webhooks, mails }: Deps): AttentionSource[] => [
  async (now, limit) => (await webhooks.list(now, limit)).map(webhookEntry),
  async (_now, limit) => (await mails.givenUp(limit)).map(mailEntry),
]

const formatCount = (count: number, one: string, many: string) => (count === 1 ? `one ${one}` : `${count} ${many}`)

function webhookEntry({ webhookId, accountId, since, latest, failed, waiting }: FailingWebhook): AttentionEntry {
  const parts = [
    ...(failed > 0 ? [`${formatCount(failed, 'event was', 'events were')} given up`] : []),
    ...(waiting > 0 ? [`${formatCount(waiting, 'event has', 'events have')} been retried for more than an hour`] : []),
  ]
  return {
    id: `webhook_failing.${webhookId}`,
    kind: 'webhook_failing',
    since,
    worsenedAt: latest,
    title: `Webhook ${webhookId} does not receive its events`,
    whatHappened: `Its receiver does not accept them: ${parts.join(', and ')}. Events are retried for 24 hours.`,
    whatToDo: `Inform account ${accountId}. Once the receiver works, resend all events. Those of one booking stay in order, and each keeps its id.`,
    action: 'replay',
    webhookId,
    accountId,
  }
}

function mailEntry({ bookingId, sequence, kind, createdAt, attempts, error }: MailRecord): AttentionEntry {
  const to = sequence < 0 ? 'to you, the operator,' : 'to the guest'
  return {
    id: `mail_failed.${bookingId}.${sequence}`,
    kind: 'mail_failed',
    since: createdAt,
    title: `A mail was not sent: ${kind}, booking ${bookingId}`,
    whatHappened: `The mail ${to} was given up after ${formatCount(attempts, 'attempt', 'attempts')} (${error ?? 'no code is known'}).`,
    whatToDo:
      'If the mail server was at fault, send it again. If the address is wrong, ask the client for the right one and inform the guest by other means.',
    action: 'send_mail',
    bookingId,
    mailSequence: sequence,
  }
}
