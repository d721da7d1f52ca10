/** Writes data/exchange-rates.json from one release of the npm package @fawazahmed0/currency-api (CC0). */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CURRENCIES } from '../src/domain/money/currency.ts'
import { readArguments, refuse } from './read-arguments.ts'

const USAGE = `Usage: node scripts/update-exchange-rates.ts [FOLDER]

FOLDER (default: package) is the unpacked npm package:
  npm pack @fawazahmed0/currency-api@2026.9.29 && tar xzf fawazahmed0-currency-api-2026.9.29.tgz`

const { positionals } = readArguments(USAGE, { allowPositionals: true })
const [folder = 'package'] = positionals
if (!existsSync(join(folder, 'package.json'))) refuse(USAGE, `No package was found in ${folder}.`)
const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
const source = JSON.parse(readFileSync(join(folder, 'v1/currencies/eur.json'), 'utf8')) as {
  date: string
  eur: Record<string, number>
}
const rates: Record<string, number> = {}
for (const code of CURRENCIES) {
  const rate = source.eur[code.toLowerCase()]
  if (rate !== undefined && rate > 0) rates[code] = Number(rate.toPrecision(8))
}
const text = { source: `@fawazahmed0/currency-api ${version}`, licence: 'CC0', date: source.date, base: 'EUR', rates }
writeFileSync('data/exchange-rates.json', `${JSON.stringify(text, null, 1)}\n`)
