import type { Board } from '../domain/offer.ts'
import { writeOutCountry } from '../lib/text/write-out-country.ts'
import { type DocumentSection, known, type PrintedDocument, SELLER } from './printed-document.ts'
import type { Voucher, VoucherRoom } from './voucher.ts'

export const BOARD_NAMES: Readonly<Record<Board, string>> = {
  room_only: 'Room only',
  breakfast: 'Breakfast included',
  half_board: 'Half board',
  full_board: 'Full board',
  all_inclusive: 'All inclusive',
  self_catering: 'Self-catering',
  some_meals: 'Some meals included, see below',
}

/** The voucher, without unknown values. */
export const voucherDocument = (voucher: Voucher): PrintedDocument => ({
  title: `Voucher: ${voucher.property.name}`,
  heading: 'Voucher',
  isSimulated: voucher.simulated,
  sections: writeSections(voucher),
  updatedAt: voucher.updatedAt,
})

function writeSections(voucher: Voucher): DocumentSection[] {
  const { property, room } = voucher
  return [
    {
      title: property.name,
      facts: known([
        ['Accommodation type', property.category],
        ['Address', writeOutCountry(property.address, 'en')],
        ['Phone', property.phone],
      ]),
    },
    {
      title: 'Booking',
      facts: known([
        ['Booking reference', voucher.reference],
        ['Vendor confirmation number', voucher.vendorReference],
        ['Hotel confirmation number', voucher.propertyNumber],
        ['Agency reference', isFromPage(voucher) ? undefined : voucher.clientReference],
        ['Booked with', SELLER],
      ]),
    },
    {
      title: 'Stay',
      facts: known([
        ['Check-in', withTime(voucher.checkIn, 'from', property.checkInTime)],
        ['Check-out', withTime(voucher.checkOut, 'until', property.checkOutTime)],
        ['Nights', String(voucher.nights)],
        ['Room', room.name],
        ['Beds', room.beds.join(', ')],
        ['Board', BOARD_NAMES[room.board]],
        ['Special requests', voucher.specialRequests],
      ]),
    },
    ...voucher.rooms.map((stay) => roomSection(stay, isOnlyRoom(voucher) ? 'Guest' : `Room ${stay.number}`)),
    ...voucher.notices.map(({ title, text, url }) => ({ title, facts: [], text, ...(url !== undefined && { url }) })),
    ...(voucher.clause === undefined ? [] : [{ title: 'Seller and payment', facts: [], text: voucher.clause }]),
  ]
}

/** The page's own id of a checkout, which no guest has seen. */
const isFromPage = ({ clientReference = '' }: Voucher) => clientReference.startsWith('web_')

const isOnlyRoom = ({ rooms }: Voucher) => rooms.length === 1 && rooms[0]?.number === 1

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' })

function withTime(date: string, word: string, time: string): string {
  const day = DAY.format(Date.parse(`${date}T00:00:00Z`))
  return time === '' ? day : `${day}, ${word} ${time}`
}

function roomSection({ guest, adults, childrenAges, vendor, property }: VoucherRoom, title: string): DocumentSection {
  const children = childrenAges.length === 0 ? '' : `, children aged ${childrenAges.join(', ')}`
  return {
    title,
    facts: known([
      ['Lead guest', guest],
      ['Travellers', `${adults} ${adults === 1 ? 'adult' : 'adults'}${children}`],
      ['Vendor confirmation number of the room', vendor],
      ['Hotel confirmation number', property],
    ]),
  }
}
