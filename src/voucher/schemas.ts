import { Type } from 'typebox'
import { ConfirmationNumbersSchema } from '../booking/schemas/bookings.ts'
import { PaymentCardSchema } from '../booking/schemas/payment.ts'
import { dataEnvelope } from '../http/schemas/answer.ts'
import { nullable } from '../http/schemas/or-null.ts'
import { Amount, Currency, Day, Moment, Point, TextOrNull, TimeZone } from '../http/schemas/scalars.ts'
import { BoardSchema } from '../search/schemas/conditions.ts'
import { NoticeSchema } from '../search/schemas/property-detail.ts'
import { Nights, OccupancySchema } from '../search/schemas/search.ts'

const VoucherRoom = Type.Object(
  {
    lead_guest: Type.String(),
    ...OccupancySchema.properties,
    confirmation: ConfirmationNumbersSchema,
  },
  { title: 'VoucherRoom' },
)

const VoucherProperty = Type.Object(
  {
    name: Type.String(),
    category: Type.String({ description: 'Accommodation type, such as `Hotel`; empty if unknown.' }),
    address: Type.String(),
    phone: Type.String(),
    location: Point,
    timezone: TimeZone,
    check_in_time: Type.String(),
    check_out_time: Type.String(),
  },
  { title: 'VoucherProperty' },
)

export const VoucherSchema = Type.Object(
  {
    booking_id: Type.String(),
    vendor_id: Type.String(),
    vendor_reference: nullable(Type.String(), 'The vendor’s confirmation number.'),
    property_reference: nullable(Type.String(), 'The hotel confirmation number.'),
    reference: Type.String({ description: 'The booking reference: our number, as sent to the vendor.' }),
    client_reference: TextOrNull,
    property: VoucherProperty,
    room: Type.Object(
      { name: Type.String(), beds: Type.Array(Type.String()), board: BoardSchema },
      { title: 'VoucherRoomKind' },
    ),
    check_in: Day,
    check_out: Day,
    nights: Nights,
    rooms: Type.Array(VoucherRoom),
    special_requests: Type.String(),
    notices: Type.Array(NoticeSchema),
    clause: nullable(Type.String(), 'The vendor’s payment clause, required on every voucher.'),
    simulated: Type.Boolean(),
  },
  { title: 'Voucher', description: 'The document a guest shows at check-in. It contains no price.' },
)

export const VoucherResponse = dataEnvelope('VoucherAnswer', VoucherSchema)

export const ReceiptSchema = Type.Object(
  {
    payment_id: Type.String({ description: 'Also the number of the receipt.' }),
    booking_id: Type.String(),
    reference: Type.String({ description: 'The booking reference.' }),
    guest: Type.String(),
    property: Type.Object({ name: Type.String(), address: Type.String() }, { title: 'ReceiptProperty' }),
    room: Type.String(),
    check_in: Day,
    check_out: Day,
    nights: Nights,
    total_price: { ...Amount, description: 'Price of the stay, in `total_currency`.' },
    due_at_property: { ...Amount, description: 'Part of it that the property collects; not part of this payment.' },
    total_currency: Currency,
    charged: Amount,
    charged_at: nullable(Moment),
    refunded: Amount,
    refund_pending: { ...Amount, description: 'On its way to the card.' },
    currency: Currency,
    card: nullable(PaymentCardSchema, 'Null after personal data was erased.'),
    simulated: Type.Boolean(),
  },
  { title: 'Receipt', description: 'What was charged to the guest’s card, and what was refunded.' },
)

export const ReceiptResponse = dataEnvelope('ReceiptAnswer', ReceiptSchema)
