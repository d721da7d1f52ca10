import { type Command, numberOf, read } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { printJson, printTable, say } from '../output.ts'
import { openClient } from '../session.ts'

export const places: Command = {
  summary: 'find places that can be searched',
  usage: `Usage: serai-api places TEXT [--limit N]

Finds cities, airports, regions, landmarks and properties whose names begin with TEXT, the best match first.`,
  options: ['--limit'],
  async run(args) {
    const { values, positionals } = read(args, { limit: { type: 'string' } }, { min: 1, max: 20 })
    const limit = numberOf('limit', values.limit, 10)
    const page = await openClient().locations.search({ starts_with: positionals.join(' '), limit })
    if (values.json) printJson(page.data)
    else if (page.data.length > 0)
      printTable(page.data, [
        { title: 'ID', of: ({ id }) => id },
        { title: 'TYPE', of: ({ type }) => type },
        { title: 'NAME', of: ({ name }) => name },
      ])
    if (page.data.length > 0) return EXIT.done
    say(page.meta.errors[0]?.message ?? 'No place begins like that.')
    return EXIT.notFound
  },
}
