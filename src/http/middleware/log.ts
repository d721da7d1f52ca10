import pino, { type Logger } from 'pino'
import { AppError } from '../../domain/errors.ts'
import { traceFields } from '../../lib/trace.ts'

/** Names of fields with credentials or personal data, redacted at any depth. */
const SECRET_NAMES =
  'authorization|cookie|password|token|secret|api[_-]?key|e-?mail|phone|guests|contact|booking[_-]?info|price[_-]?check[_-]?uri'
const SECRET_NAME = new RegExp(`^(${SECRET_NAMES})$`, 'i')
/** Our tokens, keys and sessions are also redacted inside messages. */
const TOKEN = /sr[kpt]_[A-Za-z0-9_-]{10,}/g
const SUSPICIOUS = new RegExp(`${SECRET_NAMES}|sr[kpt]_`, 'i')
const CENSOR = '[redacted]'

export function createLog(level: string, destination?: pino.DestinationStream): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    mixin: traceFields,
    timestamp: pino.stdTimeFunctions.isoTime,
    hooks: { streamWrite: redact },
    serializers: {
      // The default serialisers would log whole headers and the query string.
      req: () => undefined,
      res: () => undefined,
      err: describeError,
    },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

/** Redacts the whole line, because pino's `redact` supports only paths of fixed depth (docs/adr/007). */
function redact(line: string): string {
  if (!SUSPICIOUS.test(line)) return line
  const redacted = JSON.parse(line, (name, value: unknown) => {
    if (SECRET_NAME.test(name)) return CENSOR
    return typeof value === 'string' ? value.replace(TOKEN, CENSOR) : value
  })
  return `${JSON.stringify(redacted)}\n`
}

/** Leaves out other properties of errors, such as requests and bodies. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name: type, message, cause } = error
  // Expected, and the same for every request and job during an outage.
  const stack = error instanceof AppError ? undefined : error.stack
  return {
    type,
    message,
    ...(stack !== undefined && { stack }),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  }
}
