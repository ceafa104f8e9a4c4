import type { Block, Composition } from '@chancela/outbox/mail'
import { formatDate, type InterfaceLanguage } from '@chancela/service-kernel/i18n'
import type { ApproverMailKind } from '../../rules/approver-notice.ts'

/** A file that a mail names. */
export interface NamedFile {
  readonly fileName: string
  readonly profileName: string
  readonly expiresAt: Date | undefined
  /** As people write it; undefined unless amounts are told. */
  readonly amount: string | undefined
  readonly rejection: { readonly by: string; readonly reason: string | null } | undefined
}

/** What a mail to an approver says. */
export interface ApproverNotice {
  readonly kind: ApproverMailKind
  /** Of files, named or not. */
  readonly count: number
  /** When the first of them ends. */
  readonly firstEnd: Date | undefined
  /** Empty unless details are told. */
  readonly named: readonly NamedFile[]
  readonly timeZone: string
  readonly portalUrl: string
}

interface Texts {
  readonly subjects: Readonly<Record<ApproverMailKind, (count: number) => string>>
  readonly explanations: Readonly<Record<ApproverMailKind, string>>
  readonly files: string
  readonly firstEnd: string
  until(time: string): string
  rejected(by: string, reason: string | null): string
  more(count: number): string
  readonly open: string
  readonly hint: string
  readonly footer: string
}

const files = (count: number): string => (count === 1 ? '1 file' : `${count} files`)
const arquivos = (count: number): string => (count === 1 ? '1 arquivo' : `${count} arquivos`)

const texts: Readonly<Record<InterfaceLanguage, Texts>> = {
  'en-US': {
    subjects: {
      Waiting: (count) => `${files(count)} ${count === 1 ? 'waits' : 'wait'} for your approval`,
      Reminder: (count) => `The time to approve ${files(count)} is almost over`,
      Expired: (count) => `${files(count)} expired without a decision`,
      Rejected: (count) => `${files(count)} ${count === 1 ? 'was' : 'were'} rejected`,
      Digest: (count) => `Today ${files(count)} ${count === 1 ? 'waits' : 'wait'} for your approval`,
    },
    explanations: {
      Waiting: 'They are signed once enough people have approved. Look at them and decide in the portal.',
      Reminder: 'Without enough approvals until then they are not signed.',
      Expired: 'Not enough people approved in time. They are not signed.',
      Rejected: 'One rejection is enough: they are not signed.',
      Digest: 'Look at them and decide in the portal.',
    },
    files: 'Files',
    firstEnd: 'First deadline',
    until: (time) => `until ${time}`,
    rejected: (by, reason) => (reason === null ? `rejected by ${by}` : `rejected by ${by}: ${reason}`),
    more: (count) => `And ${count} more.`,
    open: 'Open the portal',
    hint: 'If the button does not work, open this address:',
    footer: 'You get this mail because you are among the approvers of a signing profile.',
  },
  'pt-BR': {
    subjects: {
      Waiting: (count) => `${arquivos(count)} ${count === 1 ? 'aguarda' : 'aguardam'} sua aprovação`,
      Reminder: (count) => `O prazo para aprovar ${arquivos(count)} está acabando`,
      Expired: (count) => `${arquivos(count)} ${count === 1 ? 'expirou' : 'expiraram'} sem decisão`,
      Rejected: (count) => `${arquivos(count)} ${count === 1 ? 'foi rejeitado' : 'foram rejeitados'}`,
      Digest: (count) => `Hoje ${arquivos(count)} ${count === 1 ? 'aguarda' : 'aguardam'} sua aprovação`,
    },
    explanations: {
      Waiting: 'A assinatura acontece quando houver aprovações suficientes. Consulte e decida no portal.',
      Reminder: 'Sem aprovações suficientes até lá, não haverá assinatura.',
      Expired: 'Não houve aprovações suficientes no prazo. Não haverá assinatura.',
      Rejected: 'Uma rejeição basta: não haverá assinatura.',
      Digest: 'Consulte e decida no portal.',
    },
    files: 'Arquivos',
    firstEnd: 'Primeiro prazo',
    until: (time) => `até ${time}`,
    rejected: (by, reason) => (reason === null ? `rejeitado por ${by}` : `rejeitado por ${by}: ${reason}`),
    more: (count) => `E mais ${count}.`,
    open: 'Abrir o portal',
    hint: 'Se o botão não funcionar, abra este endereço:',
    footer: 'Você recebe este e-mail por estar entre os aprovadores de um perfil de assinatura.',
  },
}

/** Kinds that tell of a time that is still to come. */
const withDeadline: readonly ApproverMailKind[] = ['Waiting', 'Reminder', 'Digest']

/** The mail in a language. */
export function approverMail(language: InterfaceLanguage, notice: ApproverNotice): Composition {
  const said = texts[language]
  const { kind, count, named, portalUrl } = notice
  const left = count - named.length
  return {
    subject: said.subjects[kind](count),
    blocks: [
      { kind: 'paragraph', text: said.explanations[kind] },
      { kind: 'facts', rows: factsOf(said, language, notice) },
      ...(named.length > 0 && left > 0 ? [{ kind: 'paragraph', text: said.more(left) } satisfies Block] : []),
      { kind: 'button', text: said.open, url: portalUrl, hint: said.hint },
    ],
    footer: said.footer,
  }
}

function factsOf(
  said: Texts,
  language: InterfaceLanguage,
  { kind, count, firstEnd, named, timeZone }: ApproverNotice,
): readonly (readonly [string, string])[] {
  const isAhead = withDeadline.includes(kind)
  const time = (moment: Date) => formatDate(moment, language, timeZone)
  if (named.length > 0)
    return named.map(({ fileName, profileName, expiresAt, amount, rejection }) => [
      fileName,
      [
        profileName,
        amount,
        isAhead && expiresAt && said.until(time(expiresAt)),
        rejection && said.rejected(rejection.by, rejection.reason),
      ]
        .filter(Boolean)
        .join(', '),
    ])
  return [[said.files, String(count)], ...(isAhead && firstEnd ? [[said.firstEnd, time(firstEnd)] as const] : [])]
}
