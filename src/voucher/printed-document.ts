/** A heading with `label: value` lines or a text. */
export type DocumentSection = {
  readonly title: string
  readonly facts: readonly (readonly [label: string, value: string])[]
  readonly text?: string
  readonly url?: string
}

/** A document of a booking, as HTML or PDF. In English, which every reception reads. */
export type PrintedDocument = {
  /** Of the window or the file. */
  readonly title: string
  readonly heading: string
  readonly isSimulated: boolean
  readonly sections: readonly DocumentSection[]
  readonly updatedAt: number
}

/** Name of the site, as on the page. */
export const SELLER = 'Serai'

/** In both languages of the page, because the reader's language is unknown. */
export const SIMULATED = [
  'Simulated booking: no vendor has it, and no room is reserved.',
  'Simulierte Buchung: Kein Anbieter hat sie, und kein Zimmer ist reserviert.',
] as const

/** Omits facts without a value. */
export const known = (facts: readonly (readonly [string, string | undefined])[]) =>
  facts.filter((fact): fact is readonly [string, string] => fact[1] !== undefined && fact[1] !== '')
