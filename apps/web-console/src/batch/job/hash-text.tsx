import { CopyButton } from '../../shared/clipboard/copy-button.tsx'
import classes from './job.module.css'

/** An id or a hash, to be copied rather than typed. */
export function HashText({ what, value }: { what: string; value: string }) {
  return (
    <span className={classes.hash}>
      <code>{value}</code>
      <CopyButton text={value} what={what} />
    </span>
  )
}
