export type SmtpSettings = {
  readonly host: string
  readonly port: number
  /** TLS from the first byte. */
  readonly secure: boolean
  /** For a connection that begins without TLS: demanded, used where offered, or never used. */
  readonly startTls: 'required' | 'optional' | 'off'
  readonly user: string | undefined
  readonly password: string | undefined
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
const CHOICES = ['required', 'optional', 'off'] as const

/**
 * `smtps://user:password@host` or `smtp://host:587?tls=required`. Returns what is wrong with an address as a text, which
 * does not repeat it: it holds a password.
 */
export function readSmtpUrl(text: string): SmtpSettings | string {
  if (!URL.canParse(text)) return 'must be an address such as smtps://user:password@mail.example.com'
  const url = new URL(text)
  const secure = url.protocol === 'smtps:'
  if (!secure && url.protocol !== 'smtp:') return 'must begin with smtp:// or smtps://'
  if (url.hostname === '') return 'names no host'
  const unknown = [...url.searchParams.keys()].find((name) => name !== 'tls')
  if (unknown !== undefined) return 'has a parameter that is not known; only tls=required, tls=optional and tls=off are'
  const isLocal = LOOPBACK.test(url.hostname)
  const asked = url.searchParams.get('tls') ?? (isLocal ? 'optional' : 'required')
  const startTls = CHOICES.find((choice) => choice === asked)
  if (startTls === undefined) return 'must have tls=required, tls=optional or tls=off'
  if (!secure && startTls !== 'required' && url.username !== '' && !isLocal) {
    return 'would send the password unencrypted: use smtps://, or leave tls= out, which demands STARTTLS'
  }
  const [user, password] = [decoded(url.username), decoded(url.password)]
  if (user === undefined || password === undefined)
    return 'has a % in its user or password that stands for nothing: write it as %25'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    startTls,
    user: user === '' ? undefined : user,
    password: password === '' ? undefined : password,
  }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** `Serai <bookings@example.com>` or the address alone. */
export type Sender = { readonly name: string; readonly address: string; readonly domain: string }

export function readSender(text: string): Sender | undefined {
  const [, name = '', address = ''] = /^(?:([^<>\p{Cc}]*)<([^<>]+)>)$/u.exec(text.trim()) ?? [text, '', text.trim()]
  const [, domain] = /^[^\s@"<>(),;:\\[\]]{1,64}@([a-z0-9.-]{1,253})$/i.exec(address) ?? []
  return domain === undefined ? undefined : { name: name.trim().replace(/^"|"$/g, ''), address, domain }
}
