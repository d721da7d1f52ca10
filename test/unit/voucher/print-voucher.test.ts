import { expect, test } from 'vitest'
import { printVoucher } from '../../../src/voucher/print-voucher.ts'
import { createVoucher, type Voucher } from '../../../src/voucher/voucher.ts'
import { voucherPdf } from '../../../src/voucher/voucher-pdf.ts'
import { aBooking } from '../../support/booking/an-offer.ts'

const voucher = createVoucher(aBooking({ state: 'confirmed', vendorReference: '1-123' }))

test('vouchers printed in the thread equal those printed in the process, also concurrently', async () => {
  const own = await voucherPdf(voucher)
  const printed = await Promise.all([printVoucher(voucher), printVoucher(voucher)])
  expect(printed.map((pdf) => pdf.equals(own))).toEqual([true, true])
})

test('a voucher that cannot be printed does not affect the next one', async () => {
  await expect(printVoucher({} as Voucher)).rejects.toThrow('undefined')
  expect((await printVoucher(voucher)).subarray(0, 5).toString()).toBe('%PDF-')
})
