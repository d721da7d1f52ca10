import { expect, test } from 'vitest'
import { ACCOUNT, OTHER_ACCOUNT, type TestApp, testApp } from '../support/app/app.ts'
import { UNLIMITED } from '../support/app/ledger-app.ts'

const url = '/api/accounts/get_token'

/** Password hashes with production cost, because these tests measure the time of sign-ins. */
async function appWithCostlyHashes(settings: Parameters<typeof testApp>[0]): Promise<TestApp> {
  const costly = await testApp(settings)
  for (const { email, password } of [ACCOUNT, OTHER_ACCOUNT]) await costly.manageAccounts.setPassword(email, password)
  return costly
}

const attempt = (app: TestApp, remoteAddress: string, password: string, email: string = ACCOUNT.email) =>
  app.call({ method: 'POST', url, remoteAddress, payload: { user: { email, password } } })

test('sign-ins with a wrong password and with an unknown e-mail take the same time', async () => {
  const fresh = await appWithCostlyHashes({ allowances: UNLIMITED })
  const measureAttempt = async (email: string) => {
    const started = performance.now()
    await fresh.call({ method: 'POST', url, payload: { user: { email, password: 'not this one' } } })
    return performance.now() - started
  }
  // Alternating, and the fastest of each, so that a busy machine affects both alike.
  const times = { known: [] as number[], unknown: [] as number[] }
  for (let i = 0; i < 4; i += 1) {
    times.known.push(await measureAttempt(ACCOUNT.email))
    times.unknown.push(await measureAttempt('nobody@example.com'))
  }
  const [known, unknown] = [Math.min(...times.known), Math.min(...times.unknown)]
  // Both compute one hash; without it the unknown e-mail would be much faster.
  expect(unknown).toBeGreaterThan(known / 4)
  expect(unknown).toBeLessThan(known * 4)
  await fresh.close()
})

test('an account attacked from many addresses is slowed down but not locked, and its owner’s address is not slowed down', async () => {
  type Credentials = { readonly email: string; readonly password: string }
  const measureSignIn = async (app: TestApp, address: string, { email, password }: Credentials = ACCOUNT) => {
    const startedAt = performance.now()
    expect((await attempt(app, address, password, email)).statusCode).toBe(200)
    return performance.now() - startedAt
  }
  const openAttacked = async (signInPauseMs: number) => {
    const fresh = await appWithCostlyHashes({ signInPauseMs })
    await measureSignIn(fresh, '198.51.100.7')
    await Promise.all(Array.from({ length: 24 }, (_, i) => attempt(fresh, `192.0.2.${i + 1}`, 'no')))
    return fresh
  }
  const slow = await openAttacked(1_000)
  expect(await measureSignIn(slow, '198.51.100.8'), 'slowed down').toBeGreaterThan(900)
  // The fastest of a few, because a busy machine slows down some of them.
  const others: number[] = []
  for (let i = 0; i < 3; i += 1) others.push(await measureSignIn(slow, `198.51.100.${i + 20}`, OTHER_ACCOUNT))
  expect(Math.min(...others), 'another account is not').toBeLessThan(900)
  await slow.close()

  // The attack is still running: 200 of its requests wait for seconds.
  const fresh = await openAttacked(50)
  const quiet = await measureSignIn(fresh, '198.51.100.7')
  const attack = Array.from({ length: 400 }, (_, i) => attempt(fresh, `203.0.${113 + (i >> 7)}.${i & 127}`, 'no'))
  const owner = await measureSignIn(fresh, '198.51.100.7')
  expect(owner).toBeLessThan(Math.max(1_000, 10 * quiet))
  const answers = await Promise.all(attack)
  expect(answers.filter(({ statusCode }) => statusCode === 503).length, 'refused at once').toBeGreaterThan(20)
  await fresh.close()
}, 60_000)
