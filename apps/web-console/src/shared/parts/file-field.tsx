import { useTranslation } from 'react-i18next'
import { FilePicker } from './file-picker.tsx'

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

/** A file picker in the operator's language. */
export function FileField({ chosen, multiple = false, ...picker }: FileFieldProps) {
  const { t } = useTranslation()
  return (
    <FilePicker
      {...picker}
      multiple={multiple}
      pick={t(multiple ? 'file.chooseMany' : 'file.choose')}
      chosen={chosen ?? t('file.none')}
    />
  )
}
