import { expect, test } from 'vitest'
import { createManageKeys } from '../../../src/accounts/manage-keys.ts'
import { createReadRequest } from '../../../src/operator/read-request.ts'

type KeyDeps = Parameters<typeof createManageKeys>[0]

/** PostgreSQL fails on a NUL, while SQLite finds nothing. */
const asPostgres = async (): Promise<never> => {
  throw new Error('invalid byte sequence for encoding "UTF8": 0x00')
}

test('an id that was never issued is unknown on every database', async () => {
  const readRequest = createReadRequest({
    requests: { write: async () => 0, byRequestId: asPostgres },
    calls: { ofRequest: asPostgres },
    flushCalls: async () => undefined,
  })
  await expect(readRequest('a\0b')).rejects.toMatchObject({ code: 'not_found' })
  const { setBudget } = createManageKeys({ store: { setBudget: asPostgres } } as unknown as KeyDeps)
  await expect(setBudget('acc_1', 'a\0b', undefined)).rejects.toMatchObject({ code: 'key_not_found' })
})
