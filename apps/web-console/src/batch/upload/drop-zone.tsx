import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DropZone as SharedDropZone } from '../../shared/upload/drop-zone.tsx'
import { MAX_FILES } from './upload-queue.ts'

/** Where the files of one upload are dropped or chosen. */
export function DropZone({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { t } = useTranslation('batch-upload')
  const [tooMany, setTooMany] = useState(false)

  function take(files: File[]) {
    setTooMany(files.length > MAX_FILES)
    if (files.length <= MAX_FILES) onFiles(files)
  }

  return (
    <SharedDropZone
      text={t('drop')}
      choose={t('choose')}
      hint={t('limits', { max: MAX_FILES })}
      problem={tooMany ? t('tooMany', { max: MAX_FILES }) : undefined}
      onFiles={take}
    />
  )
}
