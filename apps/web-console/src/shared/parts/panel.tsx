import { type ReactNode, useId } from 'react'
import classes from './parts.module.css'

/** A titled part of a page. */
export function Panel(props: {
  title: string
  lead?: ReactNode
  actions?: ReactNode
  tone?: 'danger'
  children: ReactNode
}) {
  const headingId = useId()
  return (
    <section className={classes.panel} data-tone={props.tone} aria-labelledby={headingId}>
      <div className={classes.panelHead}>
        <h2 id={headingId} className={classes.panelTitle}>
          {props.title}
        </h2>
        {props.actions && <div className={classes.actions}>{props.actions}</div>}
      </div>
      {props.lead && <p className={classes.lead}>{props.lead}</p>}
      {props.children}
    </section>
  )
}
