import { eventKinds as ofEveryConsole } from '../../console/texts/event-kinds.ts'
import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  ...ofEveryConsole['en-US'],
  CertificateImported: 'Certificate imported',
  CertificateReplaced: 'Certificate replaced',
  CertificatePinSet: 'PIN of a certificate set',
  CertificateRemoved: 'Certificate removed',
  CertificateVerdictChanged: 'Certificate judged otherwise',
  WorkstationCreated: 'Workstation added',
  WorkstationChanged: 'Workstation changed',
  WorkstationEnrolled: 'Workstation enrolled',
  WorkstationRevoked: 'Workstation revoked',
  WorkstationOutdated: 'Workstation to be enrolled again',
  EnrolmentCodeCreated: 'Enrolment code made',
  ApprovalSigned: 'Signature approved at a workstation',
  ApprovalDeclined: 'Signature declined at a workstation',
  SessionEnded: 'Session ended',
  CpfLocked: 'CPF locked',
  LockoutCleared: 'PIN lockout cleared',
} as const

/** Every kind of event of the service, in words. */
export const eventKinds: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    ...ofEveryConsole['pt-BR'],
    CertificateImported: 'Certificado importado',
    CertificateReplaced: 'Certificado substituído',
    CertificatePinSet: 'PIN de um certificado definido',
    CertificateRemoved: 'Certificado removido',
    CertificateVerdictChanged: 'Certificado julgado de outro modo',
    WorkstationCreated: 'Estação adicionada',
    WorkstationChanged: 'Estação alterada',
    WorkstationEnrolled: 'Estação registrada',
    WorkstationRevoked: 'Estação revogada',
    WorkstationOutdated: 'Estação a registrar de novo',
    EnrolmentCodeCreated: 'Código de registro criado',
    ApprovalSigned: 'Assinatura aprovada em uma estação',
    ApprovalDeclined: 'Assinatura recusada em uma estação',
    SessionEnded: 'Sessão encerrada',
    CpfLocked: 'CPF bloqueado',
    LockoutCleared: 'Bloqueio de PIN limpo',
  },
}
