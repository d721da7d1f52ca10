import { expect, test } from 'vitest'
import { createAccountStore } from '../../src/store/accounts.ts'
import { createSignInFailureStore } from '../../src/store/sign-in-failures.ts'
import { createTokenStore } from '../../src/store/tokens.ts'
import { onBothDatabases } from '../support/databases.ts'

let made = 0
function anAccount(email: string) {
  made += 1
  return { id: `acc_${made}`, email, name: 'Ana', passwordHash: 'hash', createdAt: 1_000 + made, disabledAt: undefined }
}

onBothDatabases('accounts', (open) => {
  test('an account is found by its e-mail in any case and by its id', async () => {
    const accounts = createAccountStore(open())
    const account = anAccount('Ana.One@Example.com')
    expect(await accounts.add(account)).toBe(true)
    expect(await accounts.byEmail('ana.one@example.COM ')).toEqual(account)
    expect(await accounts.byId(account.id)).toEqual(account)
    expect(await accounts.byEmail('nobody@example.com')).toBeUndefined()
  })

  test('an e-mail is given once, however many ask at the same time', async () => {
    const accounts = createAccountStore(open())
    const results = await Promise.all(Array.from({ length: 10 }, () => accounts.add(anAccount('race@example.com'))))
    expect(results.filter(Boolean)).toHaveLength(1)
  })

  test('disabling ends every token, and a new password enables the account without reviving them', async () => {
    const accounts = createAccountStore(open())
    const tokens = createTokenStore(open())
    const account = anAccount('off@example.com')
    await accounts.add(account)
    await tokens.add({ hash: 'h1', accountId: account.id, createdAt: 1, expiresAt: 10_000 })
    expect(await tokens.owner('h1', 5)).toMatchObject({ accountId: account.id, expiresAt: 10_000 })
    expect(await accounts.disable('OFF@example.com', 6)).toBe(true)
    expect(await tokens.owner('h1', 7)).toBeUndefined()
    expect(await accounts.setPassword('off@example.com', 'new', 8)).toBe(true)
    expect(await accounts.byEmail('off@example.com')).toMatchObject({ passwordHash: 'new', disabledAt: undefined })
    expect(await tokens.owner('h1', 9)).toBeUndefined()
    expect(await accounts.disable('nobody@example.com', 6)).toBe(false)
  })

  test('a token ends at its expiry to the millisecond', async () => {
    const accounts = createAccountStore(open())
    const tokens = createTokenStore(open())
    const account = anAccount('expiry@example.com')
    await accounts.add(account)
    await tokens.add({ hash: 'h2', accountId: account.id, createdAt: 1, expiresAt: 100 })
    expect(await tokens.owner('h2', 99)).toBeDefined()
    expect(await tokens.owner('h2', 100)).toBeUndefined()
    await tokens.deleteExpired(101)
    expect(await tokens.owner('h2', 50)).toBeUndefined()
  })

  test('failures are counted within a window and locks are remembered', async () => {
    const failures = createSignInFailureStore(open())
    const lockFor = (count: number) => (count >= 2 ? 1_000 : 0)
    await failures.record('e', 0, 500, lockFor)
    expect(await failures.lockedUntil('e')).toBe(0)
    await failures.record('e', 100, 500, lockFor)
    expect(await failures.lockedUntil('e')).toBe(1_100)
    await failures.record('e', 5_000, 500, lockFor)
    expect(await failures.lockedUntil('e')).toBe(5_000)
    await failures.clear('e')
    expect(await failures.lockedUntil('e')).toBe(0)
  })

  test('concurrent failures of one e-mail are all counted', async () => {
    const failures = createSignInFailureStore(open())
    let most = 0
    const lockFor = (count: number) => {
      most = Math.max(most, count)
      return 0
    }
    await failures.record('many', 0, 500, lockFor)
    await Promise.all(Array.from({ length: 8 }, () => failures.record('many', 1, 500, lockFor)))
    expect(most).toBe(9)
  })

  test('a transaction that throws leaves nothing behind', async () => {
    const database = open()
    const accounts = createAccountStore(database)
    await expect(
      database.write(async (tx) => {
        await tx
          .insertInto('sign_in_failures')
          .values({ email_hash: 'x', failures: 1, window_started_at: 1, locked_until: 9 })
          .execute()
        throw new Error('half-way')
      }),
    ).rejects.toThrow('half-way')
    expect(await createSignInFailureStore(database).lockedUntil('x')).toBe(0)
    expect(await accounts.byId('none')).toBeUndefined()
  })
})
