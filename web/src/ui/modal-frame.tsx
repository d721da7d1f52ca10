import type { ReactNode } from 'react'
import { Dialog, Heading } from 'react-aria-components/Dialog'
import { Modal as AriaModal, ModalOverlay } from 'react-aria-components/Modal'
import { useI18n } from '../i18n/i18n.tsx'
import { Icon } from './icon.tsx'

export type ModalProps = {
  title: string
  isOpen: boolean
  onClose(): void
  children: ReactNode
  /** Below the scrolling part. */
  footer?: ReactNode
  /** `sheet`: from the bottom on phones, at the side on wide screens. */
  shape?: 'dialog' | 'sheet' | 'full'
  role?: 'dialog' | 'alertdialog'
}

const SHAPES = {
  dialog: 'w-full sm:max-w-md rounded-t-lg sm:rounded-lg max-h-[92dvh] sm:mb-[10vh]',
  sheet: 'w-full sm:max-w-sm rounded-t-lg sm:rounded-none sm:ml-auto max-h-[92dvh] sm:max-h-none sm:h-dvh',
  full: 'w-full h-dvh',
} as const

/** Traps focus and returns it on close; Escape and a click outside close it. */
export function ModalFrame(props: ModalProps) {
  const { title, isOpen, onClose, children, footer, shape = 'dialog', role = 'dialog' } = props
  const { t } = useI18n()
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable={role === 'dialog'}
      className={`fixed inset-0 z-50 flex items-end justify-center bg-[rgb(10_12_24/0.55)] ${shape === 'dialog' ? 'sm:items-center' : ''}`}
    >
      <AriaModal
        className={`flex animate-[rise_180ms_ease-out] flex-col overflow-hidden bg-surface text-ink shadow-lift ${SHAPES[shape]}`}
      >
        <Dialog role={role} className="flex min-h-0 flex-1 flex-col outline-none">
          <div className="flex items-center justify-between gap-4 border-b border-line py-3 pr-2 pl-5">
            <Heading slot="title" className="min-w-0 text-lg">
              {title}
            </Heading>
            <button type="button" className="btn-plain" onClick={onClose} aria-label={t('close')}>
              <Icon name="close" />
            </button>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto p-5">{children}</div>
          {footer !== undefined && <div className="border-t border-line px-5 py-3">{footer}</div>}
        </Dialog>
      </AriaModal>
    </ModalOverlay>
  )
}
