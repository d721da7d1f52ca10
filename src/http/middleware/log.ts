import pino, { type Logger } from 'pino'

/** Names of what opens an account or says who a guest is: never in the log, at whatever depth it stands. */
const SECRET_NAMES =
  'authorization|cookie|password|token|secret|api[_-]?key|e-?mail|phone|guests|contact|booking[_-]?info|price[_-]?check[_-]?uri'
const SECRET_NAME = new RegExp(`^(${SECRET_NAMES})$`, 'i')
/** Tokens, keys and sessions of ours are also found inside messages. */
const TOKEN = /sr[kpt]_[A-Za-z0-9_-]{10,}/g
const SUSPICIOUS = new RegExp(`${SECRET_NAMES}|sr[kpt]_`, 'i')
const CENSOR = '[redacted]'

export function createLog(level: string, destination?: pino.DestinationStream): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: null,
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

/**
 * Every line passes here once it is written: bindings, messages and errors included. pino's own `redact` knows paths of fixed
 * depth only, see docs/adr/007. Most lines hold none of the names and are left as they are.
 */
function redact(line: string): string {
  if (!SUSPICIOUS.test(line)) return line
  const redacted = JSON.parse(line, (name, value: unknown) => {
    if (SECRET_NAME.test(name)) return CENSOR
    return typeof value === 'string' ? value.replace(TOKEN, CENSOR) : value
  })
  return `${JSON.stringify(redacted)}\n`
}

/** What errors carry beside this (requests, bodies) is not for the log. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name: type, message, stack, cause } = error
  return { type, message, stack, ...(cause === undefined ? {} : { cause: describeError(cause) }) }
}
