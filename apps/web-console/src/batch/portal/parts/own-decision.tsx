import { useFormats } from '../../../shared/format/use-formats.ts'
import { DecisionChip } from '../../parts/decision-chip.tsx'
import type { PortalRow } from '../api/portal-types.ts'
import classes from './parts.module.css'

/** What the caller decided, and when. */
export function OwnDecision({ own }: { own: PortalRow['ownDecision'] }) {
  const { dateAndMinute } = useFormats()
  return (
    <span>
      <DecisionChip decision={own?.decision ?? null} />
      {own && <span className={classes.below}>{dateAndMinute(own.decidedAt)}</span>}
    </span>
  )
}
