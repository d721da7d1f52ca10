import { createRequire } from 'node:module'
import { SeraiError } from '../serai-error.ts'
import { COMMANDS } from './commands.ts'
import { EXIT, type ExitCode, exitCodeOf, isInDoubt, UsageError } from './exit-codes.ts'
import { paint, plain, say } from './output.ts'

const { version: VERSION } = createRequire(import.meta.url)('../../package.json') as { version: string }

const isHelp = (argument: string | undefined) => argument === '--help' || argument === '-h'

const HELP = `Usage: serai-api COMMAND [arguments]

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(11)} ${summary}`)
  .join('\n')}

Every command takes --json. serai-api COMMAND --help prints its options, serai-api --version the version.

Environment: SERAI_URL, SERAI_API_KEY (instead of login), NO_COLOR.
Exit codes:  0 done, 1 failed, 2 wrong arguments, 3 not signed in or not allowed, 4 refused (price or terms changed,
             sold out, expired, not valid), 5 the outcome is not known yet, 6 not found, 130 interrupted.`

/** Runs one command line and returns the exit code. */
export async function runSeraiApi([name = 'help', ...args]: readonly string[]): Promise<ExitCode> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) {
    if (name === '--version') {
      console.log(VERSION)
      return EXIT.done
    }
    const isAsked = name === 'help' || isHelp(name)
    if (isAsked) console.log(HELP)
    else say(`Unknown command: ${plain(name)}\n\n${HELP}`)
    return isAsked ? EXIT.done : EXIT.usage
  }
  if (args.some(isHelp)) {
    console.log(command.usage)
    return EXIT.done
  }
  try {
    return await command.run(args)
  } catch (error) {
    const wrong = isWrongArgument(error)
    explain(error, args.includes('--json'))
    if (wrong || error instanceof UsageError) say(`\n${command.usage}`)
    return wrong ? EXIT.usage : exitCodeOf(error)
  }
}

const isWrongArgument = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')

/** By operation. */
const DOUBT: Readonly<Record<string, string>> = {
  'booking.create': 'It may have been booked. Run the same command again: it books nothing twice.',
  'booking.cancel':
    'It may have been cancelled. serai-api bookings BOOKING_ID shows it; the same command again cancels nothing twice.',
}

/** No stack traces: what is wrong, and what support finds it by. */
function explain(error: unknown, isJson: boolean): void {
  if (error instanceof SeraiError && isJson) {
    const { status, code, requestId, effect, retryable, problem, message } = error
    const told = { status, code, message, request_id: requestId, effect, retryable, problem }
    say(JSON.stringify({ error: told }, null, 2))
  } else if (error instanceof SeraiError) {
    say(paint('red', plain(error.message)))
    for (const { field, message } of error.problem?.errors ?? []) say(`  ${plain(field)}: ${plain(message)}`)
    if (error.status === 401) say('Run serai-api login again, or set another SERAI_API_KEY.')
    if (isInDoubt(error))
      say(DOUBT[error.operation] ?? 'It is not known whether this had an effect. Check before you repeat it.')
    if (error.code === 'unreachable') say('serai-api doctor says which address was asked, and what is wrong.')
    say(`  ${error.code}${error.status === 0 ? '' : `, ${error.status}`}, request ${error.requestId}`)
  } else say(paint('red', error instanceof Error ? error.message : String(error)))
}
