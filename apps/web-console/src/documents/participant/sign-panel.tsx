import { Panel } from '../../shared/parts/panel.tsx'
import { CloudOutcomeNote } from '../../shared/signing/cloud-outcome.tsx'
import { SignWith } from '../../shared/signing/sign-with.tsx'
import { useSigningTexts } from '../../shared/signing/signing-page.ts'
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
  const { how } = useSigningTexts()
  const { cloud, way } = props.options
  const { participant, requiredCertificateTypeToSign } = props.data.action
  return (
    <Panel title={how.label}>
      {cloud && <CloudOutcomeNote outcome={cloud} />}
      <SignWith
        offers={useOffers(props)}
        asked={cloud ? 'cloud' : way}
        wanted={{ cpf: participant.identifier, type: requiredCertificateTypeToSign }}
        onSigned={props.onSigned}
      />
    </Panel>
  )
}
