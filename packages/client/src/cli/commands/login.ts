import { createClient } from '../../create-client.ts'
import { SeraiError } from '../../serai-error.ts'
import { askSecret, askText } from '../ask.ts'
import { type Command, parseCommand } from '../command.ts'
import { EXIT, UsageError } from '../exit-codes.ts'
import { CREDENTIALS_FILE, LAST_SEARCH_FILE, readPrivate, removeFile, writePrivate } from '../files.ts'
import { printInfo, printJson } from '../output.ts'
import { type Credentials, DEFAULT_URL } from '../session.ts'

export const loginCommand: Command = {
  summary: 'sign in with an account or an API key',
  usage: `Usage: serai-api login [--url URL] [--email EMAIL | --key KEY]

Checks the account or key and stores the credentials, readable only by you, in
${CREDENTIALS_FILE}. The password is not stored.

  --url URL      URL of the service; default ${DEFAULT_URL}
  --email EMAIL  account; the password is asked for, or read from standard input
  --code CODE    one-time code, if the account has them; default: asked for
  --key KEY      API key (srk_…); - reads it from standard input, which keeps it out of the process list
  --insecure     allow http to another machine`,
  options: ['--url', '--email', '--code', '--key', '--insecure'],
  async run(args) {
    const { values } = parseCommand(
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
    const url = parseServiceUrl(values.url ?? process.env.SERAI_URL ?? DEFAULT_URL, values.insecure === true)
    const key = values.key ?? (values.email === undefined ? process.env.SERAI_API_KEY : undefined)
    const credentials = key ? await signInWithKey(url, key) : await signInWithPassword(url, values.email, values.code)
    writePrivate(CREDENTIALS_FILE, credentials)
    removeFile(LAST_SEARCH_FILE)
    const { account } = credentials
    if (values.json) printJson({ url, account: account ?? null })
    else printInfo(`Signed in to ${url}${account === undefined ? ' with an API key' : ` as ${account}`}.`)
    return EXIT.done
  },
}

export const logoutCommand: Command = {
  summary: 'sign out and revoke the token',
  usage: 'Usage: serai-api logout\n\nRevokes the token (an API key stays valid) and deletes the stored credentials.',
  options: [],
  async run(args) {
    parseCommand(args, {}, { min: 0, max: 0 })
    // Ignores SERAI_API_KEY: only the stored token is revoked.
    const stored = readPrivate<Credentials>(CREDENTIALS_FILE)
    // A token that cannot be revoked now expires by itself; its credentials are deleted in any case.
    if (stored?.token?.startsWith('srt_'))
      await createClient({ baseUrl: stored.url, token: stored.token, headers: { 'user-agent': 'serai-api' } })
        .accounts.revokeToken()
        .catch(() => undefined)
    removeFile(CREDENTIALS_FILE)
    removeFile(LAST_SEARCH_FILE)
    printInfo('Signed out.')
    return EXIT.done
  },
}

async function signInWithPassword(
  url: string,
  givenEmail: string | undefined,
  code: string | undefined,
): Promise<Credentials> {
  const email = givenEmail ?? (await askText('E-mail: '))
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

async function signInWithKey(url: string, keyOption: string): Promise<Credentials> {
  const key = keyOption === '-' ? await askSecret('API key: ') : keyOption
  if (!/^srk_\S{8,}$/.test(key)) throw new UsageError('An API key starts with srk_.')
  // A 403 means that the key is valid but lacks this scope.
  await createClient({ baseUrl: url, token: key })
    .booking.list({ limit: 1 })
    .catch((error) => {
      if (error?.status !== 403) throw error
    })
  return { url, token: key }
}

function parseServiceUrl(text: string, isInsecure: boolean): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) throw new UsageError('--url must be an http or https URL.')
  if (url.username !== '' || url.password !== '')
    throw new UsageError('--url must not contain a user name or password.')
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  if (url.protocol === 'http:' && !isLocal && !isInsecure)
    throw new UsageError('The password or key would be sent unencrypted. Use https, or add --insecure.')
  return url.href.replace(/\/$/, '')
}
