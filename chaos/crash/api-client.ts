import { STAND_IN_IDS } from '../../sandbox/stand-ins.ts'
import { createManageAccounts } from '../../src/accounts/manage-accounts.ts'
import { createPasswords } from '../../src/accounts/passwords.ts'
import { createAccountStore } from '../../src/accounts/store/accounts.ts'
import { createSignInStore } from '../../src/accounts/store/sign-ins.ts'
import { openConfigured } from '../../src/compose/database.ts'
import { readConfig } from '../../src/config.ts'
import { randomIds } from '../../src/lib/crypto/ids.ts'
import { systemClock } from '../../src/lib/time/clock.ts'
import { addDays, dateIn } from '../../src/lib/time/plain-date.ts'
import { migrate } from '../../src/store/migrations.ts'
import { sleep } from '../../test/support/servers/server-process.ts'

type BookingInfo = Readonly<Record<string, string>>
export type CancelPolicy = {
  readonly cancelation: string
  readonly penalties: readonly { readonly from: string; readonly until: string | null; readonly amount: number }[]
}
/** Terms of a room as shown to a client. */
export type ShownTerms = {
  /** Currency of the charge if it equals the shown currency. Amounts in different currencies cannot be compared. */
  readonly chargedIn: string | undefined
  readonly total: number
  readonly due: number
  readonly board: string
  readonly policy: CancelPolicy
}
export type Offer = {
  readonly info: BookingInfo
  readonly vendorId: string
  readonly propertyId: string
  readonly roomsLeft: number | null
  readonly refundable: boolean
  readonly name: string
  readonly shown: ShownTerms
}
export type Answer = {
  readonly status: number
  readonly text: string
  readonly replayed: boolean
  readonly retryAfter: string | null
  readonly location: string | null
}
/** A booking in the list of bookings. */
export type ListedBooking = {
  readonly booking_id: string
  readonly status: string
  readonly vendor_id: string
  readonly vendor_reference: string | null
  readonly reference: string
  readonly client_reference: string | null
  readonly cancellation: unknown
  readonly discrepancies?: readonly { readonly code: string }[]
  readonly total_price?: number
  readonly currency?: string
  readonly due_at_property?: number
  readonly room?: { readonly board: string }
  readonly cancel_policy?: CancelPolicy
}

export const CRASH_ACCOUNT = {
  email: 'crash@example.com',
  name: 'Cara Rash',
  password: 'a password for the loop',
} as const

/** Adds accounts to a server's database before it starts; returns their ids. */
export async function addAccounts(
  env: Readonly<Record<string, string>>,
  accounts: readonly { email: string; name: string; password: string }[] = [CRASH_ACCOUNT],
): Promise<string[]> {
  const database = openConfigured(readConfig(env))
  try {
    await migrate(database)
    const manage = createManageAccounts({
      accounts: createAccountStore(database),
      signIns: createSignInStore(database),
      passwords: createPasswords(),
      clock: systemClock,
      ids: randomIds,
    })
    const ids: string[] = []
    for (const { email, name, password } of accounts) ids.push((await manage.add(email, name, password))?.id ?? '')
    return ids
  } finally {
    await database.close()
  }
}

export type ApiClient = ReturnType<typeof createApiClient>

const BUSY_TRIES_MAX = 10
const BUSY = /"code":"(overloaded|rate_limited|vendor_timeout)"/
const isBusy = ({ status, text }: Answer): boolean => status >= 429 && BUSY.test(text)

export function createApiClient(url: string, token: string) {
  const headers = { authorization: `bearer: ${token}`, 'content-type': 'application/json' }
  async function send(
    method: string,
    path: string,
    body?: unknown,
    more: Record<string, string> = {},
  ): Promise<Answer> {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, ...more },
      signal: AbortSignal.timeout(30_000),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return {
      status: answer.status,
      text: await answer.text(),
      replayed: answer.headers.get('idempotent-replayed') === 'true',
      retryAfter: answer.headers.get('retry-after'),
      location: answer.headers.get('location'),
    }
  }
  /** Retries while the service is overloaded or its vendors are slow, as on a busy machine. */
  async function sendPatiently(method: string, path: string, body?: unknown): Promise<Answer> {
    for (let tries = 1; ; tries += 1) {
      const answer = await send(method, path, body)
      if (!isBusy(answer) || tries === BUSY_TRIES_MAX) return answer
      await sleep(1_000 * Number(answer.retryAfter ?? 1))
    }
  }
  const read = async (path: string) => {
    const answer = await sendPatiently('GET', path)
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text}`)
    return JSON.parse(answer.text)
  }

  return {
    ask: send,
    book: (body: unknown, key?: string) =>
      send('POST', '/api/accommodation/book', body, key === undefined ? {} : { 'idempotency-key': key }),
    cancel: (bookingId: string) => send('POST', `/api/accommodation/bookings/${bookingId}/cancel`),
    show: async (bookingId: string) => (await read(`/api/accommodation/bookings/${bookingId}`)).data,

    /** Every booking of the account, page by page. */
    async bookings(): Promise<ListedBooking[]> {
      const all: ListedBooking[] = []
      for (let page = 1; page <= 100; page += 1) {
        const { data, meta } = await read(`/api/accommodation/bookings?page=${page}&page_size=500`)
        all.push(...data)
        if (data.length === 0 || all.length >= meta.total_count) break
      }
      return all
    },

    async search(town: string, inDays: number): Promise<{ searchId: string; properties: string[] }> {
      const places = await read(`/api/locations/search?starts_with=${encodeURIComponent(town)}`)
      const checkIn = addDays(dateIn('UTC', Date.now()), inDays)
      const body = {
        destination_id: places.data[0].id,
        check_in: checkIn,
        check_out: addDays(checkIn, 2),
        occupancies: [{ adults: 2 }],
        currency: 'EUR',
        timeout_ms: 15_000,
      }
      const answer = await sendPatiently('POST', '/api/accommodation_searches/search', body)
      if (answer.status !== 200) throw new Error(`the search answered ${answer.status}: ${answer.text}`)
      const { data } = JSON.parse(answer.text)
      const properties = data.availability.map((property: { property_id: string }) => property.property_id)
      return { searchId: data.search_id, properties }
    },

    async rooms(searchId: string, propertyId: string): Promise<Offer[]> {
      const path = `/api/accommodation_searches/accommodation?search_id=${searchId}&property_id=${propertyId}&raw=true`
      const detail = await read(path)
      return detail.available_rooms.map((room: Record<string, unknown>) => ({
        info: room.booking_info,
        vendorId: room.vendor_id,
        propertyId,
        roomsLeft: room.rooms_left,
        refundable: room.refundable,
        name: room.name,
        shown: {
          chargedIn: room.converted_from === null ? room.currency : undefined,
          total: room.total_inclusive,
          due: room.due_at_property,
          board: room.board,
          policy: room.cancel_policy,
        },
      }))
    },
  }
}

export async function fetchToken(
  url: string,
  { email, password } = CRASH_ACCOUNT as { email: string; password: string },
) {
  const signIn = () =>
    fetch(`${url}/api/accounts/get_token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ user: { email, password } }),
    })
  for (let tries = 1; ; tries += 1) {
    const answer = await signIn()
    const { token } = (await answer.json()) as { token?: string }
    if (token !== undefined) return token
    if (answer.status !== 503 || tries === BUSY_TRIES_MAX) throw new Error(`sign-in answered ${answer.status}`)
    await sleep(1_000 * Number(answer.headers.get('retry-after') ?? 1))
  }
}

/** Collects at least `wanted` offers, which can all be booked. The first search of a town reads its content and may return too few. */
export async function collectOffers(client: ApiClient, wanted: number, inDays = 40): Promise<Offer[]> {
  const offers: Offer[] = []
  for (let tries = 0; tries < 5; tries += 1) {
    const { searchId, properties } = await client.search('Zermatt', inDays + tries)
    for (const propertyId of properties.slice(0, 60)) {
      offers.push(...firstOfEachRoom(await client.rooms(searchId, propertyId)))
      if (offers.length >= wanted && hasAllVendors(offers)) return interleaveVendors(offers)
    }
    await sleep(500)
  }
  throw new Error(`found ${offers.length} offers, expected at least ${wanted}`)
}

/** Of the rates that differ only in price one can be booked: to the service they are one room of the search. */
const firstOfEachRoom = (offers: readonly Offer[]): Offer[] =>
  [...Map.groupBy(offers, roomKey).values()].flatMap(([first]) => first ?? [])

function roomKey({ info, vendorId, name, refundable, shown }: Offer): string {
  const { price_check_uri: _, ...visible } = info
  return JSON.stringify([vendorId, name, shown.board, refundable, visible])
}

const hasAllVendors = (offers: readonly Offer[]) =>
  STAND_IN_IDS.every((id) => offers.some(({ vendorId }) => vendorId === id))

/** Alternates between vendors, so that even a few offers cover all of them. */
function interleaveVendors(offers: readonly Offer[]): Offer[] {
  const byVendor = [...Map.groupBy(offers, ({ vendorId }) => vendorId).values()]
  const longest = Math.max(...byVendor.map(({ length }) => length))
  return Array.from({ length: longest }, (_, index) => byVendor.flatMap((own) => own[index] ?? [])).flat()
}
