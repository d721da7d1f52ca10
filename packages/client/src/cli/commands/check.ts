import { checkRoom, printTerms, roomAt } from '../checked-room.ts'
import { type Command, read, simulationOf, withSimulation } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { lastSearch } from '../last-search.ts'
import { printJson } from '../output.ts'
import { openClient } from '../session.ts'

export const check: Command = {
  summary: 'check the price and terms of a room; books nothing',
  usage: `Usage: serai-api check NUMBER[.ROOM] [--simulate[=HOW]]

Asks the vendor for the present price and terms. Ends with 4 if they differ from what was shown, or if it is sold out.`,
  options: ['--simulate'],
  async run(args) {
    const { values, positionals } = read(withSimulation(args), { simulate: { type: 'string' } }, { min: 1, max: 1 })
    const { simulate: searchedAs } = lastSearch()
    const room = await roomAt(openClient(searchedAs ?? undefined), positionals[0] ?? '')
    const checked = await checkRoom(openClient(simulationOf(values.simulate) ?? searchedAs ?? undefined), room)
    if (values.json) printJson(checked)
    else printTerms(checked)
    return checked.status === 'matched' ? EXIT.done : EXIT.refused
  },
}
