import { type PointerEvent, useCallback, useEffect, useRef, useState } from 'react'
import type { Picture as PictureData } from '../api/shapes.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Modal } from '../ui/modal.tsx'
import { Picture } from '../ui/picture.tsx'
import { toPictureUrl } from '../ui/picture-url.ts'

type Props = { pictures: readonly PictureData[]; name: string }

/** Columns by number of pictures, so that none leaves a gap. */
const COLUMNS: Readonly<Record<number, string>> = {
  2: 'sm:grid-cols-[2fr_1fr]',
  3: 'sm:grid-cols-[2fr_1fr]',
  4: 'sm:grid-cols-[2fr_1fr_1fr]',
  5: 'sm:grid-cols-[2fr_1fr_1fr]',
}

/** One large picture and up to four small ones; a button opens all of them. */
export function Gallery({ pictures, name }: Props) {
  const { t } = useI18n()
  const [opened, setOpened] = useState<number>()
  const ordered = [...pictures].sort((a, b) => Number(b.default) - Number(a.default))
  const shown = ordered.slice(0, 5)
  if (ordered.length === 0) return <Picture src="" alt="" className="aspect-[3/1] w-full rounded-lg" />
  return (
    <div className="relative overflow-hidden rounded-lg">
      <div className={`grid gap-1.5 sm:grid-rows-2 ${COLUMNS[shown.length]}`}>
        {shown.map((picture, place) => (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: a vendor may send the same picture twice
            key={`${place} ${picture.hires}`}
            type="button"
            className={`group relative aspect-[4/3] overflow-hidden focus-visible:z-10 focus-visible:-outline-offset-4 sm:aspect-auto ${place === 0 ? 'sm:row-span-2 sm:h-[26rem]' : 'hidden sm:block'} ${place === 1 && shown.length % 2 === 0 ? 'sm:row-span-2' : ''}`}
            onClick={() => setOpened(place)}
          >
            <Picture
              {...(place === 0
                ? { src: picture.hires, narrow: picture.lores }
                : { src: picture.lores, dense: picture.hires })}
              alt={picture.caption === '' ? name : picture.caption}
              eager={place === 0}
              className="absolute inset-0 size-full transition-transform duration-300 group-hover:scale-[1.02]"
            />
          </button>
        ))}
      </div>
      <button type="button" className="btn btn-quiet absolute right-3 bottom-3" onClick={() => setOpened(0)}>
        <Icon name="photo" className="size-4" />
        {t('all_photos', { n: ordered.length })}
      </button>
      <Modal
        title={`${t('photos')} · ${name}`}
        isOpen={opened !== undefined}
        onClose={() => setOpened(undefined)}
        shape="full"
      >
        {opened !== undefined && <Viewer pictures={ordered} name={name} start={opened} />}
      </Modal>
    </div>
  )
}

const SWIPE_PX = 40

/** One picture at a time: arrow keys, buttons, swiping or the small pictures. A zoomed one can be scrolled. */
function Viewer({ pictures, name, start }: Props & { start: number }) {
  const { t } = useI18n()
  const [place, setPlace] = useState(start)
  const [isZoomed, setZoomed] = useState(false)
  const count = pictures.length
  const show = useCallback((next: (now: number) => number) => {
    setPlace(next)
    setZoomed(false)
  }, [])
  const go = useCallback((by: number) => show((now) => (now + by + count) % count), [show, count])
  useArrowKeys(go)
  const swipe = useSwipe(go)
  const picture = pictures[place]
  if (picture === undefined) return null
  return (
    <figure className="flex h-[calc(100dvh-7rem)] flex-col">
      <div className="relative min-h-0 flex-1">
        <div
          // A touch screen would take a sideways swipe for scrolling and end it.
          className={`size-full ${isZoomed ? 'overflow-auto' : 'touch-pan-y touch-pinch-zoom'}`}
          // A zoomed picture is scrolled with the keyboard.
          {...(isZoomed ? { tabIndex: 0 } : swipe)}
        >
          <img
            src={toPictureUrl(picture.hires)}
            alt={picture.caption === '' ? name : picture.caption}
            className={`object-contain ${isZoomed ? 'h-[200%] w-[200%] max-w-none' : 'size-full'}`}
            draggable={false}
          />
        </div>
        {count > 1 && (
          <>
            <RoundButton icon="left" label={t('previous_photo')} className="top-1/2 left-0" onClick={() => go(-1)} />
            <RoundButton icon="right" label={t('next_photo')} className="top-1/2 right-0" onClick={() => go(1)} />
          </>
        )}
        <RoundButton
          icon={isZoomed ? 'minus' : 'plus'}
          label={t(isZoomed ? 'map_zoom_out' : 'map_zoom_in')}
          className="top-6 right-0"
          onClick={() => setZoomed(!isZoomed)}
        />
      </div>
      <figcaption className="py-2 text-center text-sm text-muted" aria-live="polite">
        {[picture.caption, t('photo_of', { i: place + 1, n: count })].filter(Boolean).join(' · ')}
      </figcaption>
      {count > 1 && <Thumbnails pictures={pictures} place={place} onPlace={(chosen) => show(() => chosen)} />}
    </figure>
  )
}

type RoundButtonProps = { icon: IconName; label: string; className: string; onClick(): void }

function RoundButton({ icon, label, className, onClick }: RoundButtonProps) {
  return (
    <button
      type="button"
      className={`absolute grid size-12 -translate-y-1/2 place-items-center rounded-full border border-edge bg-surface text-ink shadow-lift hover:text-accent ${className}`}
      aria-label={label}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  )
}

type ThumbnailsProps = Pick<Props, 'pictures'> & { place: number; onPlace(place: number): void }

function Thumbnails({ pictures, place, onPlace }: ThumbnailsProps) {
  const { t } = useI18n()
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.children[place]?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [place])
  return (
    <ul ref={list} className="flex shrink-0 gap-1.5 overflow-x-auto p-1">
      {pictures.map(({ lores }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a vendor may send the same picture twice
        <li key={`${index} ${lores}`} className="shrink-0">
          <button
            type="button"
            className="block rounded-sm aria-current:outline-2 aria-current:outline-accent"
            aria-label={t('photo_of', { i: index + 1, n: pictures.length })}
            aria-current={index === place ? 'true' : undefined}
            onClick={() => onPlace(index)}
          >
            <Picture src={lores} alt="" className="h-12 w-16 rounded-sm" />
          </button>
        </li>
      ))}
    </ul>
  )
}

function useArrowKeys(go: (by: number) => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
      if (by !== undefined) go(by)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [go])
}

function useSwipe(go: (by: number) => void) {
  const from = useRef<number>(undefined)
  return {
    onPointerDown({ clientX }: PointerEvent) {
      from.current = clientX
    },
    onPointerUp({ clientX }: PointerEvent) {
      const by = clientX - (from.current ?? clientX)
      if (Math.abs(by) > SWIPE_PX) go(by < 0 ? 1 : -1)
    },
  }
}
