import { checkRoom, findShownRoom, printTerms } from '../checked-room.ts'
import { type Command, expandSimulateFlag, parseCommand, parseSimulation } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { readLastSearch } from '../last-search.ts'
import { printJson } from '../output.ts'
import { openClient } from '../session.ts'

export const checkCommand: Command = {
  summary: 'check the price and terms of a room; books nothing',
  usage: `Usage: serai-api check NUMBER[.ROOM] [--simulate[=HOW]]

Asks the vendor for the current price and terms. Exits with 4 if they differ from what was shown or the room is sold out.`,
  options: ['--simulate'],
  async run(args) {
    const { values, positionals } = parseCommand(
      expandSimulateFlag(args),
      { simulate: { type: 'string' } },
      { min: 1, max: 1 },
    )
    const { simulate: searchedAs } = readLastSearch()
    const room = await findShownRoom(openClient(searchedAs ?? undefined), positionals[0] ?? '')
    const checked = await checkRoom(openClient(parseSimulation(values.simulate) ?? searchedAs ?? undefined), room)
    if (values.json) printJson({ data: checked })
    else printTerms(checked)
    return checked.status === 'matched' ? EXIT.done : EXIT.refused
  },
}
