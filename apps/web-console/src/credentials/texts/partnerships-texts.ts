import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  title: 'Partnerships',
  lead: 'Which registrar takes the registration requests of which issuer.',
  propose: 'Propose a partnership',
  empty: 'No partnership yet',
  emptyText: 'An issuer that does not register needs a registrar as a partner.',
  issuer: 'Issuer',
  registrar: 'Registrar',
  state: 'State',
  own: 'own, e-MEC {{code}}',
  others: 'of another organization, e-MEC {{code}}',
  status: {
    Proposed: 'Proposed',
    ProposedToUs: 'Waits for your answer',
    Active: 'Active',
    Ended: 'Ended',
  },
  accept: 'Accept',
  acceptOf: 'Accept: {{issuer}} with {{registrar}}',
  accepted: 'The partnership is active.',
  refuse: 'Refuse',
  refuseOf: 'Refuse: {{issuer}} with {{registrar}}',
  end: 'End',
  endOf: 'End: {{issuer}} with {{registrar}}',
  endText: 'No new requests are taken; those that were made go on.',
  ended: 'The partnership was ended.',
  side: 'Your institution',
  sides: {
    issuer: 'issues, and looks for a registrar',
    registrar: 'registers for another',
  },
  ownInstitute: 'Own institution',
  otherInstitute: 'Id of the other institution',
  otherHint: 'The other organization finds it on the page of its institution.',
  choose: 'Choose…',
  send: 'Propose',
  proposed: 'The partnership was proposed; the other organization answers.',
  agreed: 'The partnership is active: both institutions are yours.',
} as const

/** The texts of the page of partnerships. */
export const partnershipsTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    title: 'Parcerias',
    lead: 'Qual registradora recebe os pedidos de registro de qual emissora.',
    propose: 'Propor uma parceria',
    empty: 'Nenhuma parceria ainda',
    emptyText: 'Uma emissora que não registra precisa de uma registradora parceira.',
    issuer: 'Emissora',
    registrar: 'Registradora',
    state: 'Situação',
    own: 'própria, e-MEC {{code}}',
    others: 'de outra organização, e-MEC {{code}}',
    status: {
      Proposed: 'Proposta',
      ProposedToUs: 'Aguarda a sua resposta',
      Active: 'Ativa',
      Ended: 'Encerrada',
    },
    accept: 'Aceitar',
    acceptOf: 'Aceitar: {{issuer}} com {{registrar}}',
    accepted: 'A parceria está ativa.',
    refuse: 'Recusar',
    refuseOf: 'Recusar: {{issuer}} com {{registrar}}',
    end: 'Encerrar',
    endOf: 'Encerrar: {{issuer}} com {{registrar}}',
    endText: 'Novos pedidos não são recebidos; os que já foram feitos continuam.',
    ended: 'A parceria foi encerrada.',
    side: 'A sua instituição',
    sides: {
      issuer: 'emite e procura uma registradora',
      registrar: 'registra para outra',
    },
    ownInstitute: 'Instituição própria',
    otherInstitute: 'Identificador da outra instituição',
    otherHint: 'A outra organização o encontra na página da instituição dela.',
    choose: 'Escolha…',
    send: 'Propor',
    proposed: 'A parceria foi proposta; a outra organização responde.',
    agreed: 'A parceria está ativa: as duas instituições são suas.',
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'credentials-partnerships': typeof english
  }
}
