import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import classes from './bio.module.css'
import { useTitle } from './use-texts.ts'

interface NoticeProps {
  icon: LucideIcon
  title: string
  text: string
  good?: boolean
  children?: ReactNode
}

/** Stands instead of all else; an alert, so that screen readers announce it. */
export function Notice({ icon: Icon, title, text, good = false, children }: NoticeProps) {
  useTitle(title)
  return (
    <div className={classes.notice} role="alert">
      <span className={classes.icon} data-good={good || undefined}>
        <Icon size={24} aria-hidden="true" />
      </span>
      <h1>{title}</h1>
      <p>{text}</p>
      {children}
    </div>
  )
}
