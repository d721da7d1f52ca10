/** Icons on a 24-unit grid. Decorative: the text always has the same meaning. */
const PATHS = {
  pin: 'M12 21s7-6.2 7-11.500A7 7 0 0 0 5 9.500C5 14.800 12 21 12 21Zm0-9a2.500 2.500 0 1 1 0-5 2.500 2.500 0 0 1 0 5Z',
  city: 'M4 21V9l6-3v15M10 21V4l10 4v13M3 21h18M13 11h1m3 0h1m-5 4h1m3 0h1M7 12v0m0 4v0',
  airport:
    'M10.500 13.500 3 11l1-2 8 1 5-5c1.200-1.200 3-1.200 3.500-.5s.7 2.300-.5 3.500l-5 5 1 8-2 1-2.500-7.500L8 18v3l-1.500 1-1-3.500L2 17.500 3 16h3z',
  region: 'M3 7l6-3 6 3 6-3v13l-6 3-6-3-6 3zM9 4v13m6-10v13',
  landmark: 'M4 21h16M5 18h14M6 18v-8m4 8v-8m4 8v-8m4 8v-8M4 10h16L12 4z',
  station:
    'M7 4h10a2 2 0 0 1 2 2v9a3 3 0 0 1-3 3H8a3 3 0 0 1-3-3V6a2 2 0 0 1 2-2Zm-2 7h14M8 21l2-3m6 3-2-3M9 14.500v0m6 0v0',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3v5m8-5v5',
  people:
    'M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7Zm-6 9c0-4 2.500-6 6-6s6 2 6 6M16 4.500a3.500 3.500 0 0 1 0 6.500m1.500 3.500c2.300.7 3.500 2.600 3.500 5.500',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14Zm5-2 5 5',
  check: 'M4 12.500 9.500 18 20 6.500',
  close: 'M5 5l14 14M19 5 5 19',
  minus: 'M5 12h14',
  plus: 'M5 12h14M12 5v14',
  left: 'M15 4l-8 8 8 8',
  right: 'M9 4l8 8-8 8',
  down: 'M5 9l7 7 7-7',
  filter: 'M4 6h16M7 12h10M10 18h4',
  map: 'M3 7l6-3 6 3 6-3v13l-6 3-6-3-6 3zM9 4v13m6-10v13',
  list: 'M4 6h16M4 12h16M4 18h16',
  bed: 'M3 19v-7h18v7M3 16h18M5 12V7h14v5M8 12v-2h3v2m2 0v-2h3v2',
  meal: 'M7 3v8m-3-8v4a3 3 0 0 0 6 0V3M7 11v10m10 0v-7m0 0c-3 0-3-11 0-11v11Z',
  wallet: 'M4 7h16v12H4zM4 7l11-3v3m1 5h4v3h-4z',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Zm0-14v5l3.500 2',
  warning: 'M12 4 2.500 20h19zM12 10v4.500m0 2.800v.2',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Zm0-10v6m0-9v.2',
  print: 'M7 9V3h10v6M7 17H4V9h16v8h-3M7 14h10v7H7z',
  photo: 'M4 5h16v14H4zM4 16l5-5 4 4 3-2 4 4M15.500 9.500v0',
  arrow: 'M4 12h15m-6-6 6 6-6 6',
} as const
export type IconName = keyof typeof PATHS

export function Icon({ name, className = 'size-5' }: { name: IconName; className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      className={`shrink-0 ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}

/** The logo: two arches, one inside the other. */
export function Mark({ className = 'size-7' }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true">
      <path
        d="M4 29V15C4 8.500 9.500 6 16 1c6.500 5 12 7.500 12 14v14h-5.500V16c0-3.400-2.600-5-6.500-8.200C12.100 11 9.500 12.600 9.500 16v13z"
        fill="currentColor"
      />
      <path d="M13 29v-9c0-2 1.300-2.800 3-4.300 1.700 1.500 3 2.300 3 4.300v9z" fill="var(--brass)" />
    </svg>
  )
}
