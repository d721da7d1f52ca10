const ECB_DAILY = 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml'

/** Undefined if only the file of the release is used: the default is a source only in production. */
export function chooseRatesUrl(url: string | undefined, isProduction: boolean): string | undefined {
  if (url === 'off') return undefined
  return url ?? (isProduction ? ECB_DAILY : undefined)
}
