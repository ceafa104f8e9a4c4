import { useTranslation } from 'react-i18next'
import { Panel } from '../../shared/parts/panel.tsx'
import { Note } from '../../shared/signing/sign-failure.tsx'
import { SignWith } from '../../shared/signing/sign-with.tsx'
import type { Access } from '../api/participant.ts'
import type { Mark, ParticipantAction } from '../api/types.ts'
import type { PageOptions } from './page-options.ts'
import { useOffers } from './use-offers.tsx'

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

/** A form for each signing method that the action allows. */
export function SignPanel(props: SignFormProps) {
  const { t } = useTranslation(['documents-participant', 'signing'])
  const { cloud, way } = props.options
  const { participant, requiredCertificateTypeToSign } = props.data.action
  return (
    <Panel title={t('signing:how.label')}>
      {cloud && cloud !== 'signed' && <Note>{t(`signing:cloud.outcome.${cloud}`)}</Note>}
      <SignWith
        offers={useOffers(props)}
        asked={cloud ? 'cloud' : way}
        wanted={{ cpf: participant.identifier, type: requiredCertificateTypeToSign }}
        onSigned={props.onSigned}
      />
    </Panel>
  )
}
