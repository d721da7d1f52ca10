import type { Static } from 'typebox'
import { refuseCardNumbers } from '../../booking/guests/card-numbers.ts'
import { invalidRequest } from '../../domain/errors.ts'
import type { NewWebhookOrder } from '../manage-webhooks.ts'
import type { WebhookRequest, WebhookUpdate } from '../schemas.ts'
import type { WebhookChanges } from '../store/webhooks.ts'

export function readNewWebhook(body: Static<typeof WebhookRequest>): NewWebhookOrder {
  refuseCardNumbers(body)
  return { url: body.url, events: body.events ?? undefined, description: body.description ?? '' }
}

export function readWebhookChanges(body: Static<typeof WebhookUpdate>): WebhookChanges {
  refuseCardNumbers(body)
  const { url, events, description, enabled } = body
  const changes: WebhookChanges = {
    ...(url == null ? {} : { url }),
    ...(events == null ? {} : { events: [...new Set(events)] }),
    ...(description == null ? {} : { description }),
    ...(enabled == null ? {} : { enabled }),
  }
  if (Object.keys(changes).length === 0) throw invalidRequest([NOTHING])
  return changes
}

const NOTHING = {
  field: 'body',
  code: 'required',
  message: 'Nothing is to be changed: send at least one of url, events, description and enabled.',
}
