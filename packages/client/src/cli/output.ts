import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

/** Colour only for people: not into files and pipes, and not against NO_COLOR. */
const hasColour = process.stdout.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb'
export const paint = (style: Style, text: string): string => (hasColour ? styleText(style, text) : text)

export const printJson = (value: unknown): void => console.log(JSON.stringify(value, null, 2))
/** What is no result goes to standard error, so that results can be piped. */
export const say = (text: string): void => console.error(text)

/** Texts of vendors must not move the cursor or change colours. */
export const plain = (text: unknown): string =>
  String(text ?? '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, ' ')
    .trim()

export type Column<Row> = {
  readonly title: string
  readonly of: (row: Row, index: number) => unknown
  readonly right?: boolean
  readonly max?: number
}

export function printTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): void {
  const cells = rows.map((row, index) => columns.map(({ of, max }) => cut(plain(of(row, index)), max)))
  const widths = columns.map(({ title }, at) => Math.max(...[title, ...cells.map((row) => row[at] ?? '')].map(widthOf)))
  const line = (texts: readonly string[]) =>
    texts
      .map((text, at) => {
        const fill = ' '.repeat((widths[at] ?? 0) - widthOf(text))
        return columns[at]?.right ? fill + text : text + fill
      })
      .join('  ')
      .trimEnd()
  console.log(paint('bold', line(columns.map(({ title }) => title))))
  for (const row of cells) console.log(line(row))
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u
const widthOf = (text: string): number =>
  [...text].reduce((sum, letter) => sum + (/\p{M}/u.test(letter) ? 0 : WIDE.test(letter) ? 2 : 1), 0)
const cut = (text: string, max = 60): string => (text.length > max ? `${text.slice(0, max - 1)}…` : text)

export const money = (amount: number, currency: string): string =>
  `${amount.toFixed(Math.max(digitsOf(currency), decimalsIn(amount)))} ${currency}`

/** Decimals of an amount from the service: `Intl` knows none for some currencies that have them. */
const decimalsIn = (amount: number): number =>
  Number.isInteger(amount) ? 0 : Number(amount.toFixed(2)) === amount ? 2 : 3

function digitsOf(currency: string): number {
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  } catch {
    return 2
  }
}
