import type { PropertyKind } from '../contract.ts'
import { itemAt } from '../hash.ts'
import type { Style } from '../places/countries.ts'

/** An invented hotel company. Real companies are not used, so that made-up prices never appear next to a real name. */
export type Chain = {
  readonly name: string
  readonly starsMin: number
  readonly starsMax: number
  readonly kind: PropertyKind
  /** Regions of its properties; empty for everywhere. */
  readonly styles: readonly string[]
}

/** kind, from–to stars, name, styles */
const TABLE = `hotel 1.5 2.5 Pillowby|hotel 2 3 Nestwell Express|hotel 2 2.5 Zipnook|hotel 1.5 2.5 Etapelle fr es it pt|hotel 2 3 Rastora de nl nordic slav hu|hotel 2 3 Wayfarer's Lantern us gb au carib|hotel 2 3 Kirakado Inn jp kr cn|hotel 2 3 Jingyue cn kr|hotel 2.5 3.5 Brindlewood Inn us gb au|hotel 3 3.5 Calder & Finch gb us au af|hotel 3 4 Ventanova es latin pt br it|hotel 3 4 Tessaro it gr tr es|hotel 3 3.5 Fernhallow|hotel 3 4 Marlowick|hotel 3 4 Kvistgård nordic baltic de nl|hotel 3 4 Sarovindra in ar id|hotel 3 4 Lotusara th vn id cn|hotel 3 4 Belorizont ru slav baltic ro hu|hotel 3.5 4 Junctia|hotel 4 4 Lumorane|hotel 4 4.5 Solvarra|hotel 4 4.5 Orvane|hotel 4 4.5 Halbrecht Grand de slav hu nl nordic|hotel 4 4.5 Aurelion Collection|hotel 4 4.5 Northquay|hotel 4 4.5 Zahiyya ar tr fa|hotel 4 4.5 Kinmori jp|hotel 4 4.5 Umbrasol latin br es|hotel 4.5 5 Maison Evrardy|hotel 5 5 Palais Solenne|hotel 4.5 5 The Thornquist|hotel 5 5 Vasantika in id th|hotel 5 5 Ostrelle|resort 4 5 Marisandre gr es it pt tr ar latin carib|resort 4 5 Tamarindos latin carib br af|resort 4 5 Nuansari id th vn au in|resort 4 4.5 Alpenruh de it fr us|apartment 3 4 Keyhold Residences|apartment 3 4.5 Domara Suites|hostel 1 2 Bunkhaven|hostel 1 2 Loopstop Hostels`

export const CHAINS: readonly Chain[] = TABLE.split('|').map((row) => {
  const [kind = 'hotel', low, high, ...rest] = row.split(' ')
  const firstStyle = rest.findIndex((word) => /^[a-z]/.test(word))
  const end = firstStyle === -1 ? rest.length : firstStyle
  return {
    name: rest.slice(0, end).join(' '),
    starsMin: Number(low),
    starsMax: Number(high),
    kind: kind as PropertyKind,
    styles: rest.slice(end),
  }
})

const chainsBySlot = new Map<string, readonly Chain[]>()

/** Chain with properties of this kind and class in this region, if any. */
export function pickChain(style: Style, kind: PropertyKind, stars: number, draw: number): Chain | undefined {
  const slot = `${style} ${kind} ${stars}`
  let chains = chainsBySlot.get(slot)
  if (chains === undefined) {
    const suits = ({ styles }: Chain) => styles.length === 0 || styles.includes(style)
    chains = CHAINS.filter((c) => c.kind === kind && stars >= c.starsMin && stars <= c.starsMax && suits(c))
    chainsBySlot.set(slot, chains)
  }
  return chains.length === 0 ? undefined : itemAt(chains, draw)
}
