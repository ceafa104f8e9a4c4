import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/request.ts'
import { sendForm } from '../../shared/upload/send-form.ts'
import type {
  BegunCloudSigning,
  BegunTokenSigning,
  Mark,
  ParticipantAction,
  SignaturesInfo,
  StartedSignature,
  TokenSigningLook,
  ValidationResults,
} from './types.ts'

/** The credentials of a participant's page: the key of the document and the ticket of the action. */
export interface Access {
  readonly key: string
  readonly ticket: string
}

const byKey = (key: string) => `/api/documents/keys/${encodeURIComponent(key)}`

export const actionQuery = ({ key, ticket }: Access) =>
  queryOptions({
    queryKey: ['action', key, ticket],
    queryFn: ({ signal }) =>
      call<ParticipantAction>('GET', `${byKey(key)}/action?${new URLSearchParams({ ticket })}`, { signal }),
    // The page must not change while somebody reads it.
    refetchOnWindowFocus: false,
  })

/** Minutes east of Greenwich: a signature shows the signer's local time. */
const userTimeZoneOffset = () => -new Date().getTimezoneOffset()

/** Gets the hash to sign; only the certificate is sent. */
export const startSignature = ({ key, ticket }: Access, certificate: string, signaturePosition: Mark | undefined) =>
  call<StartedSignature>('POST', `${byKey(key)}/signature/certificate`, {
    body: {
      ticket,
      certificate,
      userTimeZoneOffset: userTimeZoneOffset(),
      ...(signaturePosition && { signaturePosition }),
    },
    timeoutSeconds: 60,
  })

export const completeSignature = (key: string, token: string, signature: string) =>
  call<{ success: boolean; validationResults: ValidationResults | null }>('POST', `${byKey(key)}/signature`, {
    body: { token, signature },
    timeoutSeconds: 60,
  })

/** Gets the address at which the holder of a cloud certificate chooses the provider. */
export const beginCloudSigning = ({ key, ticket }: Access, signaturePosition: Mark | undefined) =>
  call<BegunCloudSigning>('POST', `${byKey(key)}/signature/cloud`, {
    body: { ticket, userTimeZoneOffset: userTimeZoneOffset(), ...(signaturePosition && { signaturePosition }) },
    timeoutSeconds: 60,
  })

/** Asks for a token of the participant: gives the code that joins a computer. */
export const beginTokenSigning = ({ key, ticket }: Access, signaturePosition: Mark | undefined) =>
  call<BegunTokenSigning>('POST', `${byKey(key)}/signature/token`, {
    body: { ticket, userTimeZoneOffset: userTimeZoneOffset(), ...(signaturePosition && { signaturePosition }) },
  })

/** What became of it; the look that finds the approval signs, and takes as long as the token does. */
export const lookTokenSigning = ({ key, ticket }: Access, id: string) =>
  call<TokenSigningLook>('POST', `${byKey(key)}/signature/token/${id}`, { body: { ticket }, timeoutSeconds: 120 })

export const cancelTokenSigning = ({ key, ticket }: Access, id: string) =>
  call<unknown>('DELETE', `${byKey(key)}/signature/token/${id}?${new URLSearchParams({ ticket })}`)

export const sendCode = ({ key, ticket }: Access) =>
  call<{ sentTo: string; expiresAt: string }>('POST', `${byKey(key)}/authentication-code`, { body: { ticket } })

export const renewLink = ({ key, ticket }: Access) =>
  call<{ sentTo: string }>('POST', `${byKey(key)}/action-link`, { body: { ticket } })

export const signElectronically = (
  { key, ticket }: Access,
  emailCode: string | undefined,
  signaturePosition: Mark | undefined,
) =>
  call<unknown>('POST', `${byKey(key)}/electronic-signature`, {
    body: {
      ticket,
      userTimeZoneOffset: userTimeZoneOffset(),
      ...(emailCode && { emailCode }),
      ...(signaturePosition && { signaturePosition }),
    },
    timeoutSeconds: 60,
  })

export const approve = ({ key, ticket }: Access, emailCode: string | undefined) =>
  call<unknown>('POST', `${byKey(key)}/approval`, { body: { ticket, ...(emailCode && { emailCode }) } })

export const refuse = ({ key, ticket }: Access, reason: string, emailCode: string | undefined) =>
  call<unknown>('POST', `${byKey(key)}/refusal`, { body: { ticket, reason, ...(emailCode && { emailCode }) } })

/** Sends a file for a verdict; the service does not keep it. */
export function judgeFile(file: File): Promise<{ sha256: string; signers: SignaturesInfo['signers'] }> {
  const form = new FormData()
  form.set('file', file, file.name)
  return sendForm('/api/validation', form)
}

export const signaturesQuery = (key: string) =>
  queryOptions({
    queryKey: ['signatures', key],
    queryFn: ({ signal }) => call<SignaturesInfo>('GET', `${byKey(key)}/signatures`, { signal, timeoutSeconds: 60 }),
    refetchOnWindowFocus: false,
  })
