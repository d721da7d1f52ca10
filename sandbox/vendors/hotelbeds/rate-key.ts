import { hash, timingSafeEqual } from 'node:crypto'
import type { PlainDate } from '../../../src/lib/time/plain-date.ts'
import type { Worsening } from '../../server/worse-terms.ts'

/** Collector of the price: the vendor through us, or the property itself. */
export const PAYMENTS = ['AT_WEB', 'AT_HOTEL'] as const
export type Payment = (typeof PAYMENTS)[number]

/** Content of a rate key. The key itself contains it, so nothing is stored. */
export type RateKeyFacts = {
  readonly checkIn: PlainDate
  readonly checkOut: PlainDate
  readonly hotel: number
  readonly roomCode: string
  readonly plan: string
  readonly payment: Payment
  readonly boardCode: string
  readonly rooms: number
  readonly adults: number
  readonly childrenAges: readonly number[]
  readonly issuedAt: number
  /** Offered price for all rooms, in minor units of the account's currency. */
  readonly netMinor: number
  /** Requires checkrates before booking. */
  readonly recheck: boolean
  /** May be sold only inside a package. */
  readonly packaging: boolean
  /** Term that became worse at checkrates. */
  readonly worse?: Worsening
  /** Amount that became payable at the hotel instead of now; 0 if none. */
  readonly movedMinor: number
}

export type RateKeys = {
  seal(facts: RateKeyFacts): string
  open(rateKey: string, now: number): RateKeyFacts | undefined
}

const LIFETIME_MS = 30 * 60_000

export function createRateKeys(secret: string): RateKeys {
  // A plain hash instead of an HMAC, because a search signs thousands; sufficient for the sandbox.
  const sign = (text: string) => hash('sha256', `${secret}${text}`).slice(0, 24)

  return {
    seal(facts) {
      const body = encodeFacts(facts)
      return `${body}${sign(body)}`
    },
    open(rateKey, now) {
      const body = rateKey.slice(0, -24)
      const given = Buffer.from(rateKey.slice(-24))
      const expected = Buffer.from(sign(body))
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
      const facts = decodeFacts(body)
      return facts !== undefined && facts.issuedAt + LIFETIME_MS > now ? facts : undefined
    },
  }
}

/** Parts of a real key: dates, office, hotel, room, contract, board, party, then a token. */
function encodeFacts(facts: RateKeyFacts): string {
  const party = `${facts.rooms}~${facts.adults}~${facts.childrenAges.length}|${facts.childrenAges.join('~')}`
  const token = `07~~${facts.issuedAt.toString(36)}~${facts.netMinor}~${facts.recheck ? 'R' : 'N'}~${facts.worse ?? ''}~${facts.movedMinor || ''}~`
  return `${compactDate(facts.checkIn)}|${compactDate(facts.checkOut)}|${facts.payment === 'AT_WEB' ? 'W' : 'H'}|1|${facts.hotel}|${facts.roomCode}|ID_${facts.plan}|${facts.boardCode}||${party}|${facts.packaging ? 'P' : 'N'}@${token}`
}

function decodeFacts(body: string): RateKeyFacts | undefined {
  const [front = '', token = ''] = body.split('@')
  const [
    checkIn = '',
    checkOut = '',
    payment,
    ,
    hotel,
    roomCode = '',
    plan = '',
    boardCode = '',
    ,
    party = '',
    ages = '',
    packaging,
  ] = front.split('|')
  const [rooms, adults] = party.split('~').map(Number)
  const [, , issuedAt = '', netMinor, kind, worse, movedMinor] = token.split('~')
  if (rooms === undefined || adults === undefined) return undefined
  return {
    checkIn: expandDate(checkIn),
    checkOut: expandDate(checkOut),
    hotel: Number(hotel),
    roomCode,
    plan: plan.slice(3),
    payment: payment === 'W' ? 'AT_WEB' : 'AT_HOTEL',
    boardCode,
    rooms,
    adults,
    childrenAges: ages === '' ? [] : ages.split('~').map(Number),
    issuedAt: Number.parseInt(issuedAt, 36),
    netMinor: Number(netMinor),
    recheck: kind === 'R',
    packaging: packaging === 'P',
    ...(isWorsening(worse) && { worse }),
    movedMinor: Number(movedMinor),
  }
}

const isWorsening = (text: string | undefined): text is Worsening =>
  text === 'terms' || text === 'fees' || text === 'board'

const compactDate = (date: PlainDate) => date.replaceAll('-', '')
const expandDate = (date: string): PlainDate => `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6, 8)}`
