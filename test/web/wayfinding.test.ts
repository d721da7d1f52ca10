import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findAccessFaultsInBothThemes, PHONE } from '../support/servers/browser.ts'
import { type Answer, example } from './recorded-answers.ts'
import {
  type ApiRequest,
  manyProperties,
  openRecorded,
  RESULTS_ADDRESS,
  type RecordedVisit,
  STAY_ADDRESS,
} from './recorded-api.ts'
import { sharedSite } from './sites.ts'
import { chooseCheapestRoom, waitForResults } from './steps.ts'

let visit: RecordedVisit

const closeVisit = async () => {
  expect(visit.trouble()).toEqual([])
  await visit.close()
}

describe('on a laptop', () => {
  beforeAll(async () => {
    visit = await openRecorded(await sharedSite())
  })
  afterAll(closeVisit)

  test('the first Tabs of the list lead to the results and the filters', async () => {
    const { page, api } = visit
    api.find(manyProperties(35))
    await page.goto(RESULTS_ADDRESS)
    await waitForResults(page)
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the results')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the filters')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('filters')
  })

  test('a property shows what its card knew until its rooms have come, and the way back leads to the same place of the list', async () => {
    const { page, api } = visit
    const { promise, resolve } = Promise.withResolvers<Answer>()
    let asked: ApiRequest | undefined
    api.answer('searchDetail', (request) => {
      asked = request
      return promise
    })
    const card = page.locator('[data-property]').nth(12)
    await card.scrollIntoViewIfNeeded()
    const [name, price] = [await card.locator('h2').textContent(), await card.getByTestId('stay-price').textContent()]
    await card.locator('a').first().click()
    const header = page.locator('main header')
    await header.getByRole('heading', { name: name ?? '', exact: true }).waitFor()
    expect(await header.textContent()).toContain(price)
    // The page shows the card's price before its request arrives.
    await expect.poll(() => asked !== undefined).toBe(true)
    if (asked !== undefined) resolve(api.recorded(asked))
    await page.locator('#rooms table').first().waitFor()
    await page.getByRole('link', { name: 'Back to the results' }).click()
    await waitForResults(page)
    const top = async () => (await card.boundingBox())?.y ?? -1
    await expect.poll(top).toBeLessThan(900)
    expect(await top()).toBeGreaterThanOrEqual(0)
  })

  test('a hotel chosen as the destination opens its page, from which other stays around it are one link away', async () => {
    const { page, api } = visit
    const [place] = example('locationsSearch').data
    const hotel = { ...place, type: 'property', name: 'Hotel Aurora, Paris, France', property_id: 'prp_recorded0' }
    api.answerWith('locationsSearch', { ...example('locationsSearch'), data: [hotel] })
    await page.goto('/')
    await page.getByRole('combobox', { name: 'Where' }).fill('Hotel Aurora')
    await page.getByRole('option', { name: /^Hotel Aurora/ }).click()
    await page.getByRole('button', { name: 'Search' }).click()
    await page.locator('#rooms table').first().waitFor()
    expect(new URL(page.url()).pathname).toBe('/property/prp_recorded0')
    await page.getByRole('link', { name: 'See other stays' }).click()
    await waitForResults(page)
    await page.getByRole('heading', { name: /^Stays near / }).waitFor()
  })

  test('a reload of the list continues at the same place', async () => {
    const { page } = visit
    await page.goto(RESULTS_ADDRESS)
    await waitForResults(page)
    await expect.poll(() => page.evaluate<number>('scrollTo(0, 1200), scrollY')).toBeGreaterThan(1_000)
    const position = await page.evaluate<number>('scrollY')
    await page.reload()
    await waitForResults(page)
    await expect.poll(() => page.evaluate<number>('scrollY')).toBe(position)
  })
})

describe('on a phone', () => {
  beforeAll(async () => {
    visit = await openRecorded(await sharedSite(), { viewport: PHONE })
  })
  afterAll(closeVisit)

  test('a card names the zone of its deadline and the price per night', async () => {
    const { page } = visit
    await page.goto(RESULTS_ADDRESS)
    await waitForResults(page)
    const card = page.locator('[data-property]').first()
    await card.getByText(/Free cancellation until .+ \(Paris time\)/).waitFor()
    await card.getByText(/€50\.25 per night/).waitFor()
    expect(await page.getByRole('button', { name: 'How we sort' }).isVisible()).toBe(true)
    expect(await findAccessFaultsInBothThemes(page, card)).toEqual([])
  })

  test('the guests are chosen in a sheet whose button stays in view with two rooms', async () => {
    const { page } = visit
    await page.goto('/')
    await page.getByRole('button', { name: /^Who/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Who' })
    await dialog.getByRole('button', { name: 'Add a room' }).click()
    const done = dialog.getByRole('button', { name: 'Done' })
    const box = await done.boundingBox()
    expect((box?.y ?? 1e9) + (box?.height ?? 0)).toBeLessThanOrEqual(PHONE.height)
    expect(await findAccessFaultsInBothThemes(page, dialog)).toEqual([])
    await done.click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /2 rooms/ }).waitFor()
  })

  test('the checkout begins with stay, total and form, and the notes follow, for the eye and for a screen reader', async () => {
    const { page, api } = visit
    api.configure({ payments: undefined })
    api.signIn(null)
    await page.goto(STAY_ADDRESS)
    await page.locator('#rooms table').first().waitFor()
    await chooseCheapestRoom(page)
    const name = page.getByLabel('First name').first()
    const box = await name.boundingBox()
    expect(box?.y).toBeLessThan(PHONE.height)
    const isBefore = `document.querySelector('main form').compareDocumentPosition(document.querySelector('#stay')) & Node.DOCUMENT_POSITION_FOLLOWING`
    expect(await page.evaluate(isBefore)).toBeTruthy()
    // A guest without an account, and a service without card payments.
    await page.getByText('The seller of this site settles the payment with you.').waitFor()
    expect(await page.getByText('charged to your account').count()).toBe(0)
    expect(await findAccessFaultsInBothThemes(page, name)).toEqual([])
  })
})

test('of two rooms of different kinds, each is shown with its name, beds and guests', async () => {
  visit = await openRecorded(await sharedSite())
  const { page, api } = visit
  api.answer('searchDetail', (request) => {
    const answer = api.recorded(request)
    if (answer === 'lost') return answer
    const { accommodation } = answer.body
    const each_room = [
      { name: 'Double Standard', sleeps: 2, beds: ['1 double bed'], bed_types: [[{ type: 'double', count: 1 }]] },
      { name: 'King Deluxe', sleeps: 3, beds: ['1 king bed'], bed_types: [[]] },
    ]
    const [room] = accommodation.available_rooms
    const room_types = [{ ...accommodation.room_types[0], rooms: [0] }]
    const available_rooms = [{ ...room, each_room }]
    return { status: 200, body: { accommodation: { ...accommodation, available_rooms, room_types } } }
  })
  await page.goto(STAY_ADDRESS.replace('rooms=2', 'rooms=2%2C1-7'))
  const rooms = page.locator('#rooms')
  await rooms.getByText('Room 1: Double Standard · 1 Double Bed · Sleeps 2 · 2 adults').waitFor()
  await rooms.getByText('Room 2: King Deluxe · 1 king bed · Sleeps 3 · 1 adult, 1 child').waitFor()
  await closeVisit()
})
