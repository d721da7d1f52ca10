import { createClient } from '../../create-client.ts'
import { SeraiError } from '../../serai-error.ts'
import { askSecret, askText } from '../ask.ts'
import { type Command, read } from '../command.ts'
import { EXIT, UsageError } from '../exit-codes.ts'
import { CREDENTIALS_FILE, LAST_SEARCH_FILE, readPrivate, remove, writePrivate } from '../files.ts'
import { printJson, say } from '../output.ts'
import { type Credentials, USUAL_URL } from '../session.ts'

export const login: Command = {
  summary: 'sign in with an account or an API key',
  usage: `Usage: serai-api login [--url URL] [--email EMAIL | --key KEY]

Checks the account or key and stores what later commands need, readable by you only, in
${CREDENTIALS_FILE}. The password itself is not stored.

  --url URL      where the service is; ${USUAL_URL} when absent
  --email EMAIL  the account; the password is asked for, or read from standard input
  --code CODE    the one-time code of an account that has them; asked for when absent
  --key KEY      an API key (srk_…); - reads it from standard input, which keeps it out of the list of processes
  --insecure     allow http to another machine than this one`,
  options: ['--url', '--email', '--code', '--key', '--insecure'],
  async run(args) {
    const { values } = read(
      args,
      {
        url: { type: 'string' },
        email: { type: 'string' },
        key: { type: 'string' },
        code: { type: 'string' },
        insecure: { type: 'boolean' },
      },
      { min: 0, max: 0 },
    )
    const url = addressOf(values.url ?? process.env.SERAI_URL ?? USUAL_URL, values.insecure === true)
    const key = values.key ?? (values.email === undefined ? process.env.SERAI_API_KEY : undefined)
    const credentials = key ? await withKey(url, key) : await withPassword(url, values.email, values.code)
    writePrivate(CREDENTIALS_FILE, credentials)
    remove(LAST_SEARCH_FILE)
    const { account } = credentials
    if (values.json) printJson({ url, account: account ?? null })
    else say(`Signed in to ${url}${account === undefined ? ' with an API key' : ` as ${account}`}.`)
    return EXIT.done
  },
}

export const logout: Command = {
  summary: 'sign out: revoke the token and forget it',
  usage: 'Usage: serai-api logout\n\nRevokes the token (an API key stays valid) and deletes the stored credentials.',
  options: [],
  async run(args) {
    read(args, {}, { min: 0, max: 0 })
    // As stored, whatever key the environment names: it is the stored token that is forgotten.
    const stored = readPrivate<Credentials>(CREDENTIALS_FILE)
    // What cannot be revoked now expires by itself; it is forgotten here in any case.
    if (stored?.token?.startsWith('srt_'))
      await createClient({ baseUrl: stored.url, token: stored.token, headers: { 'user-agent': 'serai-api' } })
        .accounts.revokeToken()
        .catch(() => undefined)
    remove(CREDENTIALS_FILE)
    remove(LAST_SEARCH_FILE)
    say('Signed out.')
    return EXIT.done
  },
}

async function withPassword(url: string, given: string | undefined, code: string | undefined): Promise<Credentials> {
  const email = given ?? (await askText('E-mail: '))
  if (email === '') throw new UsageError('--email or --key is missing.')
  const password = await askSecret('Password: ')
  const { accounts } = createClient({ baseUrl: url })
  const { token, account } = await accounts.getToken({ user: { email, password } }).catch(async (error: unknown) => {
    if (!(error instanceof SeraiError) || error.code !== 'totp_required') throw error
    const totp = code ?? (await askText('One-time code: '))
    if (totp === '') throw error
    return accounts.getToken({ user: { email, password, totp } })
  })
  return { url, token, account: account.email }
}

async function withKey(url: string, given: string): Promise<Credentials> {
  const key = given === '-' ? await askSecret('API key: ') : given
  if (!/^srk_\S{8,}$/.test(key)) throw new UsageError('An API key begins with srk_.')
  // A key without the scope for this (403) is a valid key too.
  await createClient({ baseUrl: url, token: key })
    .booking.list({ limit: 1 })
    .catch((error) => {
      if (error?.status !== 403) throw error
    })
  return { url, token: key }
}

function addressOf(text: string, isInsecure: boolean): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) throw new UsageError('--url must be an address with https.')
  if (url.username !== '' || url.password !== '') throw new UsageError('--url must hold no user name or password.')
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  if (url.protocol === 'http:' && !isHere && !isInsecure)
    throw new UsageError('A password or key would cross the network in the clear: use https, or add --insecure.')
  return url.href.replace(/\/$/, '')
}
