import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../icon-button.tsx'
import classes from './dialog.module.css'

export interface DialogProps {
  title: string
  onClose: () => void
  /** While true nothing closes it: what it began must end first. */
  busy?: boolean
  /** Closed by its own buttons only: neither by Escape nor by a cross in the corner. */
  mustAnswer?: boolean
  wide?: boolean
  children: ReactNode
}

/**
 * A modal dialog, open as long as it is rendered. The browser's own element keeps the focus inside, gives it back to where
 * it was, and makes the page behind inert; Mantine's would insert a `<style>` element, which the content policy bars.
 */
export function Dialog({ title, onClose, busy = false, mustAnswer = false, wide = false, children }: DialogProps) {
  const { t } = useTranslation()
  const stays = busy || mustAnswer
  const element = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const dialog = element.current!
    if (!dialog.open) dialog.showModal()
    return () => dialog.close()
  }, [])
  return (
    <dialog
      ref={element}
      className={classes.dialog}
      data-wide={wide || undefined}
      aria-labelledby={titleId}
      onKeyDown={(event) => {
        // A second Escape would close it whatever `onCancel` says: the browser lets no page hold a visitor like that.
        if (stays && event.key === 'Escape') event.preventDefault()
      }}
      onCancel={(event) => {
        event.preventDefault()
        if (!stays) onClose()
      }}
    >
      <div className={classes.head}>
        <h2 id={titleId} className={classes.title}>
          {title}
        </h2>
        {!stays && <IconButton icon={X} label={t('dialog.close')} onClick={onClose} />}
      </div>
      <div className={classes.body}>{children}</div>
    </dialog>
  )
}

/** The row of buttons at the end of a dialog or form. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className={classes.buttons}>{children}</div>
}
