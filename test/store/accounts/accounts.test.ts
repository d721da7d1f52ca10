import { expect, test } from 'vitest'
import { createSignIn } from '../../../src/accounts/sign-in.ts'
import { createAccountStore } from '../../../src/accounts/store/accounts.ts'
import { createSignInStore } from '../../../src/accounts/store/sign-ins.ts'
import { createTokenStore } from '../../../src/accounts/store/tokens.ts'
import { createTokens } from '../../../src/accounts/tokens.ts'
import { onBothDatabases } from '../../support/store/databases.ts'

let made = 0
function anAccount(email: string) {
  made += 1
  return {
    id: `acc_${made}`,
    email,
    name: 'Ana',
    passwordHash: 'hash',
    createdAt: 1_000 + made,
    disabledAt: undefined,
    role: 'client' as const,
  }
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
    await tokens.add({ hash: 'h1', accountId: account.id, passwordHash: 'hash', createdAt: 1, expiresAt: 10_000 })
    expect(await tokens.owner('h1', 5)).toMatchObject({ accountId: account.id, expiresAt: 10_000 })
    expect(await accounts.disable('OFF@example.com', 6)).toBe(true)
    expect(await tokens.owner('h1', 7)).toBeUndefined()
    expect(await accounts.setPassword('off@example.com', 'new', 8)).toBe(true)
    expect(await accounts.byEmail('off@example.com')).toMatchObject({ passwordHash: 'new', disabledAt: undefined })
    expect(await tokens.owner('h1', 9)).toBeUndefined()
    expect(await accounts.disable('nobody@example.com', 6)).toBe(false)
  })

  test('a password that is changed while it is being checked opens nothing', async () => {
    const accounts = createAccountStore(open())
    const tokens = createTokenStore(open())
    const checked = anAccount('changed@example.com')
    await accounts.add(checked)
    for (let turn = 0; turn < 10; turn += 1) {
      const before = (await accounts.byId(checked.id))?.passwordHash ?? ''
      const token = { hash: `c${turn}`, accountId: checked.id, passwordHash: before, createdAt: 1, expiresAt: 100 }
      await Promise.all([accounts.setPassword(checked.email, `hash ${turn}`, 5), tokens.add(token)])
      expect(await tokens.owner(token.hash, 6), 'issued before the change or not at all').toBeUndefined()
    }
    const signIn = createSignIn(async () => checked, createTokens({ store: tokens, clock: { now: () => 7 }, ttlMs: 9 }))
    await expect(signIn('', '', '')).rejects.toMatchObject({ code: 'invalid_credentials' })
    expect(await tokens.sessions(checked.id, 8, 10)).toEqual([])
  })

  test('a token ends at its expiry to the millisecond', async () => {
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

  test('failures are counted within a window, and how long they slow down is remembered', async () => {
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

  test('concurrent failures by one key are all counted', async () => {
    const signIns = createSignInStore(open())
    let most = 0
    const slowFor = (count: number) => {
      most = Math.max(most, count)
      return 0
    }
    await signIns.record(key('many'), 0, 500, slowFor)
    await Promise.all(Array.from({ length: 8 }, () => signIns.record(key('many'), 1, 500, slowFor)))
    expect(most).toBe(9)
  })

  test('of concurrent attempts by one key only the free ones are taken, the others are told how long to wait', async () => {
    const signIns = createSignInStore(open())
    const attempt = (now: number) => signIns.attempt(key('codes'), now, 90_000, (count) => (count >= 3 ? 1_000 : 0))
    const waits = await Promise.all(Array.from({ length: 10 }, () => attempt(100)))
    expect(waits.toSorted((a, b) => a - b)).toEqual([0, 0, 0, ...Array.from({ length: 7 }, () => 1_000)])
    expect(await signIns.slowdown('codes', 0), 'what is refused is not counted').toEqual({
      failures: 3,
      slowedUntil: 1_100,
    })
    expect(await Promise.all([attempt(1_100), attempt(1_100)])).toEqual(expect.arrayContaining([0, 1_000]))
    await signIns.clear('codes')
    expect(await attempt(1_200)).toBe(0)
  })

  test('the failures at one e-mail are forgotten together, wherever they came from', async () => {
    const signIns = createSignInStore(open())
    for (const hash of ['from a', 'from b']) await signIns.record(key(hash, 'victim'), 0, 500, () => 9)
    await signIns.record(key('elsewhere', 'other'), 0, 500, () => 9)
    await signIns.clearEmail('victim')
    const left = await Promise.all(['from a', 'from b', 'elsewhere'].map((hash) => signIns.slowdown(hash, 0)))
    expect(left.map(({ failures }) => failures)).toEqual([0, 0, 1])
  })

  test('an address that signed in is known until it has not for long; old failures are deleted', async () => {
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

  test('a transaction that throws leaves nothing behind', async () => {
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
