const LIT = 9

/** A row of arches at night. Decoration only. */
export function HomeBackground() {
  const arches = Array.from({ length: 16 }, (_, place) => place)
  return (
    <svg
      className="absolute inset-0 -z-10 size-full"
      viewBox="0 0 1440 420"
      preserveAspectRatio="xMaxYMax slice"
      aria-hidden="true"
    >
      <defs>
        <linearGradient id="dusk" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="var(--night-deep)" />
          <stop offset="1" stopColor="var(--night)" />
        </linearGradient>
        <linearGradient id="lamp" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#e2b65f" stopOpacity="1" />
          <stop offset="1" stopColor="#b9762a" stopOpacity="0.8" />
        </linearGradient>
        <path id="arch" d="M0 420V236c0-44 26-62 60-92 34 30 60 48 60 92v184z" />
        <path id="frame" d="M-12 420V112h144v308M-12 126h144M-12 420V236M132 420V236" />
      </defs>
      <rect width="1440" height="420" fill="url(#dusk)" />
      <circle className="max-sm:hidden" cx="1190" cy="130" r="26" fill="#f0dcae" opacity="0.9" />
      <g transform="translate(0 60)">
        {arches.map((place) => (
          <g
            key={place}
            transform={`translate(${place * 160 - 400} 0)`}
            opacity={place === LIT ? 1 : place < 7 ? 0.06 + place * 0.02 : 0.3 + (place - 7) * 0.08}
          >
            <use href="#frame" fill="none" stroke="#f6f3ec" strokeOpacity="0.22" strokeWidth="1.2" />
            <use href="#arch" fill="var(--night)" stroke="#f6f3ec" strokeOpacity="0.3" strokeWidth="1.4" />
            {place === LIT && (
              // On phones it would be behind the text.
              <use className="max-sm:hidden" href="#arch" fill="url(#lamp)" stroke="#f6f3ec" strokeOpacity="0.7" />
            )}
          </g>
        ))}
      </g>
    </svg>
  )
}
