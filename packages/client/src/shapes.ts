import type { components } from './generated/api-types.ts'

type Schemas = components['schemas']

export type Problem = Schemas['Problem']
export type Location = Schemas['Location']
export type SearchRequest = Schemas['SearchRequest']
export type Search = Schemas['Search']
export type StreamedSearch = Schemas['StreamedSearch']
export type PropertySummary = Schemas['PropertySummary']
export type VendorReport = Schemas['VendorReport']
export type PropertyDetail = Schemas['PropertyDetail']
export type Room = Schemas['Room']
export type PriceCheck = Schemas['PriceCheck']
export type BookRequest = Schemas['BookRequest']
export type Booking = Schemas['Booking']
export type BookingStatus = Schemas['BookingStatus']
export type BookingEvent = Schemas['BookingEvent']
export type CancelOutcome = Schemas['CancelOutcome']
export type ListMeta = Schemas['ListMeta']
export type Webhook = Schemas['Webhook']
export type WebhookMessage = Schemas['WebhookMessage']
export type WebhookTestMessage = Schemas['WebhookTestMessage']
export type { components }
