import { eventKinds as ofEveryConsole } from '../../console/texts/event-kinds.ts'
import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  ...ofEveryConsole['en-US'],
  ApplicationDeleted: 'Application deleted',
  ApplicationRolesChanged: 'Roles of an application changed',
  DefaultMetadataChanged: 'Metadata of an application changed',
  SubscriptionCreated: 'Subscription made',
  SubscriptionRenamed: 'Subscription renamed',
  SubscriptionDisabled: 'Subscription disabled',
  SubscriptionEnabled: 'Subscription enabled',
  SecurityContextCreated: 'Security context made',
  SecurityContextChanged: 'Security context changed',
  SecurityContextDeleted: 'Security context deleted',
  DefaultSecurityContextChanged: 'Default security context changed',
  SignatureSessionCancelled: 'Signature session ended by an administrator',
  BioSubjectDeleted: 'Biometric data deleted',
} as const

/** Every kind of event of the service, in words. */
export const eventKinds: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    ...ofEveryConsole['pt-BR'],
    ApplicationDeleted: 'Aplicação excluída',
    ApplicationRolesChanged: 'Papéis de uma aplicação alterados',
    DefaultMetadataChanged: 'Metadados de uma aplicação alterados',
    SubscriptionCreated: 'Conta criada',
    SubscriptionRenamed: 'Conta renomeada',
    SubscriptionDisabled: 'Conta desativada',
    SubscriptionEnabled: 'Conta ativada',
    SecurityContextCreated: 'Contexto de segurança criado',
    SecurityContextChanged: 'Contexto de segurança alterado',
    SecurityContextDeleted: 'Contexto de segurança excluído',
    DefaultSecurityContextChanged: 'Contexto de segurança padrão alterado',
    SignatureSessionCancelled: 'Sessão de assinatura encerrada por um administrador',
    BioSubjectDeleted: 'Dados biométricos excluídos',
  },
}
