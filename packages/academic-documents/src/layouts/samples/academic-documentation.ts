import { degreeIds } from '../identifiers/nonce.ts'
import type { DocumentInput } from '../kinds.ts'
import { type SampleOptions, sampleDegreeData, sampleJudicialData, sampleOutsideData, sampleProcess } from './degree.ts'
import { sampleNonce, samplePdf } from './parts.ts'
import { sampleSecondCopyBody, sampleTranscriptBody } from './transcript.ts'

export type DocumentationVariant = 'regular' | 'outsideFederalSystem' | 'secondCopy' | 'judicial'

type Documentation = DocumentInput<'academicDocumentation'>['documentacaoAcademicaRegistro']

const parents = {
  genitor: [
    { nome: 'Francisca Araújo', sexo: 'F' },
    { nome: 'Raimundo Lima', nomeSocial: 'Raí Lima', sexo: 'M' },
  ],
} as const

const evidence = {
  documento: [
    { valor: samplePdf, tipo: 'DocumentoIdentidadeDoAluno' },
    { valor: samplePdf, tipo: 'Outros', observacoes: 'Declaração de quitação eleitoral' },
  ],
} as const

const declaration = { nome: 'Paulo Freitas', cpf: '39053344705', cargo: 'Diretor acadêmico', atoDesignacao: samplePdf }

interface Common {
  readonly id: string
  readonly minimal: boolean
  readonly nonce: string
}

const requests: Readonly<Record<DocumentationVariant, (common: Common) => Documentation>> = {
  regular: ({ id, minimal, nonce }) => ({
    registroReq: {
      id,
      dadosDiploma: sampleDegreeData({ minimal, nonce }),
      dadosPrivadosDiplomado: { filiacao: parents, historicoEscolar: sampleTranscriptBody({ minimal }) },
      ...(!minimal && { ambiente: 'Produção', termoResponsabilidadeEmissora: declaration }),
      documentacaoComprobatoria: evidence,
    },
  }),
  outsideFederalSystem: ({ id, minimal, nonce }) => ({
    registroReqNSF: {
      id,
      dadosDiplomaNSF: sampleOutsideData({ minimal, nonce }),
      dadosPrivadosDiplomado: { filiacao: parents, historicoEscolar: sampleTranscriptBody({ minimal }) },
      ...(!minimal && { termoResponsabilidadeEmissora: declaration, documentacaoComprobatoria: evidence }),
    },
  }),
  secondCopy: ({ id, minimal, nonce }) => ({
    registroSegundaViaReq: {
      id,
      ...(minimal
        ? { dadosDiplomaNSF: sampleOutsideData({ minimal, nonce }) }
        : { dadosDiploma: sampleDegreeData({ minimal, nonce }) }),
      dadosPrivadosDiplomado: { filiacao: parents, historicoEscolar: sampleSecondCopyBody({ minimal }) },
      ...(!minimal && { termoResponsabilidadeEmissora: declaration, documentacaoComprobatoria: evidence }),
    },
  }),
  judicial: ({ id, minimal, nonce }) => ({
    registroPorDecisaoJudicialReq: {
      id,
      dadosDiplomaPorDecisaoJudicial: sampleJudicialData({ minimal, nonce }),
      dadosPrivadosDiplomado: {
        ...(minimal
          ? { filiacaoIndisponivel: true, historicoEscolarIndisponivel: true }
          : { filiacao: parents, historicoEscolar: sampleSecondCopyBody() }),
        informacoesProcessoJudicial: sampleProcess(minimal),
      },
      ...(!minimal && {
        documentacaoComprobatoria: [
          { documento: { valor: samplePdf, tipo: 'ProvaColacao' } },
          { documentoIndisponivel: { tipo: 'TituloEleitor', observacoes: 'Extraviado' } },
        ],
      }),
    },
  }),
}

/** A private XML, for the registrar. */
export function sampleAcademicDocumentation(
  options: SampleOptions<DocumentationVariant> = {},
): DocumentInput<'academicDocumentation'> {
  const { variant = 'regular', minimal = false, nonce = sampleNonce } = options
  const id = degreeIds(nonce).documentacaoAcademica
  return { documentacaoAcademicaRegistro: requests[variant]({ id, minimal, nonce }) }
}
