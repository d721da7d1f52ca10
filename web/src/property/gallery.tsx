import { useEffect, useRef, useState } from 'react'
import type { Picture as PictureData } from '../api/shapes.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Icon } from '../ui/icon.tsx'
import { Modal } from '../ui/modal.tsx'
import { Picture } from '../ui/picture.tsx'
import { toPictureUrl } from '../ui/picture-url.ts'

type Props = { pictures: readonly PictureData[]; name: string }

/** One large picture and four small ones; a button opens all of them. */
export function Gallery({ pictures, name }: Props) {
  const { t } = useI18n()
  const [opened, setOpened] = useState<number>()
  const ordered = [...pictures].sort((a, b) => Number(b.default) - Number(a.default))
  if (ordered.length === 0) return <Picture src="" alt="" className="aspect-[3/1] w-full rounded-lg" />
  return (
    <div className="relative overflow-hidden rounded-lg">
      <div className="grid gap-1.5 sm:grid-cols-[2fr_1fr_1fr] sm:grid-rows-2">
        {ordered.slice(0, 5).map((picture, place) => (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: a vendor may send the same picture twice
            key={`${place} ${picture.hires}`}
            type="button"
            className={`group relative aspect-[4/3] overflow-hidden focus-visible:z-10 focus-visible:-outline-offset-4 sm:aspect-auto ${place === 0 ? 'sm:row-span-2 sm:h-[26rem]' : 'hidden sm:block'}`}
            onClick={() => setOpened(place)}
          >
            <Picture
              src={place === 0 ? picture.hires : picture.lores}
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

/** One picture at a time: arrow keys, buttons or swiping. */
function Viewer({ pictures, name, start }: Props & { start: number }) {
  const { t } = useI18n()
  const [place, setPlace] = useState(start)
  const touch = useRef<number>(undefined)
  const go = (by: number) => setPlace((now) => (now + by + pictures.length) % pictures.length)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
      if (by !== undefined) setPlace((now) => (now + by + pictures.length) % pictures.length)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [pictures.length])
  const picture = pictures[place]
  if (picture === undefined) return null
  const button =
    'absolute top-1/2 grid size-12 -translate-y-1/2 place-items-center rounded-full border border-edge bg-surface text-ink shadow-lift hover:text-accent'
  return (
    <figure className="flex h-[calc(100dvh-7rem)] flex-col">
      <div
        className="relative min-h-0 flex-1"
        onPointerDown={(event) => {
          touch.current = event.clientX
        }}
        onPointerUp={(event) => {
          const by = event.clientX - (touch.current ?? event.clientX)
          if (Math.abs(by) > SWIPE_PX) go(by < 0 ? 1 : -1)
        }}
      >
        <img
          src={toPictureUrl(picture.hires)}
          alt={picture.caption === '' ? name : picture.caption}
          className="size-full object-contain"
          draggable={false}
        />
        <button type="button" className={`${button} left-0`} aria-label={t('previous_photo')} onClick={() => go(-1)}>
          <Icon name="left" />
        </button>
        <button type="button" className={`${button} right-0`} aria-label={t('next_photo')} onClick={() => go(1)}>
          <Icon name="right" />
        </button>
      </div>
      <figcaption className="pt-3 text-center text-sm text-muted" aria-live="polite">
        {[picture.caption, t('photo_of', { i: place + 1, n: pictures.length })].filter(Boolean).join(' · ')}
      </figcaption>
    </figure>
  )
}
