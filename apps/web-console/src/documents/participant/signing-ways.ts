import type { ParticipantAction } from '../api/types.ts'

export type SigningWay = 'file' | 'cloud' | 'token' | 'electronic'

type Asked = Pick<
  ParticipantAction['action'],
  'allowCertificate' | 'allowCloudCertificate' | 'allowToken' | 'allowElectronicSignature' | 'participant'
>

/**
 * The ways to sign that the action allows, the default first. Certificates are matched by CPF: a participant without
 * one most likely has no certificate, and must not be shown the form for its file first.
 */
export function signingWays(action: Asked): readonly SigningWay[] {
  const { allowElectronicSignature, participant } = action
  const certificates = certificateWays(action)
  if (!allowElectronicSignature) return certificates
  return participant.identifier === null ? ['electronic', ...certificates] : [...certificates, 'electronic']
}

const certificateWays = ({ allowCertificate, allowCloudCertificate, allowToken }: Asked): readonly SigningWay[] => [
  ...(allowCertificate ? ['file' as const] : []),
  ...(allowCloudCertificate ? ['cloud' as const] : []),
  ...(allowToken ? ['token' as const] : []),
]
