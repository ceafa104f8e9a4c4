import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import classes from './feedback.module.css'

export interface PageStateProps {
  icon: LucideIcon
  title: string
  /** One or two sentences: what happened, what to do. */
  children?: ReactNode
  tone?: 'neutral' | 'bad'
  /** Whether it is the only content of the page; its title is then the main heading. */
  isPage?: boolean
  /** A button, where the visitor can do something. */
  action?: ReactNode
}

/** Shown in place of data: there is none yet, or it could not be loaded. */
export function PageState({ icon: Icon, title, children, tone = 'neutral', isPage = false, action }: PageStateProps) {
  const Title = isPage ? 'h1' : 'p'
  return (
    <div className={classes.state} role={tone === 'bad' ? 'alert' : undefined}>
      <span className={classes.icon} data-tone={tone}>
        <Icon size={22} aria-hidden="true" />
      </span>
      <Title className={classes.title}>{title}</Title>
      <div className={classes.text}>{children}</div>
      {action}
    </div>
  )
}
