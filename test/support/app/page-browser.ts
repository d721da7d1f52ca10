import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { type Config, readConfig } from '../../../src/config.ts'
import { ACCOUNT, type TestApp } from './app.ts'

const MANY = { quota: 1e6, windowMs: 60_000 }
const { guests } = readConfig({ NODE_ENV: 'test' })

/** Settings of guest access, with the default limits or with none. */
export const withGuests = (access: Config['guests']['access'], isLimited = false): Pick<Config, 'guests'> => ({
  guests: {
    access,
    allowances: isLimited
      ? guests.allowances
      : {
          guest: MANY,
          guestSearches: MANY,
          guestAddress: MANY,
          guestSearchesPerAddress: MANY,
          guestBookingsPerAddress: MANY,
          guestPaymentsPerAddress: MANY,
          newGuestsPerAddress: MANY,
          linkMailsPerAddress: MANY,
          linkMailsPerBooking: MANY,
        },
  },
})

export type PageBrowser = ReturnType<typeof pageBrowser>

/** Acts as a browser on our page: keeps its cookie and sends the headers of a same-origin request. */
export function pageBrowser(app: Pick<TestApp, 'call'>, cookie = '') {
  let currentCookie = cookie
  async function send(options: InjectOptions): Promise<LightMyRequestResponse> {
    const answer = await app.call({
      ...options,
      headers: {
        'sec-fetch-site': 'same-origin',
        'x-serai-page': '1',
        ...(currentCookie === '' ? {} : { cookie: currentCookie }),
        ...options.headers,
      },
    })
    const set = answer.headers['set-cookie']
    if (typeof set === 'string') currentCookie = set.split(';', 1)[0]?.replace(/=$/, '') ?? ''
    return answer
  }
  return {
    send,
    cookie: () => currentCookie,
    signIn: (user: { email: string; password: string } = ACCOUNT) =>
      send({
        method: 'POST',
        url: '/api/session',
        payload: { user: { email: user.email, password: user.password } },
      }),
    startGuest: (headers: Record<string, string> = {}) => send({ method: 'POST', url: '/api/session/guest', headers }),
    signOut: () => send({ method: 'POST', url: '/api/accounts/revoke_token' }),
    session: async () => (await send({ url: '/page-config.json' })).json().session,
  }
}
