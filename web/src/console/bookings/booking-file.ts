import type { components } from '../../../../packages/client/src/index.ts'

/** A booking with its history, vendor calls, webhook deliveries and mails. */
export type BookingFile = components['schemas']['BookingFile']
