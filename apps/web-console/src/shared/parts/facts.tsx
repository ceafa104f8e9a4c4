import type { ReactNode } from 'react'
import classes from './parts.module.css'

export interface FactsProps {
  rows: readonly (readonly [name: string, value: ReactNode])[]
  /** Short values stand closer together. */
  dense?: boolean
}

/** Names and what they stand for; a row whose value is missing is left out. */
export function Facts({ rows, dense }: FactsProps) {
  return (
    <dl className={classes.facts} data-dense={dense}>
      {rows
        .filter(([, value]) => value !== undefined && value !== null && value !== '')
        .map(([name, value]) => (
          <div key={name} className={classes.fact}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
