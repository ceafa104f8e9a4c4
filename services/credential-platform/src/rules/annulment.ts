import type { CancellationReason } from '../contract/vocabulary.ts'

/** The layout's words for each reason; the last one is spelled there as it is here (credentials-platform facts 1.5). */
export const annulmentTexts = {
  ErroDeFato: 'Erro de Fato',
  ErroDeDireito: 'Erro de Direito',
  DecisaoJudicial: 'Decisão Judicial',
  ReemissaoParaComplementoDeInformacao: 'Reemissão para Complemento de Informação',
  ReemissaoParaInclusaoDeHabilitacao: 'Reemissão para Inclusão de Habilitação',
  ReemissaoParaAnotacaoDeRegistro: 'Reemissão para Anotaçao de Registro',
} as const satisfies Readonly<Record<CancellationReason, string>>
