import type { ParticipantAction } from '../api/types.ts'

export type Way = 'file' | 'cloud' | 'electronic'

type Asked = Pick<
  ParticipantAction['action'],
  'allowCertificate' | 'allowCloudCertificate' | 'allowElectronicSignature' | 'participant'
>

/**
 * The ways to sign that the action allows, the default first. Certificates are matched by CPF: a participant without
 * one most likely has no certificate, and must not be shown the form for its file first.
 */
export function signingWays(action: Asked): readonly Way[] {
  const { allowElectronicSignature, participant } = action
  const certificates = certificateWays(action)
  if (!allowElectronicSignature) return certificates
  return participant.identifier === null ? ['electronic', ...certificates] : [...certificates, 'electronic']
}

const certificateWays = ({ allowCertificate, allowCloudCertificate }: Asked): readonly Way[] => [
  ...(allowCertificate ? ['file' as const] : []),
  ...(allowCloudCertificate ? ['cloud' as const] : []),
]
