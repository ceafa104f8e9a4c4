import classes from '../shared/parts/file-field.module.css'
import { useTexts } from './use-texts.ts'

interface FileInputProps {
  label: string
  accept?: string
  multiple?: boolean
  disabled?: boolean
  /** Name of the chosen file; undefined if there is none, or if it is taken at once. */
  chosen?: string | undefined
  onFiles: (files: readonly File[]) => void
}

/** A file picker in the person's language: the browser's own control uses the browser's. */
export function FileInput({ label, chosen, onFiles, ...input }: FileInputProps) {
  const texts = useTexts()
  return (
    <label className={classes.field}>
      <span className={classes.label}>{label}</span>
      <input
        className={classes.input}
        type="file"
        {...input}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          // Without this, choosing the same file again after correcting it would fire no change event.
          currentTarget.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
      <span className={classes.row}>
        <span className={classes.button} aria-hidden="true">
          {texts.choose}
        </span>
        <span className={classes.chosen}>{chosen}</span>
      </span>
    </label>
  )
}
