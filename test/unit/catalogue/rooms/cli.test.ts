import { expect, test } from 'vitest'
import type { Catalogue } from '../../../../src/catalogue/catalogue.ts'
import { readRooms } from '../../../../src/cli/commands/rooms.ts'
import { printed } from '../../../support/cli/printed.ts'

type Rooms = Catalogue['rooms']

const none = async () => ({ ok: false, why: 'There is no property prp_x.' }) as const

const run = (args: string[], rooms: Partial<Rooms> = {}) =>
  printed(() => readRooms(args).work({ rooms: { explain: async () => undefined, split: none, join: none, ...rooms } }))

test('serai rooms answers a refusal with its sentence, on standard error', async () => {
  const refused = { code: 1, out: '', err: 'There is no property prp_x.' }
  expect(await run(['explain', 'prp_x'])).toEqual(refused)
  expect(await run(['split', 'prp_x', 'v', '1'])).toEqual(refused)
  expect(await run(['join', 'prp_x', 'rmt_1', 'rmt_2'])).toEqual(refused)
})

test('serai rooms says what became of a split and a join', async () => {
  const ok = async () => ({ ok: true, roomTypeId: 'rmt_1' }) as const
  expect(await run(['split', 'prp_x', 'v', '7'], { split: ok })).toMatchObject({
    code: 0,
    out: expect.stringContaining('rmt_1'),
  })
  expect(await run(['join', 'prp_x', 'rmt_1', 'rmt_2'], { join: ok })).toMatchObject({
    code: 0,
    out: 'rmt_2 is now part of rmt_1.',
  })
})
