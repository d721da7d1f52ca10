import { minorDigits } from '../../../src/domain/money/currency.ts'

/** Rounded units per US dollar, autumn 2026. Only makes local prices look realistic; never used to convert money. */
const PER_DOLLAR = `AED:3.672 AFN:63.98 ALL:81.02 AMD:363.6 ANG:1.803 AOA:918.3 ARS:1525 AUD:1.425 AWG:1.79 AZN:1.7 BAM:1.722 BBD:2 BDT:123.2 BGN:1.722 BHD:0.376 BIF:2999 BMD:1 BND:1.279 BOB:12.16 BRL:5.224 BSD:1 BTN:96.09 BWP:13.67 BYN:3.029 BZD:2.013 CAD:1.419 CDF:2311 CHF:0.8334 CLP:967.7 CNY:6.708 COP:3369 CRC:455.2 CUP:24.02 CVE:97.06 CZK:21.47 DJF:178.1 DKK:6.58 DOP:57.72 DZD:133.8 EGP:52.05 ERN:15 ETB:162.8 EUR:0.8802 FJD:2.238 FKP:0.7554 GBP:0.7554 GEL:2.598 GHS:11.65 GIP:0.7554 GMD:74.29 GNF:8802 GTQ:7.636 GYD:209.4 HKD:7.845 HNL:26.87 HTG:130.9 HUF:323.5 IDR:18020 ILS:3.074 INR:96.09 IQD:1311 IRR:1375000 ISK:120.6 JMD:158.2 JOD:0.709 JPY:157.5 KES:129.7 KGS:87.46 KHR:4061 KMF:433 KPW:900.1 KRW:1358 KWD:0.3087 KYD:0.8318 KZT:441.2 LAK:22470 LBP:89720 LKR:330.9 LRD:172.1 LSL:16.44 LYD:6.401 MAD:9.648 MDL:17.71 MGA:4389 MKD:54.15 MMK:2100 MNT:3599 MOP:8.08 MRU:40.08 MUR:47.61 MVR:15.46 MWK:1735 MXN:18.01 MYR:4.083 MZN:63.83 NAD:16.44 NGN:1326 NIO:36.72 NOK:9.547 NPR:153.8 NZD:1.767 OMR:0.3849 PAB:1 PEN:3.416 PGK:4.469 PHP:62.52 PKR:277.1 PLN:3.849 PYG:5884 QAR:3.64 RON:4.646 RSD:103.4 RUB:84.51 RWF:1476 SAR:3.75 SBD:8.048 SCR:14.26 SDG:600.2 SEK:9.98 SGD:1.279 SHP:0.7554 SLE:22.91 SOS:570.6 SRD:37.71 SSP:5713 STN:21.75 SVC:8.75 SYP:13000 SZL:16.44 THB:33.63 TJS:9.233 TMT:3.5 TND:2.969 TOP:2.408 TRY:49 TTD:6.787 TWD:31.85 TZS:2640 UAH:44.92 UGX:3915 USD:1 UYU:40.1 UZS:11790 VED:856.8 VES:856.8 VND:25950 VUV:119 WST:2.767 XAF:577.4 XCD:2.707 XOF:577.4 XPF:105 YER:236.6 ZAR:16.44 ZMW:19.62 ZWG:26.85`

const RATES = new Map(
  PER_DOLLAR.split(' ').map((entry): [string, number] => [entry.slice(0, 3), Number(entry.slice(4))]),
)

export const minorPerDollar = (currency: string): number =>
  (RATES.get(currency) ?? 1) * 10 ** (minorDigits(currency) ?? 2)

export const dollarsToMinor = (dollars: number, currency: string): number =>
  Math.round(dollars * minorPerDollar(currency))

/**
 * Rounds a price to three significant digits, as a property would print it: 118.40 becomes 118, and 2 594 731 becomes 2
 * 590 000.
 */
export function roundPrice(minor: number): number {
  let step = 1
  while (minor >= step * 1000) step *= 10
  return Math.max(1, Math.round(minor / step) * step)
}

/** Converts at the world's fixed rates, which are the same on every machine and every day. */
export const convertMinor = (minor: number, from: string, to: string): number =>
  from === to ? minor : Math.round((minor / minorPerDollar(from)) * minorPerDollar(to))
