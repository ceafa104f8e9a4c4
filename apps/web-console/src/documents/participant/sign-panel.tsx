import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../shared/parts/panel.tsx'
import type { Access } from '../api/participant.ts'
import type { Mark, ParticipantAction } from '../api/types.ts'
import { ElectronicForm } from './electronic-form.tsx'
import { FileForm } from './file-form.tsx'
import classes from './participant.module.css'

export interface SignFormProps {
  data: ParticipantAction
  access: Access
  /** Where the signature shall be seen. */
  mark: Mark | undefined
  onSigned: () => void
}

/** Each way to sign that the action allows. */
export function SignPanel(props: SignFormProps) {
  const { t } = useTranslation('documents-participant')
  const { allowElectronicSignature, requiresEmailCode } = props.data.action
  const [way, setWay] = useState<'file' | 'electronic'>('file')
  const electronic = requiresEmailCode ? t('how.electronic') : t('how.simple')
  return (
    <Panel title={t('how.label')}>
      {allowElectronicSignature && (
        <SegmentedControl
          className={classes.ways}
          aria-label={t('how.label')}
          orientation="vertical"
          data={[
            { value: 'file', label: t('how.file') },
            { value: 'electronic', label: electronic },
          ]}
          value={way}
          onChange={setWay}
        />
      )}
      {way === 'file' ? <FileForm {...props} /> : <ElectronicForm {...props} />}
    </Panel>
  )
}
