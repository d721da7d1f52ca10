import { expect, test } from 'vitest'
import { documentPdf } from '../../../src/voucher/document-pdf.ts'
import { printDocument } from '../../../src/voucher/print-document.ts'
import type { PrintedDocument } from '../../../src/voucher/printed-document.ts'
import { createVoucher } from '../../../src/voucher/voucher.ts'
import { voucherDocument } from '../../../src/voucher/voucher-document.ts'
import { aBooking } from '../../support/booking/an-offer.ts'

const voucher = voucherDocument(createVoucher(aBooking({ state: 'confirmed', vendorReference: '1-123' })))

test('vouchers printed in the thread equal those printed in the process, also concurrently', async () => {
  const own = await documentPdf(voucher)
  const printed = await Promise.all([printDocument(voucher), printDocument(voucher)])
  expect(printed.map((pdf) => pdf.equals(own))).toEqual([true, true])
})

test('a voucher that cannot be printed does not affect the next one', async () => {
  await expect(printDocument({} as PrintedDocument)).rejects.toThrow('undefined')
  expect((await printDocument(voucher)).subarray(0, 5).toString()).toBe('%PDF-')
})
