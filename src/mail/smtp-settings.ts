/** Sender of mails that are only kept, never sent. */
export const NO_SENDER = { name: 'Serai', address: 'serai@localhost', domain: 'localhost' }
export type SmtpSettings = {
  readonly host: string
  readonly port: number
  /** TLS from the first byte. */
  readonly secure: boolean
  /** For `smtp:` connections: mandatory, used if offered, or never used. */
  readonly startTls: 'required' | 'optional' | 'off'
  readonly user: string | undefined
  readonly password: string | undefined
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
const CHOICES = ['required', 'optional', 'off'] as const

/** Returns an error text for an invalid URL, without repeating it because it contains a password. */
export function readSmtpUrl(text: string): SmtpSettings | string {
  if (!URL.canParse(text)) return 'must be an address such as smtps://user:password@mail.example.com'
  const url = new URL(text)
  const secure = url.protocol === 'smtps:'
  if (!secure && url.protocol !== 'smtp:') return 'must begin with smtp:// or smtps://'
  if (url.hostname === '') return 'must name a host'
  const unknown = [...url.searchParams.keys()].find((name) => name !== 'tls')
  if (unknown !== undefined)
    return 'has an unknown parameter; only tls=required, tls=optional and tls=off are permitted'
  const isLocal = LOOPBACK.test(url.hostname)
  const requested = url.searchParams.get('tls') ?? (isLocal ? 'optional' : 'required')
  const startTls = CHOICES.find((choice) => choice === requested)
  if (startTls === undefined) return 'must have tls=required, tls=optional or tls=off'
  if (!secure && startTls !== 'required' && url.username !== '' && !isLocal) {
    return 'would send the password unencrypted: use smtps://, or omit tls= to require STARTTLS'
  }
  const [user, password] = [decode(url.username), decode(url.password)]
  if (user === undefined || password === undefined) return 'has an invalid % in its user or password: write it as %25'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    startTls,
    user: user === '' ? undefined : user,
    password: password === '' ? undefined : password,
  }
}

function decode(text: string): string | undefined {
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
