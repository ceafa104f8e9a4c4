import type { Composition } from '@chancela/outbox/mail'
import type { InterfaceLanguage } from '@chancela/service-kernel/i18n'
import type { Hold } from '../../parts/holds.ts'
import type { HoldReason } from '../../rules/conditions.ts'
import type { FolderCondition } from '../../rules/folder-conditions.ts'
import { heldMessageIn } from '../../rules/job-reason.ts'
import { detailTexts } from '../../rules/reason-texts.ts'

/** A certificate that ends soon. */
export interface Expiring {
  readonly profile: string
  readonly holder: string
  readonly notAfter: Date
  readonly days: number
}

/** What can be held, and why. */
export type HeldKind = 'profile' | 'folder'
export type HeldReason = HoldReason | FolderCondition

/** What differs between the mails of a profile and of a folder. */
interface KindTexts {
  readonly label: string
  held(name: string): string
  /** How it ends. */
  readonly end: string
  resumed(name: string): string
  ended(since: string): string
}

interface NoticeTexts {
  held(what: HeldKind, hold: Hold<HeldReason>, waiting: number): Composition
  resumed(what: HeldKind, hold: Hold<HeldReason>): Composition
  expiring(certificate: Expiring): Composition
}

const atMinute = (date: Date): string => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`

const englishKinds: Readonly<Record<HeldKind, KindTexts>> = {
  profile: {
    label: 'Profile',
    held: (name) => `Profile ${name} is held: files wait`,
    end: 'No file fails by this. Signing goes on by itself when the cause is gone.',
    resumed: (name) => `Profile ${name} signs again`,
    ended: (since) => `It was held since ${since}. The files that waited are signed now.`,
  },
  folder: {
    label: 'Folder',
    held: (name) => `Folder ${name} is stopped: files wait`,
    end: 'No file fails by this; the other folders go on. This one goes on by itself when the cause is gone.',
    resumed: (name) => `Folder ${name} goes on`,
    ended: (since) => `It was stopped since ${since}. The files that waited are signed now.`,
  },
}

const portugueseKinds: Readonly<Record<HeldKind, KindTexts>> = {
  profile: {
    label: 'Perfil',
    held: (name) => `O perfil ${name} está retido: arquivos aguardam`,
    end: 'Nenhum arquivo falha por isso. A assinatura continua sozinha quando a causa passar.',
    resumed: (name) => `O perfil ${name} voltou a assinar`,
    ended: (since) => `Estava retido desde ${since}. Os arquivos que aguardavam são assinados agora.`,
  },
  folder: {
    label: 'Pasta',
    held: (name) => `A pasta ${name} está parada: arquivos aguardam`,
    end: 'Nenhum arquivo falha por isso; as outras pastas continuam. Esta continua sozinha quando a causa passar.',
    resumed: (name) => `A pasta ${name} voltou a funcionar`,
    ended: (since) => `Estava parada desde ${since}. Os arquivos que aguardavam são assinados agora.`,
  },
}

const english: NoticeTexts = {
  held: (what, hold, waiting) => ({
    subject: englishKinds[what].held(hold.name),
    blocks: [
      { kind: 'paragraph', text: detailTexts[hold.reason]['en-US'] },
      {
        kind: 'facts',
        rows: [
          [englishKinds[what].label, hold.name],
          ['Since', atMinute(hold.since)],
          ['Files waiting', String(waiting)],
          ['Detail', hold.message],
        ],
      },
      { kind: 'paragraph', text: englishKinds[what].end },
    ],
    footer: 'Notice of the batch signer.',
  }),
  resumed: (what, hold) => ({
    subject: englishKinds[what].resumed(hold.name),
    blocks: [{ kind: 'paragraph', text: englishKinds[what].ended(atMinute(hold.since)) }],
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
  held: (what, hold, waiting) => ({
    subject: portugueseKinds[what].held(hold.name),
    blocks: [
      { kind: 'paragraph', text: detailTexts[hold.reason]['pt-BR'] },
      {
        kind: 'facts',
        rows: [
          [portugueseKinds[what].label, hold.name],
          ['Desde', atMinute(hold.since)],
          ['Arquivos aguardando', String(waiting)],
          ['Detalhe', heldMessageIn('pt-BR', hold)],
        ],
      },
      { kind: 'paragraph', text: portugueseKinds[what].end },
    ],
    footer: 'Aviso do assinador em lote.',
  }),
  resumed: (what, hold) => ({
    subject: portugueseKinds[what].resumed(hold.name),
    blocks: [{ kind: 'paragraph', text: portugueseKinds[what].ended(atMinute(hold.since)) }],
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
