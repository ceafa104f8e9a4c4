import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  product: 'Cloud certificate hub',
  nav: {
    overview: 'Overview',
    providers: 'Providers',
    applications: 'Applications',
    sessions: 'Sessions',
    uses: 'Uses',
    administrators: 'Administrators',
    events: 'Events',
  },
  provider: 'Provider',
  providerState: { inUse: 'In use', alone: 'Left alone after failures', disabled: 'Disabled' },
  sessionState: {
    pending: 'At the provider',
    authorized: 'Authorized',
    reserved: 'Signing',
    used: 'Used',
    refused: 'Refused',
    late: 'Came back too late',
    ended: 'Ended',
    expired: 'Expired',
  },
  sessionType: {
    SingleSignature: 'one signature',
    MultiSignature: 'several signatures at once',
    SignatureSession: 'signatures for a while',
    AuthenticationSession: 'authentication only',
  },
  useAction: { authorize: 'Authorization', certificate: 'Certificate read', sign: 'Signature', end: 'End' },
  outcome: { ok: 'Succeeded', failed: 'Failed' },
} as const

/** The texts of the frame and of what several pages share. */
export const commonTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    product: 'Hub de certificados em nuvem',
    nav: {
      overview: 'Visão geral',
      providers: 'Provedores',
      applications: 'Aplicações',
      sessions: 'Sessões',
      uses: 'Usos',
      administrators: 'Administradores',
      events: 'Eventos',
    },
    provider: 'Provedor',
    providerState: { inUse: 'Em uso', alone: 'Em pausa após falhas', disabled: 'Desativado' },
    sessionState: {
      pending: 'No provedor',
      authorized: 'Autorizada',
      reserved: 'Assinando',
      used: 'Usada',
      refused: 'Recusada',
      late: 'Voltou tarde demais',
      ended: 'Encerrada',
      expired: 'Expirada',
    },
    sessionType: {
      SingleSignature: 'uma assinatura',
      MultiSignature: 'várias assinaturas de uma vez',
      SignatureSession: 'assinaturas por um tempo',
      AuthenticationSession: 'só autenticação',
    },
    useAction: { authorize: 'Autorização', certificate: 'Leitura do certificado', sign: 'Assinatura', end: 'Fim' },
    outcome: { ok: 'Sucesso', failed: 'Falha' },
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    hub: typeof english
  }
}
