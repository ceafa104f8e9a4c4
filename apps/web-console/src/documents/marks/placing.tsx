import { NativeSelect } from '@mantine/core'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MarksSessionPage } from '../api/types.ts'
import { localAddress } from '../participant/local-address.ts'
import { MarkBox } from '../pdf/mark-box.tsx'
import type { PageSize } from '../pdf/mark-geometry.ts'
import { PdfReader } from '../pdf/pdf-reader.tsx'
import { MarkPanel } from './mark-panel.tsx'
import classes from './marks.module.css'
import { type FileMark, marksOf, onFile, withMoved, withoutMark } from './session-marks.ts'

interface Front {
  readonly page: number
  readonly size: PageSize
}

type SessionFile = MarksSessionPage['files'][number]

/** The files of a session, one at a time, and the marks on them. */
export function Placing({ session }: { session: MarksSessionPage }) {
  const { t } = useTranslation('documents-marks')
  const { files } = session
  const [marks, setMarks] = useState(() => marksOf(session))
  const [fileId, setFileId] = useState(files[0]!.id)
  const [front, setFront] = useState<Front>()
  const file = files.find(({ id }) => id === fileId)!
  return (
    <div className={classes.columns}>
      <div className={classes.reading}>
        {files.length > 1 && (
          <NativeSelect
            label={t('file')}
            data={files.map(({ id, name }) => ({ value: id, label: name }))}
            value={fileId}
            onChange={({ currentTarget }) => {
              setFileId(currentTarget.value)
              setFront(undefined)
            }}
          />
        )}
        <Reading key={fileId} file={file} marks={onFile(marks, fileId)} onFront={setFront} onMarks={setMarks} />
      </div>
      <MarkPanel
        session={session}
        marks={marks}
        fileId={fileId}
        place={front && { fileId, ...front }}
        onMarks={setMarks}
      />
    </div>
  )
}

interface ReadingProps {
  file: SessionFile
  /** Those on this file. */
  marks: readonly FileMark[]
  onFront: (front: Front) => void
  onMarks: (change: (all: readonly FileMark[]) => readonly FileMark[]) => void
}

function Reading({ file, marks, onFront, onMarks }: ReadingProps) {
  const { t } = useTranslation(['documents-marks', 'documents'])
  const report = useCallback((page: number, size: PageSize) => onFront({ page, size }), [onFront])
  if (file.contentType !== 'application/pdf') return <p>{t('documents:pdf.noPreview')}</p>
  return (
    <PdfReader
      source={localAddress(file.location)}
      onPage={report}
      overlay={(pageNumber, page) =>
        marks
          .filter((mark) => mark.pageNumber === pageNumber)
          .map((mark) => (
            <MarkBox
              key={mark.id}
              mark={mark}
              page={page}
              name={mark.participant ?? t('anybody')}
              onChange={(moved) => onMarks((all) => withMoved(all, moved))}
              onRemove={() => onMarks((all) => withoutMark(all, mark.id))}
            />
          ))
      }
    />
  )
}
