import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  product: 'Signing sessions',
  nav: {
    overview: 'Overview',
    applications: 'Applications',
    certificates: 'Certificates',
    workstations: 'Workstations',
    sessions: 'Sessions',
    history: 'History',
    signatures: 'Signatures',
    lockouts: 'PIN lockouts',
    administrators: 'Administrators',
    events: 'Events',
  },
  cpf: 'CPF',
  wrongCpf: 'This is not a CPF. Compare the digits.',
  verdict: {
    ACTIVE: 'Active',
    EXPIRED: 'Expired',
    REVOKED: 'Revoked',
    UNTRUSTED: 'Not trusted',
    STALE: 'Not checked lately',
  },
  custody: { vault: 'Vault', workstation: 'Workstation', token: 'Token of the server' },
  signatureState: {
    Sending: 'Sending',
    Accepted: 'Accepted',
    Signed: 'Signed',
    Canceled: 'Canceled',
    Failed: 'Failed',
    Unknown: 'Unknown',
  },
  workstationState: {
    waiting: 'Waiting for its agent',
    outdated: 'To be enrolled again',
    online: 'Online',
    offline: 'Offline',
    revoked: 'Revoked',
  },
} as const

/** The texts of the frame and of what several pages share. */
export const commonTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    product: 'Sessões de assinatura',
    nav: {
      overview: 'Visão geral',
      applications: 'Aplicações',
      certificates: 'Certificados',
      workstations: 'Estações',
      sessions: 'Sessões',
      history: 'Histórico',
      signatures: 'Assinaturas',
      lockouts: 'Bloqueios de PIN',
      administrators: 'Administradores',
      events: 'Eventos',
    },
    cpf: 'CPF',
    wrongCpf: 'Isto não é um CPF. Confira os dígitos.',
    verdict: {
      ACTIVE: 'Ativo',
      EXPIRED: 'Expirado',
      REVOKED: 'Revogado',
      UNTRUSTED: 'Não confiável',
      STALE: 'Sem verificação recente',
    },
    custody: { vault: 'Cofre', workstation: 'Estação', token: 'Token do servidor' },
    signatureState: {
      Sending: 'Enviando',
      Accepted: 'Aceita',
      Signed: 'Assinada',
      Canceled: 'Cancelada',
      Failed: 'Falhou',
      Unknown: 'Desconhecida',
    },
    workstationState: {
      waiting: 'Aguardando o agente',
      outdated: 'Registrar de novo',
      online: 'Online',
      offline: 'Offline',
      revoked: 'Revogada',
    },
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    sessions: typeof english
  }
}
