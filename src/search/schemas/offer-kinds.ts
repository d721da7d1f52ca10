import { Type } from 'typebox'
import { BOARDS } from '../../domain/offer.ts'
import { nullable } from '../../http/schemas/or-null.ts'
import { Amount, LocalMoment } from '../../http/schemas/scalars.ts'

export const BoardSchema = Type.Enum([...BOARDS], { title: 'Board' })

export const FreeCancellationSchema = Type.Object(
  {
    total_price: Amount,
    until: nullable(LocalMoment, 'When free cancellation ends. Null if the vendor names no time.'),
  },
  { title: 'FreeCancellation' },
)
export const BoardOfferSchema = Type.Object({ board: BoardSchema, total_price: Amount }, { title: 'BoardOffer' })
