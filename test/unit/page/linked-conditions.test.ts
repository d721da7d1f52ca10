import { expect, test } from 'vitest'
import { buildSearchBody, isSameSearch } from '../../../web/src/search/search-body.ts'
import { readLink, toStayForm, writeStay } from '../../../web/src/search/stay-form.ts'

const year = new Date().getUTCFullYear() + 1
const to = '6b7f1c52-3f0e-5c55-9a35-0c4b8a3f9d10'
const good = { to, place: 'Lisbon', in: `${year}-03-15`, out: `${year}-03-18`, rooms: '2', cur: 'EUR' }

test('conditions in a link are part of the search, in one order, and unknown ones are ignored', () => {
  const stay = toStayForm(readLink(new URLSearchParams({ ...good, board: 'half_board,brunch,breakfast', free: '1' })))
  const written = Object.fromEntries(writeStay(stay))
  expect(written).toEqual({ ...good, board: 'breakfast,half_board', free: '1' })
  const body = buildSearchBody(stay)
  expect(body.conditions).toEqual({ free_cancellation: true, boards: ['breakfast', 'half_board'] })
  expect(buildSearchBody(toStayForm(readLink(new URLSearchParams(good))))).not.toHaveProperty('conditions')
  const { conditions: _, ...other } = body
  expect(
    isSameSearch(body, { ...body, conditions: { boards: ['half_board', 'breakfast'], free_cancellation: true } }),
  ).toBe(true)
  expect(isSameSearch(body, other)).toBe(false)
  expect(isSameSearch(other, { ...other, conditions: {} })).toBe(true)
})
