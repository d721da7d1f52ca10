import { useState } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { Mark } from './icon.tsx'
import { toPictureUrl } from './picture-url.ts'

type Props = { src: string; alt: string; className?: string; eager?: boolean }

/** Falls back to the logo without a picture, or if it cannot be loaded. */
export function Picture({ src, alt, className = '', eager = false }: Props) {
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
  return (
    <img
      src={toPictureUrl(src)}
      alt={alt}
      className={`bg-skeleton object-cover ${className}`}
      loading={eager ? 'eager' : 'lazy'}
      fetchPriority={eager ? 'high' : 'auto'}
      decoding="async"
      onError={() => setFailed(true)}
    />
  )
}
