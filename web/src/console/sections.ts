import type { ComponentType } from 'react'
import type { SectionProps } from './section-props.ts'

export type Section = {
  /** Part of the path after `/console/`. */
  readonly path: string
  /** In the navigation; absent for views that are opened otherwise. */
  readonly title?: string
  load(): Promise<{ default: ComponentType<SectionProps> }>
}

/** In the order of the navigation; `/console` opens the first. Each section is loaded when opened. */
export const SECTIONS: readonly Section[] = [
  { path: 'overview', title: 'Overview', load: () => import('./numbers/numbers.tsx') },
  { path: 'attention', title: 'Attention', load: () => import('./attention/attention.tsx') },
  { path: 'bookings', title: 'Bookings', load: () => import('./bookings/bookings.tsx') },
  { path: 'payments', title: 'Payments', load: () => import('./payments/payments.tsx') },
  {
    path: 'reconciliation',
    title: 'Reconciliation',
    load: () => import('./reconciliation/reconciliation.tsx'),
  },
  { path: 'vendors', title: 'Vendors', load: () => import('./vendors/vendors.tsx') },
  { path: 'requests', title: 'Requests', load: () => import('./requests/requests.tsx') },
  { path: 'matches', title: 'Matches', load: () => import('./matches/matches.tsx') },
  { path: 'selling', title: 'Selling', load: () => import('./selling/selling.tsx') },
  { path: 'rates', title: 'Exchange rates', load: () => import('./rates/rates.tsx') },
  { path: 'accounts', title: 'Accounts', load: () => import('./accounts/accounts.tsx') },
  { path: 'audit', title: 'Audit log', load: () => import('./audit/audit.tsx') },
  { path: 'find', load: () => import('./find/find.tsx') },
]
