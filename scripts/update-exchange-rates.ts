/** Writes data/exchange-rates.json from one release of the npm package @fawazahmed0/currency-api (CC0). */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CURRENCIES } from '../src/domain/money/currency.ts'
import { readArguments, refuse } from './read-arguments.ts'

const USAGE = `Usage: node scripts/update-exchange-rates.ts [FOLDER]

Writes the exchange rates of the release. Downloads the newest package from the npm registry, unless FOLDER has one.`

const { positionals } = readArguments(USAGE, { allowPositionals: true })
const [folder = download()] = positionals
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

/** Returns the folder of the unpacked package. */
function download(): string {
  const cwd = mkdtempSync(join(tmpdir(), 'exchange-rates-'))
  const file = execFileSync('npm', ['pack', '--silent', '@fawazahmed0/currency-api@latest'], { cwd, encoding: 'utf8' })
  execFileSync('tar', ['xzf', file.trim()], { cwd })
  return join(cwd, 'package')
}
