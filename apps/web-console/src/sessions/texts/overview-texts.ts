import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  title: 'Overview',
  now: 'Now',
  liveSessions: 'Live sessions',
  allowance: 'each ends after {{count}} signing calls',
  noAllowance: 'without a limit of signatures',
  online: 'Workstations online',
  workstationsHint: '{{offline}} offline, {{waiting}} waiting for their agent',
  locked: 'Locked CPFs',
  lockedHint: 'too many wrong PINs',
  signer: 'Signature service',
  reachable: 'Reachable',
  unreachable: 'Not reachable',
  unreachableHint: 'Nothing can be signed until it answers again.',
  today: 'Signatures of today',
  signed: 'Signed today',
  failed: 'Failed or canceled today',
  sinceMidnight: 'since midnight',
  certificates: 'Certificates',
  expiring: 'Expire within 30 days',
  expiringHint: 'soonest first',
} as const

/** The texts of the first page. */
export const overviewTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    title: 'Visão geral',
    now: 'Agora',
    liveSessions: 'Sessões ativas',
    allowance: 'cada uma termina após {{count}} chamadas de assinatura',
    noAllowance: 'sem limite de assinaturas',
    online: 'Estações online',
    workstationsHint: '{{offline}} offline, {{waiting}} aguardando o agente',
    locked: 'CPFs bloqueados',
    lockedHint: 'PINs errados demais',
    signer: 'Serviço de assinatura',
    reachable: 'Acessível',
    unreachable: 'Inacessível',
    unreachableHint: 'Nada pode ser assinado até que ele volte a responder.',
    today: 'Assinaturas de hoje',
    signed: 'Assinadas hoje',
    failed: 'Falhas e cancelamentos de hoje',
    sinceMidnight: 'desde a meia-noite',
    certificates: 'Certificados',
    expiring: 'Expiram em até 30 dias',
    expiringHint: 'os mais próximos primeiro',
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'sessions-overview': typeof english
  }
}
