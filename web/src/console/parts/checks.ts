export const ifEmpty = (typed: string, message = 'Fill this in.'): string | undefined =>
  typed.trim() === '' ? message : undefined

/** JSON would turn NaN into null, which the service reads as "no limit" or "not given". */
export const numberFault = (typed: string): string | undefined =>
  Number.isFinite(Number(typed)) ? undefined : 'Enter a number, such as 12.5.'

export const currencyFault = (typed: string): string | undefined =>
  /^[A-Za-z]{3}$/.test(typed.trim()) ? undefined : 'Enter a currency code, such as EUR.'
