/** Measures how well rooms are matched on a labelled set of pairs: npm run score:rooms -- FILE */
import { existsSync, readFileSync } from 'node:fs'
import { readArguments, refuse } from './read-arguments.ts'
import { type RoomPair, type RoomPairJudged, readRoomPairs, scoreRoomPairs } from './score/score-rooms.ts'

const USAGE = `Usage: npm run score:rooms -- FILE

Judges pairs of rooms by their names, as rooms of one property are matched, and compares the result with the labels. FILE is JSON:
  [{ "a": { "name": "…", "beds": ["1 King Bed"], "vendor": "…" }, "b": { "name": "…" }, "same": true }]
beds and vendor are optional. beds is the vendor's list of beds, in addition to the name.

Prints precision, recall and every wrong or missed pair with the attributes that decided. Exits with 1 if a match is wrong.`

const { positionals } = readArguments(USAGE, { allowPositionals: true, options: {} })
const [file, ...more] = positionals
if (file === undefined || more.length > 0) refuse(USAGE, 'Specify exactly one file.')
if (!existsSync(file)) refuse(USAGE, `File not found: ${file}.`)

const pairs = readPairs(file)
const { right, wrong, missed } = scoreRoomPairs(pairs)
for (const pair of wrong) print('WRONG', pair, 'matched by')
for (const pair of missed) print('MISSED', pair, 'kept separate by')
const same = pairs.filter((pair) => pair.same).length
console.log(`${pairs.length} pairs, ${same} are the same room, ${pairs.length - same} are not`)
console.log(`precision ${ratio(right, wrong.length)}  (${right} right, ${wrong.length} wrong)`)
console.log(`recall    ${ratio(right, missed.length)}  (${missed.length} missed)`)
if (wrong.length > 0) process.exitCode = 1

function readPairs(path: string): RoomPair[] {
  try {
    return readRoomPairs(readFileSync(path, 'utf8'))
  } catch (error) {
    return refuse(USAGE, `${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function print(word: string, { a, b, by }: RoomPairJudged, decision: string): void {
  const formatRoom = ({ name, beds, vendor }: RoomPair['a']) =>
    `"${name}"${beds === undefined ? '' : ` [${beds.join(', ')}]`}${vendor === undefined ? '' : ` (${vendor})`}`
  console.log(
    `${word}  ${formatRoom(a)} / ${formatRoom(b)}: ${decision} ${by.join(', ') || 'the absence of differences'}`,
  )
}

function ratio(part: number, rest: number): string {
  return part + rest === 0 ? 'none' : (part / (part + rest)).toFixed(4)
}
