import type { Static } from 'typebox'
import type { CancelResponse } from '../booking/schemas/bookings.ts'
import { computeFingerprint } from '../lib/crypto/fingerprint.ts'
import { requestApi, ToolError } from './api.ts'
import { isSame, nextStep } from './booking-tools.ts'
import { CancelInput, CancelOutput, PreviewInput, PreviewOutput } from './schemas.ts'
import { summarizeCancellation } from './summary.ts'
import { READS, type Tool, type ToolCall } from './tool.ts'

type Outcome = Static<typeof CancelResponse>['data']

export const previewCancellation: Tool = {
  name: 'preview_cancellation',
  title: 'Preview the cancellation fee',
  description: 'Returns the current cancellation fee and the cancel_digest that cancel_booking needs. Changes nothing.',
  scopes: ['cancel'],
  input: PreviewInput,
  output: PreviewOutput,
  effect: READS,
  run: async ({ booking_id: id }: Static<typeof PreviewInput>, call) => presentPreview(await preview(call, id)),
}

export const cancelBooking: Tool = {
  name: 'cancel_booking',
  title: 'Cancel a booking',
  description:
    'Cancels a booking. The fee is charged: call it only after the user has agreed to the summary of preview_cancellation, with its cancel_digest. Calling it again returns the same outcome.',
  scopes: ['cancel'],
  input: CancelInput,
  output: CancelOutput,
  effect: { moves: true, idempotent: true, readsOnly: false },
  doubt:
    'It is not known whether the booking was cancelled. Call get_booking, or cancel_booking again with the same cancel_digest: it is cancelled at most once.',
  async run({ booking_id: id, cancel_digest: digest }: Static<typeof CancelInput>, call) {
    const now = await preview(call, id)
    if (now.status === 'cancelled' || now.status === 'cancelling') return presentOutcome(now)
    if (!isSame(digest, computeDigest(now))) throw digestMismatch()
    const answer = await call.askPerson(summarizeCancellation(now), `${id} ${digest}`)
    if (answer === 'declined')
      throw new ToolError('declined', 'The user declined. Nothing was cancelled. Do not ask again.')
    return presentOutcome(await cancelForAtMost(call, now))
  },
}

/** A fee that rises after the digest was compared gives the same error as one that rose before. */
async function cancelForAtMost(call: ToolCall, { booking_id: id, penalty }: Outcome): Promise<Outcome> {
  try {
    return await cancel(call, id, `accept_penalty_up_to=${penalty}`)
  } catch (error) {
    if (error instanceof ToolError && error.code === 'terms_changed') throw digestMismatch()
    throw error
  }
}

const digestMismatch = () =>
  new ToolError(
    'digest_mismatch',
    'The cancel_digest does not match the current fee. Nothing was cancelled. Call preview_cancellation, show its summary to the user, and cancel with its cancel_digest if they agree.',
  )

const PREVIEW = 'preview=true'
const preview = (call: ToolCall, id: string) => cancel(call, id, PREVIEW)

async function cancel({ agent }: ToolCall, id: string, query: string): Promise<Outcome> {
  const url = `/api/accommodation/bookings/${encodeURIComponent(id)}/cancel?${query}`
  const request = { method: 'POST', url, outlivesClient: query !== PREVIEW } as const
  return (await requestApi<Static<typeof CancelResponse>>(agent, request)).data
}

/** Identifies one booking and one fee. */
const computeDigest = ({ booking_id, penalty, currency }: Outcome): string =>
  `cnl1_${computeFingerprint([booking_id, penalty, currency]).slice(0, 40)}`

const presentPreview = (outcome: Outcome): Static<typeof PreviewOutput> => ({
  booking_id: outcome.booking_id,
  status: outcome.status,
  penalty: outcome.penalty,
  refund: outcome.refund,
  currency: outcome.currency,
  cancel_policy: outcome.cancel_policy,
  summary: summarizeCancellation(outcome),
  cancel_digest: computeDigest(outcome),
  valid_until: outcome.cancel_policy.expires,
})

const presentOutcome = ({ booking_id, status, penalty, refund, currency }: Outcome): Static<typeof CancelOutput> => ({
  booking_id,
  status,
  next: nextStep(status),
  penalty,
  refund,
  currency,
})
