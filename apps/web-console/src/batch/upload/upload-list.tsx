import { Link } from '@tanstack/react-router'
import { CircleCheck, CircleX, Clock, CloudUpload, Hourglass, type LucideIcon, OctagonX } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { CallFailure } from '../../shared/api/request.ts'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Chip, type Tone } from '../../shared/parts/chip.tsx'
import { useFailureText } from '../../shared/parts/problem-note.tsx'
import classes from './upload.module.css'
import type { FileState } from './upload-queue.ts'
import type { Upload } from './use-uploads.ts'

const looks: Readonly<Record<FileState['kind'], { icon: LucideIcon; tone: Tone }>> = {
  waiting: { icon: Clock, tone: 'plain' },
  sending: { icon: CloudUpload, tone: 'busy' },
  delayed: { icon: Hourglass, tone: 'warning' },
  accepted: { icon: CircleCheck, tone: 'good' },
  refused: { icon: CircleX, tone: 'bad' },
  stopped: { icon: OctagonX, tone: 'idle' },
}

/** Every file of an upload with its progress and its outcome. */
export function UploadList({ uploads, onClose }: { uploads: readonly Upload[]; onClose: () => void }) {
  const { t } = useTranslation('batch-upload')
  return (
    <ul className={classes.list} aria-label={t('files')}>
      {uploads.map((upload, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two files may have one name, and the list never reorders
        <UploadRow key={index} upload={upload} onClose={onClose} />
      ))}
    </ul>
  )
}

function UploadRow({ upload: { file, state }, onClose }: { upload: Upload; onClose: () => void }) {
  const { t } = useTranslation('batch-upload')
  const { bytes } = useFormats()
  const failureText = useFailureText()
  const row = useRef<HTMLLIElement>(null)
  // The list scrolls: keep the file being uploaded in view.
  useEffect(() => {
    if (state.kind === 'sending') row.current?.scrollIntoView({ block: 'nearest' })
  }, [state.kind])
  return (
    <li ref={row} className={classes.row}>
      <span className={classes.name}>
        {state.kind === 'accepted' ? (
          <Link to="/jobs/$id" params={{ id: state.jobId }} onClick={onClose}>
            {file.name}
          </Link>
        ) : (
          file.name
        )}
        <span className={classes.size}>{bytes(file.size)}</span>
      </span>
      <Chip {...looks[state.kind]}>{t(`state.${state.kind}`)}</Chip>
      {state.kind === 'sending' && (
        <progress className={classes.progress} max={1} value={state.share} aria-label={file.name} />
      )}
      {state.kind === 'delayed' && <p className={classes.detail}>{t('delayed', { count: state.seconds })}</p>}
      {state.kind === 'refused' && (
        <p className={classes.detail}>
          {failureText(state.error)} <RefusalCode error={state.error} />
        </p>
      )}
    </li>
  )
}

function RefusalCode({ error }: { error: CallFailure }) {
  if (error.reason.kind !== 'refused') return null
  const { code, requestId } = error.reason.problem
  return (
    <code>
      {code}
      {requestId && ` · ${requestId}`}
    </code>
  )
}
