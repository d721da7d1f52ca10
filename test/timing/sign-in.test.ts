import { expect, test } from 'vitest'
import { ACCOUNT, OTHER_ACCOUNT, type TestApp, testApp } from '../support/app/app.ts'
import { UNLIMITED } from '../support/app/ledger-app.ts'

const url = '/api/accounts/get_token'

/** Password hashes with production cost: these tests measure how long a sign-in takes. */
async function appWithCostlyHashes(settings: Parameters<typeof testApp>[0]): Promise<TestApp> {
  const costly = await testApp(settings)
  for (const { email, password } of [ACCOUNT, OTHER_ACCOUNT]) await costly.manageAccounts.setPassword(email, password)
  return costly
}

const attempt = (app: TestApp, remoteAddress: string, password: string, email: string = ACCOUNT.email) =>
  app.call({ method: 'POST', url, remoteAddress, payload: { user: { email, password } } })

test('wrong password and unknown e-mail take the same time', async () => {
  const fresh = await appWithCostlyHashes({ allowances: UNLIMITED })
  const timeOf = async (email: string) => {
    const started = performance.now()
    await fresh.call({ method: 'POST', url, payload: { user: { email, password: 'not this one' } } })
    return performance.now() - started
  }
  // In turns, and the best of each, so that a busy machine strikes both alike.
  const times = { known: [] as number[], unknown: [] as number[] }
  for (let i = 0; i < 4; i += 1) {
    times.known.push(await timeOf(ACCOUNT.email))
    times.unknown.push(await timeOf('nobody@example.com'))
  }
  const [known, unknown] = [Math.min(...times.known), Math.min(...times.unknown)]
  // Both hash once; without the decoy the unknown one would be tens of times faster.
  expect(unknown).toBeGreaterThan(known / 4)
  expect(unknown).toBeLessThan(known * 4)
  await fresh.close()
})

test('an account attacked from many addresses is slowed down, not closed; its owner’s address is not even slowed down', async () => {
  type Someone = { readonly email: string; readonly password: string }
  const timed = async (app: TestApp, address: string, { email, password }: Someone = ACCOUNT) => {
    const begun = performance.now()
    expect((await attempt(app, address, password, email)).statusCode).toBe(200)
    return performance.now() - begun
  }
  const attacked = async (signInPauseMs: number) => {
    const fresh = await appWithCostlyHashes({ signInPauseMs })
    await timed(fresh, '198.51.100.7')
    await Promise.all(Array.from({ length: 24 }, (_, at) => attempt(fresh, `192.0.2.${at + 1}`, 'no')))
    return fresh
  }
  const slow = await attacked(1_000)
  expect(await timed(slow, '198.51.100.8'), 'slowed down').toBeGreaterThan(900)
  expect(await timed(slow, '198.51.100.9', OTHER_ACCOUNT), 'another account is not').toBeLessThan(900)
  await slow.close()

  // While the attack goes on, so that the owner waits behind it or passes it: 30 of it wait for three seconds.
  const fresh = await attacked(100)
  const attack = Array.from({ length: 60 }, (_, at) => attempt(fresh, `203.0.113.${at + 1}`, 'no'))
  expect(await timed(fresh, '198.51.100.7')).toBeLessThan(1_000)
  const answers = await Promise.all(attack)
  expect(answers.filter(({ statusCode }) => statusCode === 503).length, 'refused at once').toBeGreaterThan(20)
  await fresh.close()
}, 60_000)
