import type { ReactNode } from 'react'
import classes from './section.module.css'

/** A titled part of the page; `id` is its anchor for the navigation. */
export function Section(props: { id: string; title: string; lead: string; children: ReactNode }) {
  const headingId = `${props.id}-title`
  return (
    <section id={props.id} className={classes.section} aria-labelledby={headingId}>
      <div className={classes.heading}>
        <h2 id={headingId} className={classes.title}>
          {props.title}
        </h2>
        <p className={classes.lead}>{props.lead}</p>
      </div>
      {props.children}
    </section>
  )
}
