import { expect, test, vi } from 'vitest'
import { type Checked, chargeOf, printTerms } from '../../../packages/client/src/cli/checked-room.ts'

const room = {
  name: 'Double',
  currency: 'GBP',
  total_inclusive: 376.12,
  due_at_property: 9.34,
  board: 'room_only',
  cancel_policy: { cancelation: 'none', expires: '' },
  notices: [],
  converted_from: { currency: 'EUR', total: 434.94, due_at_property: 10.8 },
}

test('the terms that are agreed to name what the vendor charges, and the converted amount only beside it', () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const checked = { status: 'matched', changes: [], room } as unknown as Checked
  try {
    printTerms(checked)
    const lines = log.mock.calls.map(([line]) => String(line))
    expect(lines).toContain('Total         434.94 EUR (about 376.12 GBP)')
    expect(lines).toContain('  of it       10.80 EUR at the property')
  } finally {
    log.mockRestore()
  }
  expect(chargeOf(checked.room)).toMatchObject({ total: 434.94, currency: 'EUR' })
  expect(chargeOf({ ...checked.room, converted_from: null })).toMatchObject({ total: 376.12, currency: 'GBP' })
})
