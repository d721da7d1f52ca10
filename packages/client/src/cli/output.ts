import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

/** No colours in files and pipes, or if NO_COLOR is set. */
const hasColour = process.stdout.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb'
export const paint = (style: Style, text: string): string => (hasColour ? styleText(style, text) : text)

/** With --json, commands print the body of the API's response. */
export const printJson = (value: unknown): void => console.log(JSON.stringify(value, null, 2))
/** Prints to standard error, so that results can be piped. */
export const printInfo = (text: string): void => console.error(text)

/** Vendors' texts must not move the cursor or change colours. */
export const stripControls = (text: unknown): string =>
  String(text ?? '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, ' ')
    .trim()

export type Column<Row> = {
  readonly title: string
  readonly cell: (row: Row, index: number) => unknown
  readonly alignRight?: boolean
  readonly maxLength?: number
}

export function printTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): void {
  const cells = rows.map((row, index) =>
    columns.map(({ cell, maxLength }) => truncate(stripControls(cell(row, index)), maxLength)),
  )
  const widths = columns.map(({ title }, index) =>
    Math.max(...[title, ...cells.map((row) => row[index] ?? '')].map(displayWidth)),
  )
  const line = (texts: readonly string[]) =>
    texts
      .map((text, index) => {
        const padding = ' '.repeat((widths[index] ?? 0) - displayWidth(text))
        return columns[index]?.alignRight ? padding + text : text + padding
      })
      .join('  ')
      .trimEnd()
  console.log(paint('bold', line(columns.map(({ title }) => title))))
  for (const row of cells) console.log(line(row))
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u
const displayWidth = (text: string): number =>
  [...text].reduce((sum, letter) => sum + (/\p{M}/u.test(letter) ? 0 : WIDE.test(letter) ? 2 : 1), 0)
const truncate = (text: string, maxLength = 60): string =>
  text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text

export const formatMoney = (amount: number, currency: string): string =>
  `${amount.toFixed(Math.max(fractionDigits(currency), countDecimals(amount)))} ${currency}`

/** `Intl` has no decimals for some currencies that use them. */
const countDecimals = (amount: number): number =>
  Number.isInteger(amount) ? 0 : Number(amount.toFixed(2)) === amount ? 2 : 3

function fractionDigits(currency: string): number {
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  } catch {
    return 2
  }
}
