import { expect, test, vi } from 'vitest'
import { type CheckedRoom, printTerms } from '../../../packages/client/src/cli/checked-room.ts'
import { formatMoney } from '../../../packages/client/src/cli/output.ts'
import { getRoomCharge } from '../../../packages/client/src/room-charge.ts'

const room = {
  name: 'Double',
  currency: 'GBP',
  total_inclusive: 376.12,
  taxes_fees: 40.65,
  due_at_property: 9.34,
  fees: [{ label: 'City tax', amount: 9.34, currency: 'GBP', paid_at: 'property' }],
  beds: ['1 double bed', '1 sofa bed'],
  board: 'room_only',
  cancel_policy: { cancelation: 'free', expires: '2027-02-26T16:00:00+01:00', penalties: [] },
  notices: [{ title: 'Terms', text: 'The vendor’s terms', url: 'https://example.com/terms' }],
  converted_from: {
    currency: 'EUR',
    total: 434.94,
    taxes_fees: 47,
    due_at_property: 10.8,
    penalties: [{ from: '2027-02-26T16:00:00+01:00', until: null, amount: 217.47, currency: 'EUR' }],
  },
}
const fees = [
  { label: 'City tax', amount: 10.8, currency: 'EUR', paid_at: 'property', local: { amount: 46.25, currency: 'PLN' } },
  { label: 'Cleaning', amount: 20, currency: 'EUR', paid_at: 'booking' },
]

test('printed terms show the beds, the vendor’s amounts, fees, cancellation costs and notice links, with the converted total in brackets', () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const checked = {
    status: 'matched',
    changes: [],
    room: { ...room, converted_from: { ...room.converted_from, fees } },
  } as unknown as CheckedRoom
  try {
    printTerms(checked)
    const lines = log.mock.calls.map(([line]) => String(line))
    expect(lines).toContain('Total         434.94 EUR (about 376.12 GBP)')
    expect(lines).toContain('  including   10.80 EUR at the property')
    expect(lines).toContain('  including   47.00 EUR taxes and fees')
    expect(lines.filter((line) => line.startsWith('Fee '))).toEqual([
      'Fee           City tax: 10.80 EUR at the property (46.25 PLN in local currency)',
      'Fee           Cleaning: 20.00 EUR',
    ])
    expect(lines).toContain('Beds          1 double bed, 1 sofa bed')
    expect(lines).toContain('Cancellation  free until 2027-02-26T16:00')
    expect(lines).toContain('  fee         217.47 EUR from 2027-02-26T16:00')
    expect(lines).toContain('Notice        Terms: The vendor’s terms https://example.com/terms')
  } finally {
    log.mockRestore()
  }
  expect(getRoomCharge(checked.room)).toMatchObject({ total: 434.94, currency: 'EUR' })
  expect(getRoomCharge({ ...checked.room, converted_from: null })).toMatchObject({ total: 376.12, currency: 'GBP' })
})

test('amounts keep all decimals, even in currencies that are usually shown without', () => {
  const shown = [
    formatMoney(45678.4, 'HUF'),
    formatMoney(45678, 'HUF'),
    formatMoney(4567.846, 'IQD'),
    formatMoney(1.5, 'KWD'),
    formatMoney(9, 'EUR'),
  ]
  expect(shown).toEqual(['45678.40 HUF', '45678 HUF', '4567.846 IQD', '1.500 KWD', '9.00 EUR'])
})
