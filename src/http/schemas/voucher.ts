import { Type } from 'typebox'
import { dataOf } from './answer.ts'
import { ConfirmationNumbersSchema } from './bookings.ts'
import { NoticeSchema } from './detail.ts'
import { BoardSchema } from './offer-kinds.ts'
import { nullable } from './or-null.ts'
import { Day, Point, TextOrNull, TimeZone } from './scalars.ts'
import { Nights, OccupancySchema } from './search.ts'

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
    vendor_reference: TextOrNull,
    property_reference: TextOrNull,
    reference: Type.String(),
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
    clause: nullable(Type.String(), 'What the vendor wants every voucher to say of payment.'),
    simulated: Type.Boolean(),
  },
  { title: 'Voucher', description: 'What the guest shows at check-in. It holds no price.' },
)

export const VoucherResponse = dataOf('VoucherAnswer', VoucherSchema)
