// What the events of every console say; `{name}` is a fact that is kept with the event.
import type { Bilingual } from '@chancela/service-kernel/i18n'
import type { CommonEventType } from './contract/index.ts'

/** One sentence for each kind of event: one that is missing does not compile. */
export const commonEventTexts = {
  AdministratorSignedIn: { 'en-US': '{email} signed in{how}.', 'pt-BR': '{email} entrou{how}.' },
  SignInRefused: {
    'en-US': '{email} is known to the identity provider, and no administrator here.',
    'pt-BR': '{email} é conhecido do provedor de identidade, mas não é administrador aqui.',
  },
  SignInLocked: {
    'en-US': '{email} cannot sign in for a while: too many wrong passwords or codes.',
    'pt-BR': '{email} não pode entrar por algum tempo: senhas ou códigos errados demais.',
  },
  AdministratorCreated: {
    'en-US': '{email} was made an administrator.',
    'pt-BR': '{email} tornou-se administrador.',
  },
  AdministratorRoleChanged: {
    'en-US': '{email} is {role} now.',
    'pt-BR': '{email} agora é {role}.',
  },
  AdministratorRemoved: {
    'en-US': '{email} is no administrator any more.',
    'pt-BR': '{email} não é mais administrador.',
  },
  SessionsEnded: {
    'en-US': '{email} was signed out in {browsers}.',
    'pt-BR': 'A sessão de {email} foi encerrada em {browsers}.',
  },
  PasswordChanged: { 'en-US': '{email} changed the password.', 'pt-BR': '{email} trocou a senha.' },
  SecondFactorSet: {
    'en-US': '{email} set an authenticator app up.',
    'pt-BR': '{email} configurou um aplicativo autenticador.',
  },
  SecondFactorReset: {
    'en-US': '{email} has no second factor any more.',
    'pt-BR': '{email} não tem mais segundo fator.',
  },
  PasskeyAdded: {
    'en-US': '{email} added the passkey {name}.',
    'pt-BR': '{email} acrescentou a chave de acesso {name}.',
  },
  PasskeyRenamed: {
    'en-US': '{email} renamed the passkey {name}.',
    'pt-BR': '{email} renomeou a chave de acesso {name}.',
  },
  PasskeyRemoved: {
    'en-US': '{email} removed the passkey {name}.',
    'pt-BR': '{email} removeu a chave de acesso {name}.',
  },
  RecoveryCodesMade: {
    'en-US': '{email} made new recovery codes.',
    'pt-BR': '{email} criou novos códigos de recuperação.',
  },
  RecoveryCodeUsed: {
    'en-US': '{email} used a recovery code.',
    'pt-BR': '{email} usou um código de recuperação.',
  },
  ApplicationCreated: { 'en-US': 'The application {name} was made.', 'pt-BR': 'A aplicação {name} foi criada.' },
  ApplicationDisabled: {
    'en-US': 'The application {name} was disabled: none of its keys is accepted.',
    'pt-BR': 'A aplicação {name} foi desativada: nenhuma de suas chaves é aceita.',
  },
  ApplicationEnabled: { 'en-US': 'The application {name} was enabled.', 'pt-BR': 'A aplicação {name} foi ativada.' },
  ApiKeyCreated: {
    'en-US': 'A key of {application} was made: {description}.',
    'pt-BR': 'Uma chave de {application} foi criada: {description}.',
  },
  ApiKeyRevoked: {
    'en-US': 'A key of {application} was revoked: {description}.',
    'pt-BR': 'Uma chave de {application} foi revogada: {description}.',
  },
  AuditExported: {
    'en-US': 'The events were exported as {format}.',
    'pt-BR': 'Os eventos foram exportados como {format}.',
  },
} as const satisfies Readonly<Record<CommonEventType, Bilingual>>

/** Parts of these sentences. */
export const commonEventParts = {
  'at-provider': { 'en-US': ' at the identity provider', 'pt-BR': ' pelo provedor de identidade' },
  'by-passkey': { 'en-US': ' with a passkey', 'pt-BR': ' com uma chave de acesso' },
  administrator: { 'en-US': 'an administrator', 'pt-BR': 'administrador' },
  auditor: { 'en-US': 'an auditor', 'pt-BR': 'auditor' },
  support: { 'en-US': 'of the support', 'pt-BR': 'do suporte' },
  'one-browser': { 'en-US': 'one browser', 'pt-BR': 'um navegador' },
  'some-browsers': { 'en-US': '{count} browsers', 'pt-BR': '{count} navegadores' },
} as const satisfies Readonly<Record<string, Bilingual>>
