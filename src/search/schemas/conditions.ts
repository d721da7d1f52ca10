import { Type } from 'typebox'
import { BOARDS } from '../../domain/offer.ts'
import { nullable } from '../../http/schemas/or-null.ts'
import { Amount, LocalMoment } from '../../http/schemas/scalars.ts'

export const BoardSchema = Type.Enum([...BOARDS], { title: 'Board' })

export const ConditionsSchema = Type.Object(
  { free_cancellation: Type.Optional(Type.Literal(true)), boards: Type.Optional(Type.Array(BoardSchema)) },
  { title: 'Conditions', description: 'Every rate in the result meets them. Empty if there are none.' },
)

export const FreeCancellationSchema = Type.Object(
  {
    total_price: Amount,
    until: nullable(LocalMoment, 'When free cancellation ends. Null if the vendor names no time.'),
  },
  {
    title: 'FreeCancellation',
    description:
      'The cheapest rate with free cancellation among those that the vendors sent for this search. Absent if none came; others may exist. Send `conditions` to ask for them.',
  },
)
