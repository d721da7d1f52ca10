import { Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { Agent } from 'undici'
import type { FieldError } from '../domain/errors.ts'
import { startDeadline } from '../lib/time/deadline.ts'
import { isPublicAddress, literalAddress, privateTarget, readTarget, unresolvable } from './webhook-target.ts'

/** HTTP status of the receiver, or the reason why there was none. */
export type SendOutcome =
  | { readonly status: number; readonly text?: string }
  | { readonly status: undefined; readonly why: 'timeout' | 'unreachable' | 'refused' }

/** All addresses of a host name; empty or rejected if there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

export type WebhookSender = {
  /** Undefined if the target is permitted. */
  checkTarget(url: string): Promise<FieldError | undefined>
  /** Does not follow redirects, and never throws because of a receiver. */
  send(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<SendOutcome>
  close(): Promise<void>
}

type Options = {
  /** For development, or receivers in the operator's own network. */
  readonly allowPrivateTargets: boolean
  readonly timeoutMs?: number
  readonly resolve?: Resolve
}

const TIMEOUT_MS = 10_000
/** The rest of a longer response is not read. */
const ANSWER_MAX_BYTES = 16 * 1024
/** Part of the response that the owner sees. */
const SHOWN_MAX_BYTES = 1_000
const CONNECTIONS_PER_TARGET = 4

/** Checks the resolved address of every connection, which prevents DNS rebinding. */
export function createWebhookSender(options: Options): WebhookSender {
  const { allowPrivateTargets, timeoutMs = TIMEOUT_MS, resolve = resolvePublicly } = options
  const agent = new Agent({
    connections: CONNECTIONS_PER_TARGET,
    pipelining: 1,
    keepAliveTimeout: 10_000,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: timeoutMs, ...(allowPrivateTargets ? {} : { lookup: publicLookup(resolve) }) },
  })

  return {
    async checkTarget(text) {
      const url = readTarget(text, allowPrivateTargets)
      if (!(url instanceof URL)) return url
      if (allowPrivateTargets || literalAddress(url) !== undefined) return undefined
      const addresses = await resolve(url.hostname).catch(() => [])
      if (addresses.length === 0) return unresolvable()
      return addresses.every(isPublicAddress) ? undefined : privateTarget()
    },

    async send(text, headers, body) {
      // `lookup` is not called for a literal address.
      const url = readTarget(text, allowPrivateTargets)
      if (!(url instanceof URL)) return { status: undefined, why: 'refused' }
      using deadline = startDeadline(timeoutMs)
      try {
        const { origin, pathname, search } = url
        const path = `${pathname}${search}`
        const { signal } = deadline
        const answer = await agent.request({ origin, path, method: 'POST', headers: { ...headers }, body, signal })
        const text = await readBeginning(answer.body)
        return { status: answer.statusCode, ...(text === '' ? {} : { text }) }
      } catch (error) {
        return { status: undefined, why: classifyError(error, deadline.signal) }
      }
    },

    close: () => agent.destroy(),
  }
}

/** Ignores errors: the status is already known. */
async function readBeginning(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      if (size < SHOWN_MAX_BYTES) chunks.push(chunk)
      size += chunk.length
      if (size > ANSWER_MAX_BYTES) break
    }
  } catch {}
  return Buffer.concat(chunks).subarray(0, SHOWN_MAX_BYTES).toString()
}

function classifyError(error: unknown, signal: AbortSignal): 'timeout' | 'unreachable' | 'refused' {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === PRIVATE_ADDRESS) return 'refused'
  return signal.aborted || /TIMEOUT/.test(String(code)) ? 'timeout' : 'unreachable'
}

const PRIVATE_ADDRESS = 'ERR_PRIVATE_ADDRESS'

/** Refuses a name if any of its addresses is private. */
function publicLookup(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        if (!addresses.every(isPublicAddress)) {
          return callback(Object.assign(new Error('resolves to a private address'), { code: PRIVATE_ADDRESS }), '')
        }
        const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
        const [first] = found
        if (first === undefined) return callback(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), '')
        return options.all === true ? callback(null, found) : callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    )
  }
}

/** Queries DNS directly: the system resolver reads host files and blocks a thread. */
async function resolvePublicly(hostname: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  return found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}
