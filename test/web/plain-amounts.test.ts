import { afterEach, expect, test } from 'vitest'
import { findAccessFaultsInBothThemes, PHONE } from '../support/servers/browser.ts'
import type { Json } from './recorded-answers.ts'
import {
  type ApiRequest,
  example,
  manyProperties,
  openRecorded,
  RESULTS_ADDRESS,
  type RecordedVisit,
  STAY_ADDRESS,
} from './recorded-api.ts'
import { sharedSite } from './sites.ts'
import { chooseCheapestRoom, waitForResults } from './steps.ts'

let visit: RecordedVisit
afterEach(async () => {
  expect(visit.trouble()).toEqual([])
  await visit.close()
})

const FEES = {
  kind: 'fees',
  title: 'Mandatory fees',
  title_code: 'mandatory_fees',
  text: 'Cleaning fee: EUR 35 per stay\nBed linen: EUR 8 per person',
  url: null,
  language: 'en',
  required_at: ['detail', 'checkout', 'voucher'],
}

const PENALTY = { from: '2027-01-01T00:00:00+00:00', until: null, amount: 60.25, currency: 'EUR' }

const changeTerms = (room: Json): Json => ({
  ...{ ...room, currency: 'EUR', total: 200, total_inclusive: 200, public_price: 200 },
  ...{ due_at_property: 0, taxes_fees: 20, fees: [], converted_from: null, notices: [FEES] },
  cancel_policy: { ...room.cancel_policy, cancelation: 'partial', penalties: [PENALTY] },
})

/** The recorded property with one partly refundable room whose mandatory fees are only text. */
async function open(options: Parameters<typeof openRecorded>[1] = {}) {
  visit = await openRecorded(await sharedSite(), options)
  const { api } = visit
  api.answer('searchDetail', (request: ApiRequest) => {
    const answer = api.recorded(request)
    if (answer === 'lost') return answer
    const { accommodation } = answer.body
    const [room] = accommodation.available_rooms
    const changed = changeTerms(room)
    const types = [{ ...accommodation.room_types[0], rooms: [0] }]
    return {
      status: 200,
      body: { accommodation: { ...accommodation, available_rooms: [changed], room_types: types } },
    }
  })
  const { data } = example('bookingCheckPrice')
  api.answerWith('bookingCheckPrice', { data: { ...data, room: changeTerms(data.room) } })
  return visit.page
}

test('fees named only in words stand beside the total, with an estimate outside of it, and a partial refund says both amounts', async () => {
  const page = await open()
  await page.goto(STAY_ADDRESS)
  const rooms = page.locator('#rooms')
  await rooms.getByText('Plus fees at the property, see “Please note”').waitFor()
  await rooms.getByText('About €51, estimated from the vendor’s text and not part of the total').waitFor()
  expect(await rooms.getByTestId('stay-price').first().textContent()).toBe('€200')
  await rooms.getByText('If you cancel now, you pay €60.25 and get €139.75 back.').waitFor()
  expect(await findAccessFaultsInBothThemes(page, rooms)).toEqual([])
  await chooseCheapestRoom(page)
  const summary = page.getByRole('complementary', { name: 'Your stay' })
  await summary.getByText('You pay €60.25 and get €139.75 back', { exact: true }).waitFor()
  expect(await page.getByRole('combobox', { name: 'Currency' }).count()).toBe(0)
})

test.each([
  ['en-US', '$', ['$200.50', 'Total, 2 nights, with taxes', '$100.25 per night', 'Taxes and fees', 'Total']],
  ['en-GB', '£', ['£200.50', 'Total, 2 nights, with taxes', '£100.25 per night', 'Taxes and fees', 'Total']],
  ['de-DE', '€', ['200,50 €', 'Gesamt, 2 Nächte, mit Steuern', '100,25 € pro Nacht', 'Steuern und Gebühren', 'Gesamt']],
])(
  'in %s the total with taxes is the largest amount, in the list, on the property page and in the checkout',
  async (locale, sign, texts) => {
    const page = await open({ locale })
    const currency = { $: 'USD', '£': 'GBP', '€': 'EUR' }[sign] ?? ''
    const price = { total_price: 200.5, public_price: 200.5, currency, converted: false, fees_in_text: false }
    visit.api.find(manyProperties(1).map((each) => ({ ...each, ...price })))
    const amounts = { ...price, total: 200.5, total_inclusive: 200.5, taxes_fees: 20.5, due_at_property: 0 }
    const terms = { ...amounts, fees: [], converted_from: null, notices: [] }
    visit.api.answer('searchDetail', (request: ApiRequest) => {
      const answer = visit.api.recorded(request)
      if (answer === 'lost') return answer
      const { accommodation } = answer.body
      const [room] = accommodation.available_rooms
      const types = [{ ...accommodation.room_types[0], rooms: [0] }]
      const priced = { ...accommodation, available_rooms: [{ ...room, ...terms }], room_types: types }
      return { status: 200, body: { accommodation: priced } }
    })
    const { data } = example('bookingCheckPrice')
    visit.api.answerWith('bookingCheckPrice', { data: { ...data, room: { ...data.room, ...terms } } })
    const [total, basis, perNight, taxes, sum] = texts.map((text) => text.replace(' €', '\u00a0€'))
    const address = (path: string) => path.replace('cur=EUR', `cur=${currency}`)
    await page.goto(address(RESULTS_ADDRESS))
    await waitForResults(page)
    const box = page.locator('[data-property]').first().getByTestId('stay-price').locator('..')
    expect(await box.textContent()).toBe(`${total}${basis} · ${perNight}`)
    const [large, small] = await page.evaluate<number[]>(
      `[...document.querySelectorAll('[data-property] [data-testid=stay-price], [data-property] [data-testid=stay-price] + p')].map((each) => Number.parseFloat(getComputedStyle(each).fontSize))`,
    )
    expect(large).toBeGreaterThan(1.4 * (small ?? 99))
    await page.goto(address(STAY_ADDRESS))
    await page.locator('#rooms table').first().waitFor()
    expect(await page.locator('#rooms').getByTestId('stay-price').textContent()).toBe(total)
    await page.locator('#rooms tbody button').first().click()
    const summary = page.locator('aside#stay')
    expect(await summary.getByTestId('total').textContent()).toBe(total)
    expect(await summary.locator('dt').allTextContents()).toEqual(expect.arrayContaining([taxes, sum]))
  },
)

test('a card says that a vendor names fees in words, and only then', async () => {
  const page = await open()
  visit.api.find(manyProperties(3).map((each, index) => ({ ...each, fees_in_text: index === 1 })))
  await page.goto(RESULTS_ADDRESS)
  await waitForResults(page)
  const card = page.locator('[data-property]', { hasText: 'Plus fees at the property' })
  expect(await card.count()).toBe(1)
  expect(await card.getAttribute('data-property')).toBe('prp_recorded1')
})

test('fees in words and a partial refund are explained on a phone in German', async () => {
  const page = await open({ viewport: PHONE, locale: 'de-DE' })
  await page.goto(STAY_ADDRESS)
  const fees = page.getByText('Zuzüglich Gebühren in der Unterkunft, siehe „Bitte beachten“')
  await fees.first().waitFor()
  await page.getByText('Wenn Sie jetzt stornieren, zahlen Sie 60,25 € und erhalten 139,75 € zurück.').waitFor()
  expect(await findAccessFaultsInBothThemes(page, fees.first())).toEqual([])
})

test('a linked property with past dates still says so after its prices have loaded', async () => {
  const page = await open()
  await page.goto(STAY_ADDRESS.replace(/in=[^&]+/, 'in=2020-01-01').replace(/out=[^&]+/, 'out=2020-01-03'))
  await page.locator('#rooms table').first().waitFor()
  await page.waitForTimeout(300)
  expect(await page.getByText('The check-in date is already in the past at the destination.').count()).toBe(1)
})
