import { Button } from '@mantine/core'
import { FileUp } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './upload.module.css'
import { MAX_FILES } from './upload-queue.ts'

/** Where files are dropped; the button in it does the same for those who do not drag. */
export function DropZone({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { t } = useTranslation('batch-upload')
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const [tooMany, setTooMany] = useState(false)

  function take(files: readonly File[]) {
    setTooMany(files.length > MAX_FILES)
    if (files.length > 0 && files.length <= MAX_FILES) onFiles([...files])
  }

  function drop(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    take(filesIn(event.dataTransfer))
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button inside is the first
    <div
      className={classes.zone}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <FileUp size={32} aria-hidden="true" />
      <p>{t('drop')}</p>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('choose')}
        onChange={(event) => take([...(event.currentTarget.files ?? [])])}
      />
      <Button onClick={() => input.current?.click()}>{t('choose')}</Button>
      <p className={classes.hint}>{t('limits', { max: MAX_FILES })}</p>
      {tooMany && (
        <p className={classes.tooMany} role="alert">
          {t('tooMany', { max: MAX_FILES })}
        </p>
      )}
    </div>
  )
}

/** The files of a drop; a folder comes as an entry without content and is left out. */
const filesIn = (transfer: DataTransfer): File[] =>
  [...transfer.items]
    .filter((item) => item.kind === 'file' && !item.webkitGetAsEntry()?.isDirectory)
    .flatMap((item) => item.getAsFile() ?? [])
