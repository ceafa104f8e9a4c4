import type { ReactNode } from 'react'
import classes from './figures.module.css'

/** Figures side by side, as many as fit. */
export function Figures({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className={classes.figures} aria-label={label}>
      {children}
    </section>
  )
}

export interface FigureProps {
  /** What is counted; a link where there are details. */
  name: ReactNode
  /** The figure itself; absent where children replace it. */
  value?: ReactNode
  hint?: ReactNode
  alarming?: boolean
  /** Takes the whole line on a phone. */
  wide?: boolean
  /** Between the figure and its hint. */
  children?: ReactNode
}

/** One of the main figures of a page. */
export function Figure({ name, value, hint, alarming, wide, children }: FigureProps) {
  return (
    <div className={classes.figure} data-alarming={alarming || undefined} data-wide={wide || undefined}>
      <p className={classes.name}>{name}</p>
      {value !== undefined && <p className={classes.value}>{value}</p>}
      {children}
      {hint && <p className={classes.hint}>{hint}</p>}
    </div>
  )
}
