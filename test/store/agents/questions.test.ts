import { beforeEach, expect, test } from 'vitest'
import { createQuestions } from '../../../src/agents/questions.ts'
import { createMcpHandles } from '../../../src/agents/store.ts'
import { randomIds } from '../../../src/lib/crypto/ids.ts'
import { deriveKeyring } from '../../../src/lib/crypto/keyring.ts'
import { onBothDatabases } from '../../support/store/databases.ts'
import { manualClock } from '../../support/time/clock.ts'

const keyring = deriveKeyring([{ id: 'k1', key: Buffer.alloc(32, 3) }], 'mcp')
const YES = { action: 'accept', confirmed: true }

onBothDatabases('questions to the user of an agent', (open) => {
  let closing: AbortController
  const sent: string[] = []
  beforeEach(() => {
    closing = new AbortController()
    sent.length = 0
  })
  const clock = manualClock()
  const createNode = (askMs?: number) =>
    createQuestions({
      handles: createMcpHandles(open(), keyring, { clock, ids: randomIds }),
      now: clock.now,
      closing: closing.signal,
      ...(askMs !== undefined && { askMs }),
    })
  let calls = 0
  const call = (signal = new AbortController().signal) => {
    calls += 1
    return { sessionId: 'session', requestId: calls, signal }
  }
  const send = async (id: string) => void sent.push(id)

  test('an answer that reaches another process counts, once', async () => {
    const asked = createNode().ask('acc_1', call(), send)
    await expect.poll(() => sent.length).toBe(1)
    const other = createNode()
    await other.answer('acc_2', sent[0] ?? '', YES)
    await other.answer('acc_1', `${sent[0]?.split('.')[0]}.${'0'.repeat(24)}`, YES)
    await other.answer('acc_1', sent[0] ?? '', { action: 'decline', confirmed: false })
    await other.answer('acc_1', sent[0] ?? '', YES)
    expect(await asked).toEqual({ action: 'decline', confirmed: false })
  })

  test('a question that is not answered in time has no answer, and a late one is ignored', async () => {
    const node = createNode(300)
    const started = performance.now()
    expect(await node.ask('acc_1', call(), send)).toBeUndefined()
    expect(performance.now() - started).toBeLessThan(3_000)
    clock.advance(300)
    await node.answer('acc_1', sent[0] ?? '', YES)
    expect(await node.ask('acc_1', call(), send)).toBeUndefined()
  })

  test('an account has at most eight open questions, and others are not affected', async () => {
    const node = createNode()
    const asked = Array.from({ length: 8 }, () => node.ask('acc_1', call(), send))
    await expect.poll(() => sent.length).toBe(8)
    await expect(node.ask('acc_1', call(), send)).rejects.toMatchObject({ code: 'rate_limited' })
    expect(sent).toHaveLength(8)
    const other = node.ask('acc_2', call(), send)
    await expect.poll(() => sent.length).toBe(9)
    await node.answer('acc_1', sent[0] ?? '', YES)
    await expect.poll(() => Promise.race([...asked, undefined])).toEqual(YES)
    const next = node.ask('acc_1', call(), send)
    await expect.poll(() => sent.length).toBe(10)
    closing.abort()
    await Promise.all([...asked, other, next])
  })

  test('a shutdown or a client that no longer waits ends open questions without an answer', async () => {
    const node = createNode()
    const left = new AbortController()
    const leaving = node.ask('acc_1', call(left.signal), send)
    const staying = node.ask('acc_1', call(), send)
    await expect.poll(() => sent.length).toBe(2)
    left.abort()
    expect(await leaving).toBeUndefined()
    closing.abort()
    expect(await staying).toBeUndefined()
  })
})
