import type { MailLog, MailRecord } from '../../mail/store/log.ts'
import type { FailingWebhook, FailingWebhookStore } from '../../webhooks/store/failing.ts'
import type { AttentionEntry, AttentionSource } from './attention.ts'

type Deps = { readonly webhooks: Pick<FailingWebhookStore, 'list'>; readonly mails: Pick<MailLog, 'givenUp'> }

/** Webhooks that do not get their events, and mails that were given up. */
export const deliverySources = ({ webhooks, mails }: Deps): AttentionSource[] => [
  async (now, most) => (await webhooks.list(now, most)).map(webhookEntry),
  async (_now, most) => (await mails.givenUp(most)).map(mailEntry),
]

const counted = (count: number, one: string, many: string) => (count === 1 ? `one ${one}` : `${count} ${many}`)

function webhookEntry({ webhookId, accountId, since, latest, failed, waiting }: FailingWebhook): AttentionEntry {
  const parts = [
    ...(failed > 0 ? [`${counted(failed, 'event was', 'events were')} given up`] : []),
    ...(waiting > 0 ? [`${counted(waiting, 'event has', 'events have')} been tried for more than an hour`] : []),
  ]
  return {
    id: `webhook_failing.${webhookId}`,
    kind: 'webhook_failing',
    since,
    asOf: latest,
    title: `Webhook ${webhookId} does not get its events`,
    whatHappened: `Its receiver does not accept them: ${parts.join(', and ')}. An event is tried for 24 hours.`,
    whatToDo: `Tell account ${accountId}. Once the receiver works, send everything again: events of one booking stay in their order, and each has the id it had before.`,
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
    whatHappened: `The mail ${to} was given up after ${counted(attempts, 'attempt', 'attempts')} (${error ?? 'no code is known'}).`,
    whatToDo:
      'If the mail server was at fault, send it again. If the address is wrong, ask the client for the right one and tell the guest otherwise.',
    action: 'send_mail',
    bookingId,
    mailSequence: sequence,
  }
}
