import { Switch, TextInput } from '@mantine/core'
import { CircleCheck, RotateCw, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { IconButton } from '../../shared/icon-button.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { useFailureText } from '../../shared/parts/problem-note.tsx'
import { DropZone } from '../../shared/upload/drop-zone.tsx'
import classes from './new.module.css'
import type { NewFile, useNewFiles } from './use-new-files.ts'

/** Whether all files make one document, and what it is called. */
export interface Envelope {
  readonly isEnvelope: boolean
  readonly name: string
}

export interface FilesPanelProps {
  files: ReturnType<typeof useNewFiles>
  envelope: Envelope
  onEnvelope: (envelope: Envelope) => void
}

/** Takes files, and shows the progress of each. */
export function FilesPanel({ files: { files, add, again, remove }, envelope, onEnvelope }: FilesPanelProps) {
  const { t } = useTranslation('documents-new')
  return (
    <Panel title={t('files.title')}>
      <DropZone text={t('files.drop')} choose={t('files.choose')} hint={t('files.hint')} onFiles={add} />
      {files.length > 0 && (
        <ul className={classes.files} aria-label={t('files.title')}>
          {files.map((one) => (
            <FileRow key={one.key} one={one} onAgain={() => again(one)} onRemove={() => remove(one.key)} />
          ))}
        </ul>
      )}
      {files.length > 1 && (
        <>
          <Switch
            label={t('files.envelope')}
            description={t('files.envelopeHint')}
            checked={envelope.isEnvelope}
            onChange={({ currentTarget }) => onEnvelope({ ...envelope, isEnvelope: currentTarget.checked })}
          />
          {envelope.isEnvelope && (
            <TextInput
              label={t('files.envelopeName')}
              maxLength={260}
              required
              value={envelope.name}
              onChange={({ currentTarget }) => onEnvelope({ ...envelope, name: currentTarget.value })}
            />
          )}
        </>
      )}
    </Panel>
  )
}

function FileRow({
  one: { file, state },
  onAgain,
  onRemove,
}: {
  one: NewFile
  onAgain: () => void
  onRemove: () => void
}) {
  const { t } = useTranslation('documents-new')
  const { bytes, percent } = useFormats()
  const explain = useFailureText()
  const { name } = file
  return (
    <li className={classes.file}>
      <span className={classes.fileName}>
        {name} <span className={classes.quiet}>{bytes(file.size)}</span>
      </span>
      <span className={classes.fileState}>
        {state.kind === 'sent' && (
          <span className={classes.sent}>
            <CircleCheck size={16} aria-hidden="true" /> {t('files.sent')}
          </span>
        )}
        {state.kind === 'failed' && <IconButton icon={RotateCw} label={t('files.again', { name })} onClick={onAgain} />}
        <IconButton icon={X} label={t('files.remove', { name })} onClick={onRemove} />
      </span>
      {state.kind === 'sending' && (
        <progress
          className={classes.progress}
          aria-label={t('files.sending', { name, percent: percent(state.share) })}
          value={state.share}
        />
      )}
      {state.kind === 'failed' && (
        <p className={classes.bad} role="alert">
          {explain(state.error)}
        </p>
      )}
    </li>
  )
}
