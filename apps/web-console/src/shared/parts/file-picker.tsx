import type { ChangeEvent } from 'react'
import classes from './file-field.module.css'

interface FilePickerProps {
  label: string
  description?: string | undefined
  /** What the button says. */
  pick: string
  /** Names of the chosen files, or that there are none; undefined where files are taken at once. */
  chosen?: string | undefined
  /** Endings and types the browser offers first. */
  accept?: string | undefined
  multiple?: boolean
  disabled?: boolean
  onFiles: (files: readonly File[]) => void
}

/** A file picker in the page's language: the browser's own control uses the browser's language. */
export function FilePicker({ label, description, pick, chosen, onFiles, ...input }: FilePickerProps) {
  function take({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    const files = [...(currentTarget.files ?? [])]
    // Without this, choosing the same file again after correcting it would fire no change event.
    currentTarget.value = ''
    if (files.length > 0) onFiles(files)
  }
  return (
    <label className={classes.field}>
      <span className={classes.label}>{label}</span>
      {description && <span className={classes.description}>{description}</span>}
      <input className={classes.input} type="file" {...input} onChange={take} />
      <span className={classes.row}>
        <span className={classes.button} aria-hidden="true">
          {pick}
        </span>
        <span className={classes.chosen}>{chosen}</span>
      </span>
    </label>
  )
}
