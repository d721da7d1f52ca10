/** Measures how well the matcher joins a labelled set of properties: npm run score:properties -- FILE */
import { existsSync, readFileSync } from 'node:fs'
import { readArguments, refuse } from './read-arguments.ts'
import { type LabelledSet, readLabelledSet } from './score/labelled-set.ts'
import { type PairJudged, type Score, scoreProperties } from './score/score-properties.ts'

const USAGE = `Usage: npm run score:properties -- FILE [--all]

Matches the records of FILE as the catalogue does, and compares the result with its labels. FILE is JSON:
  records    vendor_id, vendor_property_id, name, lat, lon, address, postal_code, city, country_code, phone,
             star_rating, chain, category
  same       pairs of ids that are one property; an id is vendor_id:vendor_property_id
  different  pairs that are not
  renamed    pairs that are ignored: one building under a new name

Prints precision, recall and every wrong or missed pair with the evidence of the matcher. --all prints every join too.
Exits with 1 if a join is wrong.`

const { positionals, values } = readArguments(USAGE, { allowPositionals: true, options: { all: { type: 'boolean' } } })
const [file, ...more] = positionals
if (file === undefined || more.length > 0) refuse(USAGE, 'Specify exactly one file.')
if (!existsSync(file)) refuse(USAGE, `File not found: ${file}.`)

const set = readSet(file)
const score = scoreProperties(set)
for (const pair of score.wrong) print('WRONG', pair)
for (const pair of score.missed) print('MISSED', pair)
if (values.all) for (const pair of score.unlabelled) print('JOINED', pair)
printFigures(score)
if (score.wrong.length > 0) process.exitCode = 1

function readSet(path: string): LabelledSet {
  try {
    return readLabelledSet(readFileSync(path, 'utf8'))
  } catch (error) {
    return refuse(USAGE, `${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function print(word: string, { a, b, why: reason, odds, evidence }: PairJudged): void {
  const formatPlace = (record: typeof a) =>
    [record.address, record.postal_code, record.phone].filter((text) => text !== '').join(', ')
  console.log(`${word}  "${a.name}" / "${b.name}"${reason === '' ? '' : ` (${reason})`}`)
  console.log(`    ${a.vendor_id}:${a.vendor_property_id}  ${formatPlace(a)}`)
  console.log(`    ${b.vendor_id}:${b.vendor_property_id}  ${formatPlace(b)}`)
  const facts = evidence.map(({ fact, weight }) => `${weight > 0 ? '+' : ''}${weight} ${fact}`)
  console.log(`    ${odds === undefined ? 'never the same' : `odds ${odds.toFixed(2)}: ${facts.join(', ')}`}`)
}

function printFigures({ right, wrong, missed, twins, joins, unlabelled }: Score): void {
  const ratio = (part: number, rest: number) => (part + rest === 0 ? 'none' : (part / (part + rest)).toFixed(4))
  const oneToOne = wrong.filter(({ labelled }) => !labelled).length
  console.log(`${set.records.length} records, ${set.same.length} pairs are the same, ${set.different.length} are not`)
  console.log(`precision ${ratio(right, wrong.length)}  (${right} right, ${wrong.length} wrong joins: \
${wrong.length - oneToOne} labelled different, ${oneToOne} because the property's partner is another)`)
  console.log(`recall    ${ratio(right, missed.length)}  (${missed.length} missed)`)
  console.log(`${joins} joins in all, ${unlabelled.length} of them without a label; ${twins} pairs not counted as missed, \
because the vendor lists the property twice and the other entry was joined`)
}
