// An entry of the audit as the event it tells of, for exports.
import type { AuditEvent, EventChanges, EventText } from '@chancela/service-kernel/events'
import { type AuditKind, auditKinds } from '../contract/audit.ts'
import type { AuditEntryRow } from './tables.ts'

/** The sentences of `auditKinds` in Portuguese. */
const portuguese: Readonly<Record<AuditKind, string>> = {
  OrganizationCreated: 'A organização foi criada.',
  OrganizationChanged: 'Nome, fuso, cobrança ou regras da organização foram alterados.',
  OrganizationDeleted: 'A organização foi excluída.',
  UserAdded: 'Um usuário foi incluído.',
  UserChanged: 'Nome, endereço ou telefone de um usuário foram alterados.',
  UserRolesChanged: 'Um usuário recebeu outros papéis.',
  UserRemoved: 'Um usuário foi retirado.',
  InvitationSent: 'Um convite foi enviado a um usuário.',
  InvitationAccepted: 'Um usuário aceitou um convite.',
  AccountChanged: 'A administração da instância alterou a conta de um usuário.',
  ApplicationCreated: 'Uma aplicação foi criada.',
  ApiKeyCreated: 'Uma chave de aplicação foi criada.',
  ApiKeyRevoked: 'Uma chave de aplicação foi revogada.',
  WebhookCreated: 'Um webhook foi registrado.',
  WebhookChanged: 'Um webhook foi alterado.',
  WebhookSwitched: 'Um webhook foi ligado, pausado ou desligado.',
  WebhookSecretRotated: 'Um webhook recebeu outro segredo.',
  WebhookDeleted: 'Um webhook foi retirado.',
  SignedIn: 'Um usuário entrou.',
  SignInFailed: 'Alguém tentou entrar como um usuário com senha ou código errado.',
  SignInLocked: 'A conta de um usuário foi bloqueada por um tempo: muitas senhas ou códigos errados.',
  SignInRefused: 'O provedor de identidade indicou alguém sem conta nem convite.',
  OrganizationEntered: 'Um usuário já conectado passou a agir por esta organização.',
  SignedOut: 'Um usuário saiu.',
  SessionsEnded: 'Um usuário encerrou sessões em outros navegadores.',
  PasswordChanged: 'Um usuário trocou a senha.',
  PasswordResetRequested: 'Um link para nova senha foi enviado a um usuário.',
  PasswordReset: 'Um usuário escolheu nova senha pelo link.',
  SecondFactorSet: 'Um usuário configurou um aplicativo autenticador.',
  SecondFactorRemoved: 'O aplicativo autenticador de um usuário foi retirado.',
  RecoveryCodesMade: 'Um usuário fez novos códigos de recuperação.',
  RecoveryCodeUsed: 'Um usuário entrou com um código de recuperação.',
  FolderDeleted: 'Uma pasta foi excluída.',
  DocumentDeleted: 'Um documento foi excluído.',
  DocumentDownloaded: 'Um usuário abriu ou baixou um arquivo de um documento.',
  ActionUrlCreated: 'Um usuário pediu o endereço em que um participante age.',
  ActionUrlRevoked: 'Os endereços em que participantes agem foram revogados.',
  FolderCreated: 'Uma pasta foi criada.',
  FolderChanged: 'Uma pasta foi renomeada ou movida.',
  FlowCreated: 'Um fluxo foi salvo.',
  FlowChanged: 'Um fluxo salvo foi alterado.',
  FlowDeleted: 'Um fluxo salvo foi excluído.',
  TemplateCreated: 'Um modelo foi criado.',
  TemplateDeleted: 'Um modelo foi excluído.',
  GenerationCanceled: 'A geração de documentos foi cancelada.',
  DocumentCanceled: 'Um documento foi cancelado.',
  DocumentRefused: 'Um documento foi recusado pela organização.',
  WebhookTested: 'Um evento de teste foi enviado a um webhook.',
  WebhookReplayed: 'Entregas de um webhook foram reenviadas.',
  WebhookDeliveriesCanceled: 'Entregas pendentes de um webhook foram canceladas.',
  ReportRequested: 'Um relatório de documentos foi pedido.',
  AuditExported: 'A auditoria foi exportada em um arquivo.',
}

const texts = { 'en-US': auditKinds, 'pt-BR': portuguese } as const

const isKind = (type: string): type is AuditKind => Object.hasOwn(auditKinds, type)

/** A kind of another version is its name. */
const sentence = (type: string, language: keyof typeof texts, name: unknown): string => {
  const text = isKind(type) ? texts[language][type] : type
  return typeof name === 'string' ? `${text.replace(/\.$/, '')}: ${name}` : text
}

export function auditEventOf(row: AuditEntryRow): AuditEvent {
  const { organization_id, number, at, kind, actor_type, actor_id, actor_name, ip, hash } = row
  const { subject_kind, subject_id, subject_name, before, after } = row
  const actor = { type: actor_type, id: actor_id, name: actor_name }
  return {
    id: `${organization_id}/${number}`,
    at: new Date(at),
    type: kind,
    actor: actor_name ?? actor_id ?? actor_type,
    address: ip,
    ...(subject_kind !== null && { subject: { kind: subject_kind, id: subject_id! } }),
    text: sentence(kind, 'en-US', subject_name),
    data: { organizationId: organization_id, number, actor, subjectName: subject_name, hash },
    changes: before === null && after === null ? undefined : { before: fieldsIn(before), after: fieldsIn(after) },
  }
}

const fieldsIn = (text: string | null): EventChanges['before'] => (text === null ? {} : JSON.parse(text))

/** An entry's sentence in the reader's language; the service records nothing else. */
export const auditEventText: EventText = (language, { type, data = {} }) => {
  const { subjectName } = data
  return sentence(type, language, subjectName)
}
