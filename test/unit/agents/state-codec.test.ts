import type { ServerContext } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import { createStateCodec } from '../../../src/agents/server.ts'
import { deriveKeyring } from '../../../src/lib/crypto/keyring.ts'

const [k1, k2] = [1, 2].map((n) => ({ id: `k${n}`, key: Buffer.alloc(32, n) })) as [Key, Key]
type Key = { id: string; key: Buffer }
const createCodec = (...secrets: Key[]) => createStateCodec(deriveKeyring(secrets, 'mcp-state'))
const context = { mcpReq: { method: 'tools/call' } } as ServerContext

test('while secrets are rotated, a state signed by one process is valid in another that lists them in another order', async () => {
  const asked = await createCodec(k2, k1).mint('digest', context)
  expect(await createCodec(k1, k2).verify(asked, context)).toBe('digest')
  await expect(createCodec(k1).verify(asked, context)).rejects.toThrow()
})
