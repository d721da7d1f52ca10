import { confirm } from '../ask.ts'
import { type Command, parseCommand } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { formatMoney, printJson } from '../output.ts'
import { openClient } from '../session.ts'

export const cancelCommand: Command = {
  summary: 'cancel a booking, after showing what it costs',
  usage: `Usage: serai-api cancel BOOKING_ID [--preview] [--yes]

  --preview  only show what cancelling would cost now
  --yes      do not ask for confirmation`,
  options: ['--preview', '--yes'],
  async run(args) {
    const options = { preview: { type: 'boolean' }, yes: { type: 'boolean' } } as const
    const { values, positionals } = parseCommand(args, options, { min: 1, max: 1 })
    const booking_id = positionals[0] ?? ''
    const { booking } = openClient()
    const cost = await booking.cancel({ booking_id, preview: true })
    const summary = `costs ${formatMoney(cost.penalty, cost.currency)}; ${formatMoney(cost.refund, cost.currency)} is refunded`
    if (values.preview) {
      if (values.json) printJson({ data: cost })
      else console.log(`Cancelling ${summary}.`)
      return EXIT.done
    }
    await confirm(`Cancelling ${summary}. Cancel it?`, values.yes)
    const outcome = await booking.cancel({ booking_id, accept_penalty_up_to: String(cost.penalty) })
    const isDone = outcome.status === 'cancelled'
    if (values.json) printJson({ data: outcome })
    else if (isDone) console.log(`cancelled: ${formatMoney(outcome.penalty, outcome.currency)} charged.`)
    else
      console.log(
        `${outcome.status}: the vendor has not confirmed it yet. Run serai-api bookings ${booking_id} to check.`,
      )
    return isDone ? EXIT.done : EXIT.undecided
  },
}
