import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../shared/parts/panel.tsx'
import type { Access } from '../api/participant.ts'
import type { Mark, ParticipantAction } from '../api/types.ts'
import { CloudForm } from './cloud-form.tsx'
import { ElectronicForm } from './electronic-form.tsx'
import { FileForm } from './file-form.tsx'
import type { PageOptions } from './page-options.ts'
import classes from './participant.module.css'
import { Note } from './sign-failure.tsx'

export interface SignFormProps {
  data: ParticipantAction
  access: Access
  /** Position of the visible signature. */
  mark: Mark | undefined
  options: PageOptions
  onSigned: () => void
  /** Called when the signer continues in another window. */
  onElsewhere: () => void
}

type Way = 'file' | 'cloud' | 'electronic'

const forms = { file: FileForm, cloud: CloudForm, electronic: ElectronicForm } as const

/** A form for each signing method that the action allows. */
export function SignPanel(props: SignFormProps) {
  const { t } = useTranslation('documents-participant')
  const { allowElectronicSignature, allowCertificate, allowCloudCertificate, requiresEmailCode } = props.data.action
  const { cloud } = props.options
  const [way, setWay] = useState<Way>(
    allowCloudCertificate && (props.options.way === 'cloud' || cloud)
      ? 'cloud'
      : allowCertificate
        ? 'file'
        : 'electronic',
  )
  const electronic = requiresEmailCode ? t('how.electronic') : t('how.simple')
  const ways: readonly { value: Way; label: string; isAllowed: boolean }[] = [
    { value: 'file', label: t('how.file'), isAllowed: allowCertificate },
    { value: 'cloud', label: t('how.cloud'), isAllowed: allowCloudCertificate },
    { value: 'electronic', label: electronic, isAllowed: allowElectronicSignature },
  ]
  const allowed = ways.filter(({ isAllowed }) => isAllowed)
  const Form = forms[way]
  return (
    <Panel title={t('how.label')}>
      {cloud && cloud !== 'signed' && <Note>{t(`cloud.outcome.${cloud}`)}</Note>}
      {allowed.length > 1 && (
        <SegmentedControl
          className={classes.ways}
          aria-label={t('how.label')}
          orientation="vertical"
          data={allowed.map(({ value, label }) => ({ value, label }))}
          value={way}
          onChange={setWay}
        />
      )}
      <Form {...props} />
    </Panel>
  )
}
