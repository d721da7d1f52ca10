import { expect, test } from 'vitest'
import { cancelBooking, previewCancellation } from '../../../src/agents/cancel-tools.ts'
import type { ToolCall } from '../../../src/agents/tool.ts'

/** Creates an API that charges these fees in turn and refuses to cancel for more than the accepted fee. */
function createApiWithFees(...fees: number[]): ToolCall {
  const createOutcome = (penalty: number) => ({
    booking_id: 'bkg_1',
    status: 'confirmed',
    property: { name: 'Hotel Adlon' },
    check_in: '2027-01-15',
    check_out: '2027-01-16',
    penalty,
    refund: 100 - penalty,
    currency: 'EUR',
    cancel_policy: {
      cancelation: 'partial',
      expires: '2027-01-15T15:00:00+01:00',
      timezone: 'Europe/Berlin',
      penalties: [],
    },
  })
  const call = async ({ url }: { readonly url: string }) => {
    const penalty = fees.shift() ?? expect.fail('called too often')
    const agreed = new URL(url, 'http://localhost').searchParams.get('accept_penalty_up_to')
    if (agreed === null || penalty <= Number(agreed)) return { status: 200, body: { data: createOutcome(penalty) } }
    return { status: 409, body: { code: 'terms_changed', detail: 'Cancelling costs more: see changes.' } }
  }
  return { agent: { call }, askPerson: async () => 'not_asked' } as unknown as ToolCall
}

test('a fee that rises during a cancellation is refused, and the new digest is only in a new preview', async () => {
  const { cancel_digest } = await previewCancellation.run({ booking_id: 'bkg_1' } as never, createApiWithFees(10))
  const order = { booking_id: 'bkg_1', cancel_digest } as never
  await expect(cancelBooking.run(order, createApiWithFees(10, 50))).rejects.toMatchObject({
    code: 'digest_mismatch',
    message: expect.stringContaining('Nothing was cancelled. Call preview_cancellation'),
    facts: {},
  })
})
