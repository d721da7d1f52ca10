import {
  type HeaderList,
  verifyWebhook,
  WebhookError,
  type WebhookEvent,
  type WebhookToVerify,
} from './verify-webhook.ts'

export type WebhookReceiver = Pick<WebhookToVerify, 'secret' | 'toleranceSeconds'> & {
  /** Called for every delivery with a valid signature. If it fails, the service delivers the event again. */
  readonly onEvent: (event: WebhookEvent) => unknown
  /** Called with the reason of every response other than 204. */
  readonly onError?: (error: unknown) => void
}

/** Reads the raw body; throws if something has parsed it already. */
type ReadBody = () => string | Uint8Array | Promise<string | Uint8Array>

/** Returns the status of the response: 204, 400 if the message is not the service's, or 500 if it was not handled. */
export async function receiveWebhook(receiver: WebhookReceiver, headers: HeaderList, readBody: ReadBody) {
  const { onEvent, onError, ...verification } = receiver
  try {
    await onEvent(await verifyWebhook({ ...verification, headers, body: await readBody() }))
    return 204
  } catch (error) {
    onError?.(error)
    return error instanceof WebhookError ? 400 : 500
  }
}
