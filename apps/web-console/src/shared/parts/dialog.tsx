import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../icon-button.tsx'
import classes from './dialog.module.css'

export interface DialogProps {
  title: string
  onClose: () => void
  /** While true it cannot be closed: its action must end first. */
  busy?: boolean
  /** Closes by its own buttons only: neither by Escape nor by a close button. */
  mustAnswer?: boolean
  wide?: boolean
  children: ReactNode
}

/**
 * A modal dialog, open while it is rendered. The browser's own element traps the focus, restores it afterwards, and
 * makes the page behind inert; Mantine's would insert a `<style>` element, which the content policy forbids.
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
        // A second Escape would close it even if `onCancel` prevents it: browsers do not let a page hold a visitor.
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
