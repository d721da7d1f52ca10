import { Type } from 'typebox'
import { ConfirmationNumbersSchema } from '../booking/schemas/bookings.ts'
import { dataEnvelope } from '../http/schemas/answer.ts'
import { nullable } from '../http/schemas/or-null.ts'
import { Day, Point, TextOrNull, TimeZone } from '../http/schemas/scalars.ts'
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
