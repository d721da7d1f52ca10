import { readFileSync } from 'node:fs'
import type { AddressInfo, Socket } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { Config } from '../../../src/config.ts'

export const CERTIFICATE = readFileSync('test/fixtures/smtp/localhost-cert.pem', 'utf8')
const KEY = readFileSync('test/fixtures/smtp/localhost-key.pem', 'utf8')

type Received = {
  readonly raw: string
  readonly from: string
  readonly to: readonly string[]
  readonly mail: Email
  readonly isEncrypted: boolean
  readonly user: string | undefined
}

/** Accepts a mail, rejects it with a code, or accepts it and drops the connection before the reply. */
type Answer = 'take' | 'drop' | number

type Options = Pick<SMTPServerOptions, 'secure' | 'hideSTARTTLS'> & {
  answer?: (nth: number) => Answer
  /** Returns a code to reject the recipient. */
  recipient?: () => number | undefined
  login?: { user: string; password: string }
}

/** SMTP server on loopback that keeps every mail. */
export async function startMailbox({ answer = () => 'take', recipient, login, ...options }: Options = {}) {
  const received: Received[] = []
  const sockets = new Set<Socket>()
  const server = new SMTPServer({
    ...options,
    key: KEY,
    cert: CERTIFICATE,
    authOptional: login === undefined,
    disabledCommands: login === undefined ? ['AUTH'] : [],
    onAuth: ({ username, password }, _session, done) =>
      username === login?.user && password === login?.password
        ? done(null, { user: username })
        : done(Object.assign(new Error('no such login'), { responseCode: 535 })),
    onRcptTo: (_address, _session, done) => {
      const code = recipient?.()
      done(code === undefined ? null : Object.assign(new Error('not here'), { responseCode: code }))
    },
    onData: async (stream, session, done) => {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk)
      const raw = Buffer.concat(chunks).toString('utf8')
      const { mailFrom, rcptTo } = session.envelope
      received.push({
        raw,
        from: mailFrom === false ? '' : mailFrom.address,
        to: rcptTo.map(({ address }) => address),
        mail: await PostalMime.parse(Buffer.concat(chunks)),
        isEncrypted: session.secure,
        user: session.user === undefined ? undefined : String(session.user),
      })
      const decision = answer(received.length)
      if (decision === 'take') return done(null)
      if (decision !== 'drop') return done(Object.assign(new Error('not now'), { responseCode: decision }))
      for (const socket of sockets) socket.destroy()
    },
  })
  server.on('error', () => undefined)
  server.server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.server.address() as AddressInfo
  return {
    received,
    port,
    stop: () => new Promise<void>((done) => server.close(() => done())),
  }
}

export type Mailbox = Awaited<ReturnType<typeof startMailbox>>

const sender = { name: 'Serai', address: 'bookings@sender.example', domain: 'sender.example' }

/** Settings that send to the mailbox without a login. */
export const mailThrough = ({ port }: Mailbox): Config['mail'] => ({
  smtp: { host: '127.0.0.1', port, secure: false, startTls: 'off', user: undefined, password: undefined },
  sender,
  keep: false,
  operator: undefined,
})
