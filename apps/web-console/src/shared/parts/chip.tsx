import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import classes from './parts.module.css'

export type Tone = 'good' | 'warning' | 'bad' | 'idle' | 'busy' | 'plain'

/** A state as shape, word and colour, so that nobody has to rely on the colour. */
export function Chip({ icon: Icon, tone, children }: { icon?: LucideIcon; tone: Tone; children: ReactNode }) {
  return (
    <span className={classes.chip} data-tone={tone}>
      {Icon && <Icon size={14} aria-hidden="true" />}
      {children}
    </span>
  )
}
