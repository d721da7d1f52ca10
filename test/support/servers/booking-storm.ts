import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Answer,
  type ApiClient,
  addAccounts,
  collectOffers,
  createApiClient,
  fetchToken,
  type Offer,
} from '../../../chaos/crash/api-client.ts'
import { readLedgers } from '../../../chaos/crash/rig.ts'
import { newName } from '../booking/new-name.ts'
import { freePort } from './postgres.ts'
import { openSmallStage, type ServerProcess, type Stage, startServer } from './server-process.ts'

/** Attempts per booking; each waits for the `retry-after` of the one before. */
const ATTEMPTS_MAX = 10

const guest = (familyName: string) => [{ given_name: 'Storm', family_name: familyName, email: 'storm@example.com' }]
const readErrorCode = (answer: Answer) => (JSON.parse(answer.text) as { code?: string }).code
const tally = (answers: readonly Answer[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, (a) => `${a.status} ${readErrorCode(a) ?? ''}`)].map(([k, v]) => [k, v.length]),
  )

/** Sends identical requests to two servers at once. `openDatabase` returns the environment variables of their database. */
export function describeStorm(openDatabase: () => Promise<Record<string, string>> = async () => ({})): void {
  let stage: Stage
  let servers: ServerProcess[] = []
  let clients: ApiClient[] = []
  beforeAll(async () => {
    stage = await openSmallStage('storm')
    const env = {
      ...stage.sandbox.environment,
      ...(await openDatabase()),
      SERAI_DATA_DIR: stage.dataDir,
      // Every request for a property returns new offers.
      SERAI_ANSWER_REUSE_SECONDS: '0',
    }
    await addAccounts(env)
    for (let i = 0; i < 2; i += 1) {
      servers.push(await startServer({ dataDir: stage.dataDir, port: await freePort(), env }))
    }
    const token = await fetchToken(servers[0]?.url ?? '')
    clients = servers.map(({ url }) => createApiClient(url, token))
  })
  afterAll(async () => {
    for (const server of servers) await server.kill()
    servers = []
    await stage?.close()
  })

  const first = () => {
    const [client] = clients
    if (client === undefined) throw new Error('no server')
    return client
  }
  /** Books on one of the servers. Retries while it is overloaded, as on a busy machine. */
  async function book(index: number, body: object, key?: string): Promise<Answer> {
    const client = clients[index % clients.length] ?? first()
    for (let tries = 1; ; tries += 1) {
      const answer = await client.book(body, key)
      if (readErrorCode(answer) !== 'overloaded' || tries === ATTEMPTS_MAX) return answer
      await setTimeout(Number(answer.retryAfter) * 1_000)
    }
  }
  const vendorBookings = async (familyName: string) =>
    Object.values(await readLedgers(stage))
      .flat()
      .filter(({ holder }) => holder.endsWith(familyName))

  /** Expects one booking; the other clients get a replay of it or are asked to wait. */
  async function expectOneBooking(answers: readonly Answer[], familyName: string): Promise<void> {
    const made = answers.filter(({ status }) => status === 201)
    expect(new Set(made.map(({ text }) => text)).size).toBe(1)
    expect(made.filter(({ replayed }) => !replayed)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect([answer.status, readErrorCode(answer), answer.retryAfter]).toEqual([409, 'request_in_progress', '1'])
    }
    expect(await vendorBookings(familyName)).toHaveLength(1)
  }

  test('of 200 requests with one idempotency key exactly one books; the others get a replay or are asked to wait', async () => {
    const [offer] = await collectOffers(first(), 1)
    const name = newName()
    const body = { ...offer?.info, guests: guest(name) }
    const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => book(i, body, name)))
    await expectOneBooking(answers, name)
    const again = await book(1, body, name)
    expect([again.status, again.replayed, again.text]).toEqual([201, true, answers.find((a) => a.status === 201)?.text])
  })

  test('without an idempotency key the offer itself serves as the key', async () => {
    const [, offer] = await collectOffers(first(), 2)
    const name = newName()
    const body = { ...offer?.info, guests: guest(name) }
    const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => book(i, body)))
    await expectOneBooking(answers, name)
  })

  test('an offer sent under many keys is booked once, and the other keys are refused', async () => {
    const [, , offer] = await collectOffers(first(), 3)
    const name = newName()
    const body = { ...offer?.info, guests: guest(name) }
    const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => book(i, body, `${name}-${i}`)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(['offer_used', 'request_in_progress']).toContain(readErrorCode(answer))
    }
    expect(await vendorBookings(name)).toHaveLength(1)
  })

  test('of 50 clients that want the last room one gets it and the others get a 409 with the reason', async () => {
    const offers = await collectLastRoomOffers(first(), 50)
    const name = newName()
    const answers = await Promise.all(
      offers.map((offer, i) => book(i, { ...offer.info, guests: guest(name) }, `${name}-${i}`)),
    )
    console.log(`last room: ${JSON.stringify(tally(answers))}`)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(answer.status).toBe(409)
      expect(['sold_out', 'booking_rejected']).toContain(readErrorCode(answer))
      if (readErrorCode(answer) === 'sold_out') expect(JSON.parse(answer.text).alternatives.length).toBeGreaterThan(0)
    }
    expect(await vendorBookings(name)).toHaveLength(1)
    const mine = (await first().bookings()).filter(({ status }) => status === 'confirmed').length
    const theirs = Object.values(await readLedgers(stage)).flat().length
    expect(mine).toBe(theirs)
  })
}

/** Offers of a vendor's last room, each from a search of its own, because a room of a search can be booked only once. */
async function collectLastRoomOffers(client: ApiClient, wanted: number): Promise<Offer[]> {
  for (let day = 30; day < 90; day += 12) {
    const { searchId, properties } = await client.search('Zermatt', day)
    for (const propertyId of properties.slice(0, 60)) {
      const rooms = await client.rooms(searchId, propertyId)
      const single = rooms.find(({ roomsLeft, name }) => roomsLeft === 1 && name !== '')
      if (single === undefined) continue
      const same = ({ name, vendorId }: Offer) => name === single.name && vendorId === single.vendorId
      const found = [single]
      while (found.length < wanted) {
        const own = await client.search('Zermatt', day)
        const offer = (await client.rooms(own.searchId, propertyId)).find(same)
        if (offer === undefined) throw new Error('a search misses the last room')
        found.push(offer)
      }
      return found
    }
  }
  throw new Error('no property has a last room')
}
