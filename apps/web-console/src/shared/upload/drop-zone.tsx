import { Button } from '@mantine/core'
import { FileUp } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import classes from './drop-zone.module.css'

export interface DropZoneProps {
  /** What may be dropped, in one sentence. */
  text: string
  choose: string
  hint?: string
  /** Why the last files were not taken. */
  problem?: string | undefined
  multiple?: boolean
  /** Endings and types the browser offers first. */
  accept?: string
  onFiles: (files: File[]) => void
}

/** Where files are dropped; the button in it does the same for those who do not drag. */
export function DropZone({ text, choose, hint, problem, multiple = true, accept, onFiles }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)

  function take(files: readonly File[]) {
    if (files.length > 0) onFiles([...files])
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
      <p>{text}</p>
      <input
        ref={input}
        type="file"
        multiple={multiple}
        hidden
        accept={accept}
        aria-label={choose}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          // Without this, choosing the same file again after correcting it would fire no change event.
          currentTarget.value = ''
          take(files)
        }}
      />
      <Button onClick={() => input.current?.click()}>{choose}</Button>
      {hint && <p className={classes.hint}>{hint}</p>}
      {problem && (
        <p className={classes.problem} role="alert">
          {problem}
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
