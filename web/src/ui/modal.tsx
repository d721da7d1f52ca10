import { Suspense, useState } from 'react'
import { loadable } from './loadable.tsx'
import type { ModalProps } from './modal-frame.tsx'

const ModalFrame = loadable(() => import('./modal-frame.tsx').then((module) => ({ default: module.ModalFrame })))

/** Loads the code of dialogs before one is opened. */
export const preloadModal = (): void => void ModalFrame.preload().catch(() => undefined)

/** Renders nothing until it is first opened, so that no page waits for the code of dialogs. */
export function Modal(props: ModalProps) {
  const [wasOpen, setWasOpen] = useState(props.isOpen)
  if (props.isOpen && !wasOpen) setWasOpen(true)
  return <Suspense fallback={null}>{wasOpen && <ModalFrame {...props} />}</Suspense>
}
