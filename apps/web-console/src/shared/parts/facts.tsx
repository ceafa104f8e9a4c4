import type { ReactNode } from 'react'
import classes from './parts.module.css'

export interface FactsProps {
  rows: readonly (readonly [name: string, value: ReactNode])[]
  /** Less space between short values. */
  dense?: boolean
}

/** Names and values; a row without a value is left out. */
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
