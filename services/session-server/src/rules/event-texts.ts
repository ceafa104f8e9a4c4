// What the events of the service say besides those of every console; `{name}` is a fact that is kept with the event.
import type { Bilingual } from '@chancela/service-kernel/i18n'
import type { CertificateStatus } from '../contract/common.ts'
import type { OwnEventType } from '../contract/console-events.ts'

/** One sentence for each kind of event: one that is missing does not compile. */
export const ownEventTexts = {
  CertificateImported: {
    'en-US': 'A certificate was taken into the vault: {holder}.',
    'pt-BR': 'Um certificado foi guardado no cofre: {holder}.',
  },
  CertificateReplaced: {
    'en-US': 'A certificate took the place of another in the vault: {holder}.',
    'pt-BR': 'Um certificado tomou o lugar de outro no cofre: {holder}.',
  },
  CertificateRemoved: {
    'en-US': 'A certificate was taken out of the vault: {holder}.',
    'pt-BR': 'Um certificado foi retirado do cofre: {holder}.',
  },
  CertificatePinSet: {
    'en-US': 'The PIN of a certificate on the token {token} was set: {holder}.',
    'pt-BR': 'O PIN de um certificado no token {token} foi definido: {holder}.',
  },
  CertificateVerdictChanged: {
    'en-US': 'The certificate is {status}, after {former}.{reason}',
    'pt-BR': 'O certificado está {status}; antes: {former}.{reason}',
  },
  WorkstationCreated: {
    'en-US': 'The workstation {name} was added for {cpfs}.',
    'pt-BR': 'A estação {name} foi acrescentada para {cpfs}.',
  },
  WorkstationChanged: {
    'en-US': 'The workstation {name} may offer certificates of {cpfs}.',
    'pt-BR': 'A estação {name} pode oferecer certificados de {cpfs}.',
  },
  WorkstationEnrolled: {
    'en-US': 'An agent enrolled with the code of the workstation {name}.',
    'pt-BR': 'Um agente se registrou com o código da estação {name}.',
  },
  WorkstationRevoked: { 'en-US': '{name} was revoked.', 'pt-BR': 'A estação {name} foi revogada.' },
  WorkstationOutdated: {
    'en-US': 'The workstation {name} has to be enrolled again with a new code: its enrolment is of before.',
    'pt-BR': 'A estação {name} precisa ser registrada de novo, com um novo código: o registro dela é antigo.',
  },
  EnrolmentCodeCreated: {
    'en-US': 'A code was made to enrol the workstation {name}.',
    'pt-BR': 'Um código foi criado para registrar a estação {name}.',
  },
  ApprovalSigned: {
    'en-US': '{holder} approved and signed {what} for {site}.',
    'pt-BR': '{holder} aprovou e assinou {what} para {site}.',
  },
  ApprovalDeclined: {
    'en-US': 'The signature of {what} for {site} was declined at a workstation.',
    'pt-BR': 'A assinatura de {what} para {site} foi recusada em uma estação.',
  },
  SessionEnded: {
    'en-US': 'A session of the CPF {cpf} was ended.',
    'pt-BR': 'Uma sessão do CPF {cpf} foi encerrada.',
  },
  CpfLocked: {
    'en-US': 'Too many wrong PINs: no session is opened for the CPF {cpf} for a while.',
    'pt-BR': 'PINs errados demais: por algum tempo nenhuma sessão é aberta para o CPF {cpf}.',
  },
  LockoutCleared: {
    'en-US': 'The wrong PINs of the CPF {cpf} were forgotten.',
    'pt-BR': 'Os PINs errados do CPF {cpf} foram esquecidos.',
  },
} as const satisfies Readonly<Record<OwnEventType, Bilingual>>

const statusTexts = {
  'status-ACTIVE': { 'en-US': 'ACTIVE', 'pt-BR': 'ativo' },
  'status-EXPIRED': { 'en-US': 'EXPIRED', 'pt-BR': 'expirado' },
  'status-REVOKED': { 'en-US': 'REVOKED', 'pt-BR': 'revogado' },
  'status-UNTRUSTED': { 'en-US': 'UNTRUSTED', 'pt-BR': 'não confiável' },
  'status-STALE': { 'en-US': 'STALE', 'pt-BR': 'sem verificação recente' },
} as const satisfies Readonly<Record<`status-${CertificateStatus}`, Bilingual>>

/** Parts of these sentences. */
export const ownEventParts = {
  ...statusTexts,
  because: { 'en-US': ' {reason}', 'pt-BR': ' {reason}' },
  'a-test': { 'en-US': 'a test', 'pt-BR': 'um teste' },
  'one-document': { 'en-US': '1 document', 'pt-BR': '1 documento' },
  'some-documents': { 'en-US': '{count} documents', 'pt-BR': '{count} documentos' },
} as const satisfies Readonly<Record<string, Bilingual>>
