import { expect, test } from 'vitest'
import { roomsCommand } from '../../../../src/cli/rooms.ts'

type Rooms = Parameters<typeof roomsCommand>[1]['rooms']

async function run(args: string[], rooms: Partial<Rooms> = {}) {
  const lines: string[] = []
  const none = async () => ({ ok: false, why: 'There is no property prp_x.' }) as const
  const deps = {
    rooms: { explain: async () => undefined, split: none, join: none, ...rooms },
    out: (line: string) => void lines.push(line),
  }
  const code = await roomsCommand(args, deps)
  return { code, text: lines.join('\n') }
}

test('serai rooms prints its usage for wrong arguments, and answers a refusal with its sentence', async () => {
  for (const args of [
    [],
    ['explain'],
    ['split', 'prp_x', 'v'],
    ['join', 'prp_x', 'rmt_1'],
    ['join', 'p', 'a', 'b', 'c'],
  ]) {
    const { code, text } = await run(args)
    expect(code, args.join(' ')).toBe(2)
    expect(text).toContain('serai rooms split')
  }
  expect(await run(['explain', 'prp_x'])).toEqual({ code: 1, text: 'There is no property prp_x.' })
  expect(await run(['split', 'prp_x', 'v', '1'])).toEqual({ code: 1, text: 'There is no property prp_x.' })
})

test('serai rooms says what became of a split and a join', async () => {
  const ok = async () => ({ ok: true, roomTypeId: 'rmt_1' }) as const
  expect(await run(['split', 'prp_x', 'v', '7'], { split: ok })).toMatchObject({
    code: 0,
    text: expect.stringContaining('rmt_1'),
  })
  expect(await run(['join', 'prp_x', 'rmt_1', 'rmt_2'], { join: ok })).toMatchObject({
    code: 0,
    text: 'rmt_2 is now part of rmt_1.',
  })
})
