import type { ReactNode } from 'react'
import classes from './parts.module.css'

/** Fields that belong together, inside a form. */
export function Section({ title, problem, children }: { title: string; problem?: ReactNode; children: ReactNode }) {
  return (
    <fieldset className={classes.section}>
      <legend>{title}</legend>
      {problem && <p className={classes.problem}>{problem}</p>}
      <div className={classes.form}>{children}</div>
    </fieldset>
  )
}
