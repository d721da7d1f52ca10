/**
 * The words of one style. Lists are written as one text with bars, which is easier to read and extend than quoted
 * items.
 */
export type StyleWords = {
  /** Follows "Hotel" and fits every template of its style. */
  readonly cores: readonly string[]
  /** `{c}` is a core, `{p}` the place. */
  readonly hotel: readonly string[]
  readonly guesthouse: readonly string[]
  readonly apartment: readonly string[]
  readonly hostel: readonly string[]
  readonly resort: readonly string[]
  readonly quarters: readonly string[]
  readonly streets: readonly string[]
  /** `{s}` is a street, `{n}` a number, `{N}` one of a street numbered by blocks. */
  readonly line: readonly string[]
  /** `#` is a digit, `@` a letter. */
  readonly postal: string
}

type Written = { readonly [Field in keyof StyleWords]: string }

export function styleWords(written: Written): StyleWords {
  const list = (text: string) => text.split('|')
  return {
    cores: list(written.cores),
    hotel: list(written.hotel),
    guesthouse: list(written.guesthouse),
    apartment: list(written.apartment),
    hostel: list(written.hostel),
    resort: list(written.resort),
    quarters: list(written.quarters),
    streets: list(written.streets),
    line: list(written.line),
    postal: written.postal,
  }
}
