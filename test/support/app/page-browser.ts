import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { type Config, readConfig } from '../../../src/config.ts'
import { ACCOUNT, type TestApp } from './app.ts'

const MANY = { quota: 1e6, windowMs: 60_000 }
const { guests } = readConfig({ NODE_ENV: 'test' })

/** Guests who may do what `access` says, with the real limits or with none. */
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
          newGuestsPerAddress: MANY,
        },
  },
})

export type PageBrowser = ReturnType<typeof pageBrowser>

/** A browser on our page: keeps its cookie, and sends what browsers send from a page of the same origin. */
export function pageBrowser(app: Pick<TestApp, 'call'>, cookie = '') {
  let held = cookie
  async function send(options: InjectOptions): Promise<LightMyRequestResponse> {
    const answer = await app.call({
      ...options,
      headers: {
        'sec-fetch-site': 'same-origin',
        'x-serai-page': '1',
        ...(held === '' ? {} : { cookie: held }),
        ...options.headers,
      },
    })
    const set = answer.headers['set-cookie']
    if (typeof set === 'string') held = set.split(';', 1)[0]?.replace(/=$/, '') ?? ''
    return answer
  }
  return {
    send,
    cookie: () => held,
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
