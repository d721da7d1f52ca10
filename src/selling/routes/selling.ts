import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { AppError, invalidRequest } from '../../domain/errors.ts'
import { refuseWithoutNet } from '../../http/middleware/permissions.ts'
import { requireCaller } from '../../http/middleware/request-context.ts'
import { operation } from '../../http/operation.ts'
import { jsonResponse } from '../../http/schemas/answer.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { SeesNet } from '../can-see-net-price.ts'
import type { ExplainBooking } from '../explain-booking.ts'
import type { ManageRules } from '../manage-rules.ts'
import { presentBookingSale, presentRules, presentTrial, presentVersion } from '../present.ts'
import {
  BookingSaleResponse,
  OneVersionResponse,
  RulesRequest,
  RulesResponse,
  TryRequest,
  TryResponse,
  VersionParams,
} from '../schemas.ts'
import { tryPrice } from '../try-price.ts'
import { readRules, readTrial } from './read-selling.ts'

export type SellingRouteDeps = {
  manageRules: ManageRules
  explainBooking: ExplainBooking
  seesNet: SeesNet
  clock: Clock
}

export const sellingRoutes: FastifyPluginAsyncTypebox<SellingRouteDeps> = async (app, deps) => {
  const { manageRules, explainBooking, seesNet, clock } = deps
  const currentRules = async () => {
    const { exchangePercent } = await manageRules.pricing()
    return { data: presentRules(await manageRules.latest(), await manageRules.history(), exchangePercent) }
  }

  app.get('/api/operator/selling/rules', SHOW, () => currentRules())

  app.put('/api/operator/selling/rules', SET, async (request) => {
    const { rules, based_on } = request.body
    await manageRules.set(
      readRules(rules),
      { kind: 'operator', id: requireCaller(request).accountId },
      based_on ?? undefined,
    )
    const changed = await currentRules()
    request.changes = { version: [changed.data.version - 1, changed.data.version] }
    return changed
  })

  app.get('/api/operator/selling/rules/:version', VERSION, async (request) => {
    const found = await manageRules.version(Number(request.params.version))
    if (found === undefined)
      throw new AppError('rules_not_found', `Version ${request.params.version} of the rules does not exist.`)
    return { data: presentVersion(found) }
  })

  app.get('/api/operator/selling/bookings/:booking_id', BOOKING, async (request) => {
    await refuseWithoutNet(request, seesNet)
    return { data: presentBookingSale(await explainBooking(request.params.booking_id)) }
  })

  app.post('/api/operator/selling/try', TRY, async (request) => {
    const pricing = await manageRules.pricing()
    const { rules } = request.body
    const tried = rules == null ? pricing.rules : await manageRules.onTrial(readRules(rules))
    const price = tryPrice({ ...pricing, rules: tried }, readTrial(request.body), clock.now())
    if (price === undefined) throw noRate()
    return { data: presentTrial(price) }
  })
}

const noRate = (): AppError =>
  invalidRequest([
    { field: 'currency', code: 'unknown_currency', message: 'There is no exchange rate for these currencies.' },
  ])

const SHOW = operation('operator.selling.rules', {
  access: 'operator',
  summary: 'Read the selling rules',
  description: 'The current rules, with who changed them and when. For operators.',
  answers: { 200: jsonResponse('The rules.', RulesResponse) },
})

const VERSION = operation('operator.selling.version', {
  access: 'operator',
  summary: 'Read an earlier version of the selling rules',
  description: 'The rules as stored, and by whom. Store them again to go back to that version. For operators.',
  params: VersionParams,
  answers: { 200: jsonResponse('The rules of the version.', OneVersionResponse) },
  problems: ['rules_not_found', 'invalid_request'],
})

const BOOKING = operation('operator.selling.booking', {
  access: 'operator',
  summary: 'Explain the price of a booking',
  description:
    'The rule and version that priced it, and the breakdown of the price. For operators who may see net prices.',
  params: Type.Object({ booking_id: Type.String({ description: 'Id of a booking of any account.' }) }),
  answers: { 200: jsonResponse('The sale, and the offer to try with other rules.', BookingSaleResponse) },
  problems: ['booking_not_found'],
})

const SET = operation('operator.selling.set_rules', {
  access: 'operator',
  cost: 5,
  summary: 'Replace the selling rules',
  description:
    'Stores all rules as a new version, which prices all later searches. Existing offers and bookings keep their prices. The first rule that matches an offer applies. For operators.',
  body: RulesRequest,
  answers: { 200: jsonResponse('The current rules.', RulesResponse) },
  problems: ['invalid_request', 'rules_changed'],
})

const TRY = operation('operator.selling.try', {
  access: 'operator',
  safe: 'always',
  summary: 'Try the selling price of an offer',
  description:
    'The matching rule and the breakdown of the price, by the current rules or those in the body. For operators.',
  body: TryRequest,
  answers: { 200: jsonResponse('The price and its breakdown.', TryResponse) },
  problems: ['invalid_request'],
})
