const BRANDS: Readonly<Record<string, string>> = {
  amex: 'American Express',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

/** Name of a card brand as the page writes it: `visa` → "Visa". */
export const nameCardBrand = (brand: string): string =>
  BRANDS[brand] ?? brand.replaceAll('_', ' ').replace(/^\p{L}/u, (letter) => letter.toUpperCase())
