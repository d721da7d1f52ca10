import { type Static, Type } from 'typebox'
import { booleanParameter } from '../../http/schemas/flag.ts'

export type CancelQuery = Static<typeof CancelQuery>
export const CancelQuery = Type.Object({
  preview: booleanParameter('preview', 'Compute the penalty and change nothing.'),
  accept_penalty_up_to: Type.Optional(
    Type.String({
      pattern: '^\\d{1,12}(\\.\\d{1,4})?$',
      description:
        'The accepted `penalty` as a decimal, in the `currency` of the preview. If cancelling costs more now, nothing is cancelled: `terms_changed`.',
      'x-errors': { '*': { code: 'wrong_type', message: 'accept_penalty_up_to must be a decimal, such as 25.50.' } },
    }),
  ),
})

export function readCancelQuery({ preview, accept_penalty_up_to: limit }: CancelQuery) {
  return { preview: preview === 'true', acceptPenaltyUpTo: limit === undefined ? undefined : Number(limit) }
}
