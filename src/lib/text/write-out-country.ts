/** Replaces the country code at the end of an address with the country's name: "Lisboa, PT" → "Lisboa, Portugal". */
export const writeOutCountry = (address: string, locale: string): string =>
  address.replace(
    /(?<=, )[A-Z]{2}$/,
    (code) => new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' }).of(code) ?? code,
  )
