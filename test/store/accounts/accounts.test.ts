import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createSignIn } from '../../../src/accounts/sign-in.ts'
import { createAccountStore } from '../../../src/accounts/store/accounts.ts'
import { createApiKeyStore } from '../../../src/accounts/store/api-keys.ts'
import { createSignInStore } from '../../../src/accounts/store/sign-ins.ts'
import { createTokenStore } from '../../../src/accounts/store/tokens.ts'
import { createTokens } from '../../../src/accounts/tokens.ts'
import { onBothDatabases } from '../../support/store/databases.ts'
import { waitForLock } from '../../support/store/wait-for-lock.ts'

let serial = 0
function anAccount(email: string) {
  serial += 1
  return {
    id: `acc_${serial}`,
    email,
    name: 'Ana',
    passwordHash: 'hash',
    createdAt: 1_000 + serial,
    disabledAt: undefined,
    role: 'client' as const,
  }
}

const aKey = (accountId: string) => ({
  ...{ id: `key_${accountId}`, accountId, hint: 'h', name: 'n', mode: 'live' as const, scopes: [], createdAt: 1 },
  ...{ perMinute: undefined, budget: undefined, lastUsedAt: undefined, revokedAt: undefined },
})

onBothDatabases('accounts', (open) => {
  test('an account is found by its id and by its e-mail in any letter case', async () => {
    const accounts = createAccountStore(open())
    const account = anAccount('Ana.One@Example.com')
    expect(await accounts.add(account)).toBe(true)
    expect(await accounts.byEmail('ana.one@example.COM ')).toEqual(account)
    expect(await accounts.byId(account.id)).toEqual(account)
    expect(await accounts.byEmail('nobody@example.com')).toBeUndefined()
  })

  test('concurrent registrations of one e-mail create only one account', async () => {
    const accounts = createAccountStore(open())
    const results = await Promise.all(Array.from({ length: 10 }, () => accounts.add(anAccount('race@example.com'))))
    expect(results.filter(Boolean)).toHaveLength(1)
  })

  test('disabling an account ends all its tokens, and a new password enables it without reviving them', async () => {
    const accounts = createAccountStore(open())
    const tokens = createTokenStore(open())
    const account = anAccount('off@example.com')
    await accounts.add(account)
    await tokens.add({ hash: 'h1', accountId: account.id, passwordHash: 'hash', createdAt: 1, expiresAt: 10_000 })
    expect(await tokens.owner('h1', 5)).toMatchObject({ accountId: account.id, expiresAt: 10_000 })
    expect(await accounts.disable('OFF@example.com', 6)).toBe(true)
    expect(await tokens.owner('h1', 7)).toBeUndefined()
    expect(await accounts.setPassword('off@example.com', 'new', 8)).toBe(true)
    expect(await accounts.byEmail('off@example.com')).toMatchObject({ passwordHash: 'new', disabledAt: undefined })
    expect(await tokens.owner('h1', 9)).toBeUndefined()
    expect(await accounts.disable('nobody@example.com', 6)).toBe(false)
  })

  test('a new password ends the keys of a disabled account, but not those of an enabled one', async () => {
    const accounts = createAccountStore(open())
    const keys = createApiKeyStore(open())
    const account = anAccount('keys@example.com')
    await accounts.add(account)
    await keys.add(aKey(account.id), 'hash of the key', 10)
    await accounts.setPassword('keys@example.com', 'new', 5)
    expect(await keys.owner('hash of the key')).toMatchObject({ accountId: account.id })
    await accounts.disable('keys@example.com', 6)
    await accounts.setPassword('KEYS@example.com', 'newer', 7)
    expect(await keys.owner('hash of the key')).toBeUndefined()
  })

  test('a key read while its disabled account gets a new password is never valid', async () => {
    const accounts = createAccountStore(open())
    const keys = createApiKeyStore(open())
    const account = anAccount('race@keys.example.com')
    await accounts.add(account)
    await keys.add(aKey(account.id), 'hash of this key', 10)
    await accounts.disable(account.email, 6)
    const locked = Promise.withResolvers<void>()
    const change = Promise.withResolvers<void>()
    const changing = open().write(async (tx) => {
      if (open().dialect === 'postgres') await sql`lock table accounts in access exclusive mode`.execute(tx)
      locked.resolve()
      await change.promise
      await tx.updateTable('api_keys').set({ revoked_at: 7 }).where('account_id', '=', account.id).execute()
      await tx.updateTable('accounts').set({ disabled_at: null }).where('id', '=', account.id).execute()
    })
    await locked.promise
    const owner = keys.owner('hash of this key')
    await waitForLock(open())
    change.resolve()
    await changing
    expect(await owner).toBeUndefined()
  })

  test('no token is issued for a password that is changed while it is being checked', async () => {
    const accounts = createAccountStore(open())
    const tokens = createTokenStore(open())
    const checked = anAccount('changed@example.com')
    await accounts.add(checked)
    for (let round = 0; round < 10; round += 1) {
      const before = (await accounts.byId(checked.id))?.passwordHash ?? ''
      const token = { hash: `c${round}`, accountId: checked.id, passwordHash: before, createdAt: 1, expiresAt: 100 }
      await Promise.all([accounts.setPassword(checked.email, `hash ${round}`, 5), tokens.add(token)])
      expect(await tokens.owner(token.hash, 6), 'issued before the change or not at all').toBeUndefined()
    }
    const signIn = createSignIn(async () => checked, createTokens({ store: tokens, clock: { now: () => 7 }, ttlMs: 9 }))
    await expect(signIn('', '', '')).rejects.toMatchObject({ code: 'invalid_credentials' })
    expect(await tokens.sessions(checked.id, 8, 10)).toEqual([])
  })

  test('a token expires to the millisecond', async () => {
    const accounts = createAccountStore(open())
    const tokens = createTokenStore(open())
    const account = anAccount('expiry@example.com')
    await accounts.add(account)
    await tokens.add({ hash: 'h2', accountId: account.id, passwordHash: 'hash', createdAt: 1, expiresAt: 100 })
    expect(await tokens.owner('h2', 99)).toBeDefined()
    expect(await tokens.owner('h2', 100)).toBeUndefined()
    await tokens.deleteExpired(101)
    expect(await tokens.owner('h2', 50)).toBeUndefined()
  })

  const key = (hash: string, emailHash: string | null = null) => ({ hash, emailHash })

  test('failed sign-ins are counted within a window, and the end of their slowdown is stored', async () => {
    const signIns = createSignInStore(open())
    const slowFor = (count: number) => (count >= 2 ? 1_000 : 0)
    await signIns.record(key('e'), 0, 500, slowFor)
    expect(await signIns.slowdown('e', 0)).toEqual({ failures: 1, slowedUntil: 0 })
    await signIns.record(key('e'), 100, 500, slowFor)
    expect(await signIns.slowdown('e', 0)).toEqual({ failures: 2, slowedUntil: 1_100 })
    expect(await signIns.slowdown('e', 1), 'outside the window').toMatchObject({ failures: 0 })
    await signIns.record(key('e'), 5_000, 500, slowFor)
    expect(await signIns.slowdown('e', 0)).toEqual({ failures: 1, slowedUntil: 5_000 })
    await signIns.clear('e')
    expect(await signIns.slowdown('e', 0)).toEqual({ failures: 0, slowedUntil: 0 })
  })

  test('the first failure of a new window does not end the slowdown of the window before', async () => {
    const signIns = createSignInStore(open())
    // The owner of an account may sign in from a known address that is slowed down for others.
    for (const now of [0, 1_000]) await signIns.record(key('long'), now, 500, () => (now === 0 ? 90_000 : 0))
    expect(await signIns.slowdown('long', 1_000)).toEqual({ failures: 1, slowedUntil: 90_000 })
  })

  test('all concurrent failed sign-ins of one key are counted', async () => {
    const signIns = createSignInStore(open())
    let highest = 0
    const slowFor = (count: number) => {
      highest = Math.max(highest, count)
      return 0
    }
    await signIns.record(key('many'), 0, 500, slowFor)
    await Promise.all(Array.from({ length: 8 }, () => signIns.record(key('many'), 1, 500, slowFor)))
    expect(highest).toBe(9)
  })

  test('of concurrent attempts by one key only the allowed number passes, and the others get a waiting time', async () => {
    const signIns = createSignInStore(open())
    const attempt = (now: number) => signIns.attempt(key('codes'), now, 90_000, (count) => (count >= 3 ? 1_000 : 0))
    const waits = await Promise.all(Array.from({ length: 10 }, () => attempt(100)))
    expect(waits.toSorted((a, b) => a - b)).toEqual([0, 0, 0, ...Array.from({ length: 7 }, () => 1_000)])
    expect(await signIns.slowdown('codes', 0), 'refused attempts are not counted').toEqual({
      failures: 3,
      slowedUntil: 1_100,
    })
    expect(await Promise.all([attempt(1_100), attempt(1_100)])).toEqual(expect.arrayContaining([0, 1_000]))
    await signIns.clear('codes')
    expect(await attempt(1_200)).toBe(0)
  })

  test('the failures of one e-mail are cleared together, from all addresses', async () => {
    const signIns = createSignInStore(open())
    for (const hash of ['from a', 'from b']) await signIns.record(key(hash, 'victim'), 0, 500, () => 9)
    await signIns.record(key('elsewhere', 'other'), 0, 500, () => 9)
    await signIns.clearEmail('victim')
    const left = await Promise.all(['from a', 'from b', 'elsewhere'].map((hash) => signIns.slowdown(hash, 0)))
    expect(left.map(({ failures }) => failures)).toEqual([0, 0, 1])
  })

  test('an address is known until it has not signed in for long, and old failures are deleted', async () => {
    const signIns = createSignInStore(open())
    await signIns.remember('pair', 1_000)
    await signIns.remember('pair', 2_000)
    await signIns.remember('pair', 90_000_000)
    await signIns.remember('old pair', 1_000)
    await signIns.record(key('old'), 1_000, 500, () => 0)
    await signIns.record(key('slowed'), 1_000, 500, () => 90_000_000)
    await signIns.deleteOld(50_000, 50_000)
    expect([await signIns.isKnown('pair'), await signIns.isKnown('old pair')]).toEqual([true, false])
    expect((await signIns.slowdown('old', 0)).failures).toBe(0)
    expect((await signIns.slowdown('slowed', 0)).failures).toBe(1)
  })

  test('a transaction that throws is rolled back', async () => {
    const database = open()
    const accounts = createAccountStore(database)
    await expect(
      database.write(async (tx) => {
        await tx
          .insertInto('sign_in_slowdowns')
          .values({ key_hash: 'x', email_hash: null, failures: 1, window_started_at: 1, slowed_until: 9 })
          .execute()
        throw new Error('half-way')
      }),
    ).rejects.toThrow('half-way')
    expect((await createSignInStore(database).slowdown('x', 0)).failures).toBe(0)
    expect(await accounts.byId('none')).toBeUndefined()
  })
})
