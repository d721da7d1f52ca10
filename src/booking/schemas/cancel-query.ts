import { type Static, Type } from 'typebox'
import { flag } from '../../http/schemas/flag.ts'

/** How a cancellation is asked for: by the customer, or by an operator for them. */
export type CancelQuery = Static<typeof CancelQuery>
export const CancelQuery = Type.Object({
  preview: flag('preview', 'Compute the penalty and change nothing.'),
  accept_penalty_up_to: Type.Optional(
    Type.String({
      pattern: '^\\d{1,12}(\\.\\d{1,4})?$',
      description:
        'A decimal: the `penalty` that was agreed to, in the `currency` of the preview. Where cancelling costs more by now, nothing is cancelled: `terms_changed`.',
      'x-errors': { '*': { code: 'wrong_type', message: 'accept_penalty_up_to must be a decimal, such as 25.50.' } },
    }),
  ),
})

export function readCancelQuery({ preview, accept_penalty_up_to: most }: CancelQuery) {
  return { preview: preview === 'true', acceptPenaltyUpTo: most === undefined ? undefined : Number(most) }
}
