// What the events of the service say besides those of every console; `{name}` is a fact that is kept with the event.
import type { Bilingual } from '@chancela/service-kernel/i18n'
import type { OwnEventType } from '../contract/console-events.ts'

type Told = OwnEventType | 'ApplicationCreated' | 'ApplicationDisabled'

/** One sentence for each kind of event: one that is missing does not compile. */
export const ownEventTexts = {
  ApplicationCreated: {
    'en-US': 'The application {name} was made in the subscription {subscription}{roles}.',
    'pt-BR': 'A aplicação {name} foi criada na conta {subscription}{roles}.',
  },
  ApplicationDisabled: {
    'en-US': 'The application {name} was disabled.',
    'pt-BR': 'A aplicação {name} foi desativada.',
  },
  ApplicationDeleted: {
    'en-US': 'The application {name} was deleted, and its keys with it.',
    'pt-BR': 'A aplicação {name} foi excluída, e com ela as suas chaves.',
  },
  ApplicationRolesChanged: {
    'en-US': 'The application {name} has other roles in {place}{roles}.',
    'pt-BR': 'A aplicação {name} tem outros papéis {place}{roles}.',
  },
  DefaultMetadataChanged: {
    'en-US': 'The application {name} stamps other metadata on documents.',
    'pt-BR': 'A aplicação {name} carimba outros metadados nos documentos.',
  },
  SubscriptionCreated: {
    'en-US': 'The subscription {name} was made.',
    'pt-BR': 'A conta {name} foi criada.',
  },
  SubscriptionRenamed: {
    'en-US': 'The subscription {former} is named {name} now.',
    'pt-BR': 'A conta {former} agora se chama {name}.',
  },
  SubscriptionDisabled: {
    'en-US': 'The subscription {name} was disabled: nothing is done for it.',
    'pt-BR': 'A conta {name} foi desativada: nada é feito para ela.',
  },
  SubscriptionEnabled: {
    'en-US': 'The subscription {name} was enabled.',
    'pt-BR': 'A conta {name} foi ativada.',
  },
  SecurityContextCreated: {
    'en-US': 'The security context {name} was made in the subscription {subscription}.',
    'pt-BR': 'O contexto de segurança {name} foi criado na conta {subscription}.',
  },
  SecurityContextChanged: {
    'en-US': 'The security context {name} was changed.',
    'pt-BR': 'O contexto de segurança {name} foi alterado.',
  },
  SecurityContextDeleted: {
    'en-US': 'The security context {name} was deleted.',
    'pt-BR': 'O contexto de segurança {name} foi excluído.',
  },
  DefaultSecurityContextChanged: {
    'en-US': 'The default security context of the subscription {subscription} is {name} now.',
    'pt-BR': 'O contexto de segurança padrão da conta {subscription} agora é {name}.',
  },
  SignatureSessionCancelled: {
    'en-US': 'The signature session {session} of {application} was cancelled.',
    'pt-BR': 'A sessão de assinatura {session} de {application} foi cancelada.',
  },
  BioSubjectDeleted: {
    'en-US': 'The biometric data of the subject {subject} were deleted.',
    'pt-BR': 'Os dados biométricos do titular {subject} foram excluídos.',
  },
} as const satisfies Readonly<Record<Told, Bilingual>>

/** Parts of these sentences. */
export const ownEventParts = {
  'in-subscription': { 'en-US': 'the subscription {subscription}', 'pt-BR': 'na conta {subscription}' },
  'in-instance': { 'en-US': 'the instance', 'pt-BR': 'na instância' },
  'without-roles': { 'en-US': ', without roles', 'pt-BR': ', sem papéis' },
  'as-roles': { 'en-US': ' as {roles}', 'pt-BR': ' como {roles}' },
} as const satisfies Readonly<Record<string, Bilingual>>
