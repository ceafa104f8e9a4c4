import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  AdministratorSignedIn: 'Signed in',
  SignInRefused: 'Sign-in refused',
  SignInLocked: 'Sign-in locked',
  AdministratorCreated: 'Administrator added',
  AdministratorRemoved: 'Administrator removed',
  AdministratorRoleChanged: 'Role of an administrator changed',
  SessionsEnded: 'Sessions ended',
  PasswordChanged: 'Password changed',
  SecondFactorSet: 'Authenticator app set up',
  SecondFactorReset: 'Authenticator app reset',
  RecoveryCodesMade: 'Recovery codes made',
  RecoveryCodeUsed: 'Recovery code used',
  ApplicationCreated: 'Application added',
  ApplicationDisabled: 'Application disabled',
  ApplicationEnabled: 'Application enabled',
  ApiKeyCreated: 'Key made',
  ApiKeyRevoked: 'Key revoked',
  AuditExported: 'Events exported',
} as const

/** Labels of the events that all consoles have in common. */
export const eventKinds: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    AdministratorSignedIn: 'Entrou',
    SignInRefused: 'Entrada recusada',
    SignInLocked: 'Entrada bloqueada',
    AdministratorCreated: 'Administrador adicionado',
    AdministratorRemoved: 'Administrador removido',
    AdministratorRoleChanged: 'Papel de administrador alterado',
    SessionsEnded: 'Sessões encerradas',
    PasswordChanged: 'Senha trocada',
    SecondFactorSet: 'Aplicativo autenticador configurado',
    SecondFactorReset: 'Aplicativo autenticador redefinido',
    RecoveryCodesMade: 'Códigos de recuperação criados',
    RecoveryCodeUsed: 'Código de recuperação usado',
    ApplicationCreated: 'Aplicação adicionada',
    ApplicationDisabled: 'Aplicação desativada',
    ApplicationEnabled: 'Aplicação ativada',
    ApiKeyCreated: 'Chave criada',
    ApiKeyRevoked: 'Chave revogada',
    AuditExported: 'Eventos exportados',
  },
}
