import { expect, test } from 'vitest'
import type { Notice } from '../../src/domain/offer.ts'
import type { Steps } from './contract-steps.ts'

/** Mandatory notices as sent by the sandboxes: with markup, very long, or missing. */
export function noticesContract(steps: Steps): void {
  const { context, anOffer, checked, anOrder, find } = steps

  /** Notices of the properties, and of the first offer and its check. */
  async function everyNotice(): Promise<Notice[]> {
    const { vendor, propertyIds: ids } = steps.bench
    const found: Notice[] = []
    for await (const page of vendor.content({ kind: 'ids', ids }, context()))
      found.push(...page.properties.flatMap(({ notices = [] }) => notices))
    const offer = await anOffer()
    const check = await checked(offer)
    return [...found, ...(offer.notices ?? []), ...(check.notices ?? [])]
  }

  test('notices are plain text of bounded length with a place to show them', async () => {
    const all = await everyNotice()
    expect(all.length).toBeGreaterThan(0)
    for (const { text, title, requiredAt } of all) {
      expect(text).not.toMatch(/<\/?[a-z]|&(lt|amp|#)/i)
      expect(text.trim()).toBe(text)
      expect(text.length).toBeLessThanOrEqual(10_001)
      expect([title, ...requiredAt].every((word) => word !== '')).toBe(true)
      expect(requiredAt.length).toBeGreaterThan(0)
    }
  })

  test("the receipt has the vendor's number, and later the property's number for each room", async () => {
    const order = await anOrder('CONTRACT0NUMBERS0001')
    const receipt = await steps.bench.vendor.book(order, context())
    expect(receipt.confirmation).toMatchObject({ vendor: receipt.vendorReference })
    expect(receipt.confirmation).not.toHaveProperty('property')
    expect(receipt.confirmation?.rooms).toHaveLength(1)
    steps.bench.clock.advance(steps.bench.settings.confirmationMs + 1)
    const later = await find(order.reference)
    expect(later?.confirmation?.property).toMatch(/\w{5}/)
    expect(later?.confirmation?.rooms[0]?.property).toBe(later?.confirmation?.property)
  })
}
