// Signing sessions (spec 1 A).
import { Flag, Text } from '@chancela/admin-console/contract'
import Type from 'typebox'
import { CertificateStatus, Cpf, SessionId, Time } from './common.ts'

const window = {
  expiresIn: Type.Integer({ minimum: 0, description: 'Seconds of window actually granted; never null.' }),
  expiresAt: Time,
}

export const createSession = {
  method: 'POST',
  path: '/v1/sessions',
  operationId: 'createSession',
  summary: 'Opens a signing session with the certificate that confirms the PIN.',
  description:
    'The vault is tried first, then tokens of the server, then the workstations that hold a certificate of the CPF. Where none of them knows the PIN, the holder is asked at the workstation and this request stays open meanwhile. An earlier session of the CPF is replaced.',
  tags: ['Sessions'],
  body: Type.Object(
    {
      cpf: Cpf,
      pin: Type.String({ minLength: 1, maxLength: 256, description: 'The PIN of the certificate.' }),
      sessionDuration: Type.Optional(
        Type.Integer({
          minimum: 1,
          description: 'Seconds without signing after which it ends; more than allowed is cut.',
        }),
      ),
      email: Type.Optional(
        Type.String({ maxLength: 254, format: 'email', description: 'Used when the certificate names no address.' }),
      ),
    },
    { $id: 'CreateSessionRequest' },
  ),
  status: 201,
  answer: Type.Object({ sessionId: SessionId, cpf: Cpf, ...window }, { $id: 'Session' }),
  refusals: [
    'CERT_NOT_FOUND',
    'CERT_NOT_ACTIVE',
    'INVALID_PIN',
    'PIN_NOT_AVAILABLE',
    'WORKSTATION_OFFLINE',
    'TOO_MANY_PIN_ATTEMPTS',
  ],
} as const

export const readSessionStatus = {
  method: 'GET',
  path: '/v1/sessions/status',
  operationId: 'readSessionStatus',
  summary: 'Whether a session is active. Never extends it.',
  tags: ['Sessions'],
  query: Type.Object({ sessionId: Type.String({ minLength: 1 }) }),
  answer: Type.Object({ active: Flag, sessionId: SessionId, ...window }, { $id: 'SessionStatus' }),
} as const

export const deactivateSession = {
  method: 'POST',
  path: '/v1/sessions/deactivate',
  operationId: 'deactivateSession',
  summary: 'Ends a session and drops the secret it rested on.',
  tags: ['Sessions'],
  body: Type.Object({ sessionId: Type.String({ minLength: 1 }) }, { $id: 'DeactivateSessionRequest' }),
  answer: Type.Object({ cpf: Cpf, sessionId: SessionId, active: Flag, endedAt: Time }, { $id: 'EndedSession' }),
  refusals: ['SESSION_EXPIRED'],
} as const

export const readCertificateInfo = {
  method: 'GET',
  path: '/v1/certificates/info',
  operationId: 'readCertificateInfo',
  summary: 'The certificate a session rests on, as last recorded. Never extends the session.',
  tags: ['Certificates'],
  query: Type.Object({ sessionId: Type.String({ minLength: 1 }) }),
  answer: Type.Object(
    {
      cpf: Type.String({ description: 'Of the certificate’s subject; need not be that of the session.' }),
      subjectName: Text,
      issuer: Text,
      serialNumber: Text,
      notBefore: Time,
      notAfter: Time,
      status: CertificateStatus,
    },
    { $id: 'CertificateInfo' },
  ),
  refusals: ['SESSION_EXPIRED', 'CERT_NOT_FOUND', 'CERT_DATA_UNAVAILABLE'],
} as const
