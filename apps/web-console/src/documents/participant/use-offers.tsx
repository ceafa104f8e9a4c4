import { useTranslation } from 'react-i18next'
import { CertificateRejected } from '../../shared/signing/certificate-rejected.ts'
import type { CloudOffer, FileOffer, Offer, OtherOffer, TokenOffer } from '../../shared/signing/offers.ts'
import {
  beginCloudSigning,
  beginTokenSigning,
  cancelTokenSigning,
  completeSignature,
  lookTokenSigning,
  startSignature,
} from '../api/participant.ts'
import { ElectronicForm } from './electronic-form.tsx'
import type { SignFormProps } from './sign-panel.tsx'
import { type SigningWay, signingWays } from './signing-ways.ts'

/** What the action offers to sign with, in terms of the shared component. */
export function useOffers(props: SignFormProps): readonly Offer[] {
  const { t } = useTranslation('documents-participant')
  const { action } = props.data
  const label = action.requiresEmailCode ? t('how.electronic') : t('how.simple')
  const offers: Readonly<Record<SigningWay, () => Offer>> = {
    file: () => fileOffer(props),
    cloud: () => cloudOffer(props),
    token: () => tokenOffer(props),
    electronic: (): OtherOffer => ({
      way: 'other',
      label,
      form: (onSigned) => <ElectronicForm {...props} onSigned={onSigned} />,
    }),
  }
  return signingWays(action).map((way) => offers[way]())
}

function fileOffer({ access, mark }: SignFormProps): FileOffer {
  let begun = ''
  return {
    way: 'file',
    async prepare(certificate) {
      const started = await startSignature(access, certificate, mark)
      const { success, token, toSignHash, digestAlgorithm, validationResults } = started
      if (!success || token === null || toSignHash === null) throw new CertificateRejected(validationResults)
      begun = token
      return [{ hash: toSignHash, digestAlgorithm: digestAlgorithm ?? 'SHA-256' }]
    },
    async complete([signature]) {
      const completed = await completeSignature(access.key, begun, signature!)
      if (!completed.success) throw new CertificateRejected(completed.validationResults)
    },
  }
}

const cloudOffer = ({ access, mark, onElsewhere }: SignFormProps): CloudOffer => ({
  way: 'cloud',
  begin: async () => (await beginCloudSigning(access, mark)).url,
  windowAddress: `/document/key/${access.key}/sign?${new URLSearchParams({ ticket: access.ticket, way: 'cloud' })}`,
  onElsewhere,
})

const tokenOffer = ({ data, access, mark }: SignFormProps): TokenOffer => ({
  way: 'token',
  knowsHolder: data.action.participant.identifier !== null,
  begin: () => beginTokenSigning(access, mark),
  look: (id) => lookTokenSigning(access, id),
  cancel: (id) => cancelTokenSigning(access, id),
  testAddress: '/test-my-computer',
})
