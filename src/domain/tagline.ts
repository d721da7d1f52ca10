import type { VendorProperty } from './property.ts'

/** The vendor's own tagline, or one of plain facts where no vendor has any: "4-star guest house in Zermatt". */
export function taglineOf({ byeLine, category, starRating, address }: VendorProperty): string {
  if (byeLine !== '' || category === '') return byeLine
  const kind = starRating > 0 ? `${starRating}-star ${category.toLowerCase()}` : category
  return address.city === '' ? kind : `${kind} in ${address.city}`
}
