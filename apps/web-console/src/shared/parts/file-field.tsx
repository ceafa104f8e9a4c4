import type { ChangeEvent } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './file-field.module.css'

export interface FileFieldProps {
  label: string
  description?: string
  /** Endings and types the browser offers first. */
  accept: string
  multiple?: boolean
  /** Names of what was chosen; nothing where nothing is. */
  chosen: string | undefined
  onFiles: (files: readonly File[]) => void
}

/** A choice of files in the operator's language: the words of the browser's own control are in the browser's. */
export function FileField({ label, description, accept, multiple = false, chosen, onFiles }: FileFieldProps) {
  const { t } = useTranslation()
  function take({ currentTarget: input }: ChangeEvent<HTMLInputElement>) {
    const files = [...(input.files ?? [])]
    // Without this the same file, mended and chosen anew, would not count as a change.
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
