import { useState } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { Mark } from './icon.tsx'
import { toPictureUrl } from './picture-url.ts'

type Props = {
  src: string
  alt: string
  className?: string
  eager?: boolean
  /** The same picture for screens with two pixels per point. */
  dense?: string
  /** The same picture for narrow screens. */
  narrow?: string
}

/** Falls back to the logo without a picture, or if it cannot be loaded. */
export function Picture({ src, alt, className = '', eager = false, dense = src, narrow = src }: Props) {
  const { t } = useI18n()
  const [failed, setFailed] = useState(false)
  if (src === '' || failed)
    return (
      <span
        className={`grid place-items-center bg-sunk text-edge ${className}`}
        role="img"
        aria-label={t('no_picture')}
      >
        <Mark className="size-10 opacity-50" />
      </span>
    )
  const image = (
    <img
      src={toPictureUrl(src)}
      srcSet={dense === src ? undefined : toSources(src, dense)}
      alt={alt}
      className={`bg-skeleton object-cover ${className}`}
      loading={eager ? 'eager' : 'lazy'}
      fetchPriority={eager ? 'high' : 'auto'}
      decoding={eager ? 'auto' : 'async'}
      onError={() => setFailed(true)}
    />
  )
  if (narrow === src) return image
  return (
    <picture className="contents">
      <source media="(max-width: 40rem)" srcSet={toSources(narrow, src)} />
      {image}
    </picture>
  )
}

const toSources = (once: string, twice: string): string => `${toPictureUrl(once)} 1x, ${toPictureUrl(twice)} 2x`
