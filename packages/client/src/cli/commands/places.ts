import { type Command, parseCommand, parseNumberOption } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { printInfo, printJson, printTable } from '../output.ts'
import { openClient } from '../session.ts'

export const placesCommand: Command = {
  summary: 'find places that can be searched',
  usage: `Usage: serai-api places TEXT [--limit N]

Finds cities, airports, regions, landmarks and properties whose names start with TEXT, best match first.`,
  options: ['--limit'],
  async run(args) {
    const { values, positionals } = parseCommand(args, { limit: { type: 'string' } }, { min: 1, max: 20 })
    const limit = parseNumberOption('limit', values.limit, 10)
    const page = await openClient().locations.search({ starts_with: positionals.join(' '), limit })
    if (values.json) printJson(page)
    else if (page.data.length > 0)
      printTable(page.data, [
        { title: 'ID', cell: ({ id }) => id },
        { title: 'TYPE', cell: ({ type }) => type },
        { title: 'NAME', cell: ({ name }) => name },
      ])
    if (page.data.length > 0) return EXIT.done
    printInfo(page.meta.errors[0]?.message ?? 'No place matches.')
    return EXIT.notFound
  },
}
