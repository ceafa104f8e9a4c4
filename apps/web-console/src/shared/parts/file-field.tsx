import type { ChangeEvent } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './file-field.module.css'

export interface FileFieldProps {
  label: string
  description?: string
  /** Endings and types the browser offers first. */
  accept: string
  multiple?: boolean
  /** Names of the chosen files; undefined if there are none. */
  chosen: string | undefined
  onFiles: (files: readonly File[]) => void
}

/** A file picker in the operator's language: the browser's own control uses the browser's language. */
export function FileField({ label, description, accept, multiple = false, chosen, onFiles }: FileFieldProps) {
  const { t } = useTranslation()
  function take({ currentTarget: input }: ChangeEvent<HTMLInputElement>) {
    const files = [...(input.files ?? [])]
    // Without this, choosing the same file again after correcting it would fire no change event.
    input.value = ''
    if (files.length > 0) onFiles(files)
  }
  return (
    <label className={classes.field}>
      <span className={classes.label}>{label}</span>
      {description && <span className={classes.description}>{description}</span>}
      <input className={classes.input} type="file" accept={accept} multiple={multiple} onChange={take} />
      <span className={classes.row}>
        <span className={classes.button} aria-hidden="true">
          {t(multiple ? 'file.chooseMany' : 'file.choose')}
        </span>
        <span className={classes.chosen}>{chosen ?? t('file.none')}</span>
      </span>
    </label>
  )
}
