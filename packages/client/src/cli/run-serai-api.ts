import { createRequire } from 'node:module'
import { SeraiError } from '../serai-error.ts'
import { COMMANDS } from './commands.ts'
import { EXIT, type ExitCode, getExitCode, isInDoubt, UsageError } from './exit-codes.ts'
import { paint, printInfo, stripControls } from './output.ts'

const { version: VERSION } = createRequire(import.meta.url)('../../package.json') as { version: string }

const isHelpFlag = (argument: string | undefined) => argument === '--help' || argument === '-h'

const HELP = `Usage: serai-api COMMAND [arguments]

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(11)} ${summary}`)
  .join('\n')}

Every command takes --json, which prints the API's own JSON. Run serai-api COMMAND --help for its options, serai-api --version for the version.

Environment: SERAI_URL, SERAI_API_KEY (instead of login), NO_COLOR.
Exit codes:  0 done, 1 failed, 2 wrong arguments, 3 not signed in or not allowed, 4 refused (price or terms changed,
             sold out, expired, not valid), 5 the outcome is not known yet, 6 not found, 130 interrupted.`

/** Runs a command line and returns the exit code. */
export async function runSeraiApi([name = 'help', ...args]: readonly string[]): Promise<ExitCode> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) {
    if (name === '--version') {
      console.log(VERSION)
      return EXIT.done
    }
    const isHelpRequested = name === 'help' || isHelpFlag(name)
    if (isHelpRequested) console.log(HELP)
    else printInfo(`Unknown command: ${stripControls(name)}\n\n${HELP}`)
    return isHelpRequested ? EXIT.done : EXIT.usage
  }
  if (args.some(isHelpFlag)) {
    console.log(command.usage)
    return EXIT.done
  }
  try {
    return await command.run(args)
  } catch (error) {
    const isUsageError = isWrongArgument(error)
    printFailure(error, args.includes('--json'))
    if (isUsageError || error instanceof UsageError) printInfo(`\n${command.usage}`)
    return isUsageError ? EXIT.usage : getExitCode(error)
  }
}

const isWrongArgument = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')

/** Hints by operation. */
const DOUBT_HINTS: Readonly<Record<string, string>> = {
  'booking.create': 'The room may have been booked. Run the same command again; it never books twice.',
  'booking.cancel':
    'The booking may have been cancelled. Run serai-api bookings BOOKING_ID to check; repeating the command is safe.',
}

/** Prints the error and the request id for support, without a stack trace. */
function printFailure(error: unknown, isJson: boolean): void {
  if (error instanceof SeraiError && isJson) {
    const { status, code, requestId, effect, retryable, problem, message } = error
    // Without an answer of the service, a problem of the same form.
    const own = { status, code, detail: message, instance: requestId, effect, retryable }
    printInfo(JSON.stringify(problem ?? own, null, 2))
  } else if (error instanceof SeraiError) {
    printInfo(paint('red', stripControls(error.message)))
    for (const { field, message } of error.problem?.errors ?? [])
      printInfo(`  ${stripControls(field)}: ${stripControls(message)}`)
    if (error.status === 401) printInfo('Run serai-api login again, or set another SERAI_API_KEY.')
    if (isInDoubt(error))
      printInfo(DOUBT_HINTS[error.operation] ?? 'This may have had an effect. Check before you repeat it.')
    if (error.code === 'unreachable') printInfo('Run serai-api doctor to see which address was used and what is wrong.')
    printInfo(`  ${error.code}${error.status === 0 ? '' : `, ${error.status}`}, request ${error.requestId}`)
  } else printInfo(paint('red', error instanceof Error ? error.message : String(error)))
}
