import { useFormats } from '../../shared/format/use-formats.ts'
import type { HistoryEntry } from '../api/types.ts'
import { StatusChip } from '../parts/status-chip.tsx'
import classes from './job.module.css'

/** What happened to the job, oldest first. */
export function Timeline({ entries }: { entries: readonly HistoryEntry[] }) {
  const { dateAndTime } = useFormats()
  return (
    <ol className={classes.timeline}>
      {entries.map(({ id, timestamp, status, message, code }) => (
        <li key={id} className={classes.moment}>
          <div className={classes.momentHead}>
            <StatusChip status={status} />
            <time dateTime={timestamp}>{dateAndTime(timestamp)}</time>
          </div>
          <p className={classes.momentText}>{message}</p>
          {code && <code className={classes.momentCode}>{code}</code>}
        </li>
      ))}
    </ol>
  )
}
