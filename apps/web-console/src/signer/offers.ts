import { CertificateRejected } from '../shared/signing/certificate-rejected.ts'
import type { CloudOffer, FileOffer, Offer, TokenOffer } from '../shared/signing/offers.ts'
import {
  beginCloud,
  beginToken,
  cancelToken,
  lookToken,
  type Prepared,
  type Session,
  SessionProblem,
  setCertificate,
  submitSignatures,
  windowAddress,
} from './session-api.ts'

type Asked = Pick<Session, 'allowCloudCertificate' | 'allowToken' | 'certificateRequirements'>

/** What the session offers to sign with: what this instance has, and what the requirements leave. */
export function offersOf({ allowCloudCertificate, allowToken, certificateRequirements }: Asked): readonly Offer[] {
  const isAsked = (type: string) => certificateRequirements.some((one) => one.type === type)
  const elsewhere = [
    ...(allowCloudCertificate ? [cloudOffer()] : []),
    ...(allowToken ? [tokenOffer(isAsked('Cpf'))] : []),
  ]
  // The key of a certificate that must be in a device is in no file.
  return isAsked('CryptoDevice') && elsewhere.length > 0 ? elsewhere : [fileOffer(), ...elsewhere]
}

/** What signs is all documents of the session, in one round. */
function fileOffer(): FileOffer {
  let prepared: Prepared | undefined
  return {
    way: 'file',
    async prepare(certificate) {
      prepared = await setCertificate(certificate)
      if (!prepared.success) throw rejected(prepared)
      return prepared.documents.map(({ toSignHash }) => ({ hash: toSignHash.value, digestAlgorithm: 'SHA-256' }))
    },
    async complete(signatures) {
      const { state, documents } = prepared!
      const given = documents.map(({ id }, index) => ({ documentId: id, signature: signatures[index]! }))
      await submitSignatures(state!, given)
    },
  }
}

const rejected = ({ failure, validationResults }: Prepared): Error =>
  failure === 'CertificateRequirementNotMet'
    ? new SessionProblem(failure)
    : new CertificateRejected(validationResults, document.documentElement.lang)

const cloudOffer = (): CloudOffer => ({
  way: 'cloud',
  begin: async () => (await beginCloud()).url,
  windowAddress: windowAddress(),
})

const tokenOffer = (knowsHolder: boolean): TokenOffer => ({
  way: 'token',
  knowsHolder,
  begin: beginToken,
  look: lookToken,
  cancel: cancelToken,
})
