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
import { signingWays, type Way } from './signing-ways.ts'

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

const forms = { file: FileForm, cloud: CloudForm, electronic: ElectronicForm } as const

/** A form for each signing method that the action allows. */
export function SignPanel(props: SignFormProps) {
  const { t } = useTranslation('documents-participant')
  const { action } = props.data
  const { cloud } = props.options
  const ways = signingWays(action)
  const asked: Way | undefined = props.options.way === 'cloud' || cloud ? 'cloud' : undefined
  const [way, setWay] = useState(asked && ways.includes(asked) ? asked : ways[0]!)
  const labels: Readonly<Record<Way, string>> = {
    file: t('how.file'),
    cloud: t('how.cloud'),
    electronic: action.requiresEmailCode ? t('how.electronic') : t('how.simple'),
  }
  const Form = forms[way]
  return (
    <Panel title={t('how.label')}>
      {cloud && cloud !== 'signed' && <Note>{t(`cloud.outcome.${cloud}`)}</Note>}
      {ways.length > 1 && (
        <SegmentedControl
          className={classes.ways}
          aria-label={t('how.label')}
          orientation="vertical"
          data={ways.map((value) => ({ value, label: labels[value] }))}
          value={way}
          onChange={setWay}
        />
      )}
      <Form {...props} />
    </Panel>
  )
}
