/** Writes out the country at the end of an address: "Rua Nova 12, Lisboa, PT" → "Rua Nova 12, Lisboa, Portugal". */
export const writeOutCountry = (address: string, locale: string): string =>
  address.replace(
    /(?<=, )[A-Z]{2}$/,
    (code) => new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' }).of(code) ?? code,
  )
