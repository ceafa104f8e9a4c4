import type { Composition } from '@chancela/outbox/mail'
import type { InterfaceLanguage } from '@chancela/service-kernel/i18n'
import type { Hold } from '../../parts/signing/profile-holds.ts'
import type { HoldReason } from '../../rules/conditions.ts'

/** A certificate that ends soon. */
export interface Expiring {
  readonly profile: string
  readonly holder: string
  readonly notAfter: Date
  readonly days: number
}

interface NoticeTexts {
  readonly reasons: Readonly<Record<HoldReason, string>>
  held(hold: Hold, waiting: number): Composition
  resumed(hold: Hold): Composition
  expiring(certificate: Expiring): Composition
}

const atMinute = (date: Date): string => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`

const english: NoticeTexts = {
  reasons: {
    'key-missing': 'The profile has no certificate.',
    'key-unavailable': 'The key of the profile cannot be opened.',
    'token-unavailable': 'The token does not answer or is not there.',
    'pin-refused': 'The token does not accept the PIN. It is not tried again until somebody says so.',
    'certificate-expired': 'The certificate has expired.',
    'certificate-not-yet-valid': 'The validity of the certificate has not begun.',
    'certificate-revoked': 'The certificate was revoked.',
    'certificate-suspended': 'The certificate is suspended.',
    'certificate-refused': 'The certificate is not accepted for signing.',
    'revocation-unanswered': 'Nobody answers whether the certificate is revoked.',
    'timestamp-unavailable': 'The timestamp authority gives no timestamp.',
  },
  held: (hold, waiting) => ({
    subject: `Profile ${hold.profile} is held: files wait`,
    blocks: [
      { kind: 'paragraph', text: english.reasons[hold.reason] },
      {
        kind: 'facts',
        rows: [
          ['Profile', hold.profile],
          ['Since', atMinute(hold.since)],
          ['Files waiting', String(waiting)],
          ['Detail', hold.message],
        ],
      },
      { kind: 'paragraph', text: 'No file fails by this. Signing goes on by itself when the cause is gone.' },
    ],
    footer: 'Notice of the batch signer.',
  }),
  resumed: (hold) => ({
    subject: `Profile ${hold.profile} signs again`,
    blocks: [
      { kind: 'paragraph', text: `It was held since ${atMinute(hold.since)}. The files that waited are signed now.` },
    ],
    footer: 'Notice of the batch signer.',
  }),
  expiring: ({ profile, holder, notAfter, days }) => ({
    subject:
      days === 1
        ? `The certificate of ${profile} expires within a day`
        : `The certificate of ${profile} expires in ${days} days`,
    blocks: [
      {
        kind: 'facts',
        rows: [
          ['Profile', profile],
          ['Holder', holder],
          ['Valid until', atMinute(notAfter)],
        ],
      },
      { kind: 'paragraph', text: 'Replace it on the page of the profile before then; afterwards its files wait.' },
    ],
    footer: 'Notice of the batch signer.',
  }),
}

const portuguese: NoticeTexts = {
  reasons: {
    'key-missing': 'O perfil não tem certificado.',
    'key-unavailable': 'A chave do perfil não pode ser aberta.',
    'token-unavailable': 'O token não responde ou não está conectado.',
    'pin-refused': 'O token não aceita o PIN. Ele não será tentado de novo até que alguém mande.',
    'certificate-expired': 'O certificado expirou.',
    'certificate-not-yet-valid': 'A validade do certificado ainda não começou.',
    'certificate-revoked': 'O certificado foi revogado.',
    'certificate-suspended': 'O certificado está suspenso.',
    'certificate-refused': 'O certificado não é aceito para assinar.',
    'revocation-unanswered': 'Ninguém responde se o certificado está revogado.',
    'timestamp-unavailable': 'A autoridade de carimbo do tempo não fornece carimbos.',
  },
  held: (hold, waiting) => ({
    subject: `O perfil ${hold.profile} está retido: arquivos aguardam`,
    blocks: [
      { kind: 'paragraph', text: portuguese.reasons[hold.reason] },
      {
        kind: 'facts',
        rows: [
          ['Perfil', hold.profile],
          ['Desde', atMinute(hold.since)],
          ['Arquivos aguardando', String(waiting)],
          ['Detalhe', hold.message],
        ],
      },
      {
        kind: 'paragraph',
        text: 'Nenhum arquivo falha por isso. A assinatura continua sozinha quando a causa passar.',
      },
    ],
    footer: 'Aviso do assinador em lote.',
  }),
  resumed: (hold) => ({
    subject: `O perfil ${hold.profile} voltou a assinar`,
    blocks: [
      {
        kind: 'paragraph',
        text: `Estava retido desde ${atMinute(hold.since)}. Os arquivos que aguardavam são assinados agora.`,
      },
    ],
    footer: 'Aviso do assinador em lote.',
  }),
  expiring: ({ profile, holder, notAfter, days }) => ({
    subject:
      days === 1
        ? `O certificado de ${profile} expira em um dia`
        : `O certificado de ${profile} expira em ${days} dias`,
    blocks: [
      {
        kind: 'facts',
        rows: [
          ['Perfil', profile],
          ['Titular', holder],
          ['Válido até', atMinute(notAfter)],
        ],
      },
      { kind: 'paragraph', text: 'Troque-o na página do perfil antes disso; depois, os arquivos do perfil aguardam.' },
    ],
    footer: 'Aviso do assinador em lote.',
  }),
}

/** The mails to operators, by language. */
export const noticeTexts: Readonly<Record<InterfaceLanguage, NoticeTexts>> = { 'en-US': english, 'pt-BR': portuguese }
