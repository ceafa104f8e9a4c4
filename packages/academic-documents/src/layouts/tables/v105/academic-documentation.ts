// The academic documentation: the private XML that goes to the registrar.
import {
  allowed,
  anyNumber,
  children,
  choice,
  complex,
  element,
  empty,
  many,
  oneSignature,
  optional,
  required,
  valued,
  withAttributes,
} from '../../language/content.ts'
import { narrowed, oneOf } from '../../language/simple.ts'
import { dadosDiploma, dadosDiplomaForaDoSistema, dadosDiplomaPorDecisaoJudicial, processoJudicial } from './degree.ts'
import { filiacao } from './people-and-places.ts'
import { historico, historicoDeSegundaVia } from './transcript-body.ts'
import { cpf, idDaDocumentacao, linha, nome, pdfA } from './values.ts'
import { comVersao } from './version.ts'

const listaDeTipos = oneOf(
  'DocumentoIdentidadeDoAluno',
  'ProvaConclusaoEnsinoMedio',
  'ProvaColacao',
  'ComprovacaoEstagioCurricular',
  'CertidaoNascimento',
  'CertidaoCasamento',
  'TituloEleitor',
  'AtoNaturalizacao',
  'Outros',
)
const sobreODocumento = {
  tipo: required(narrowed(listaDeTipos, listaDeTipos.expects, { blanks: 'collapse' })),
  observacoes: allowed(linha),
} as const

const documento = element('Documento', valued(pdfA, sobreODocumento), 'Cópia do documento em PDF/A.')
const comprovantes = element('DocumentacaoComprobatoria', children(many(documento)))
const comprovantesPorDecisaoJudicial = element(
  'DocumentacaoComprobatoria',
  complex(anyNumber(choice(documento, element('Documento_Indisponivel', withAttributes(empty, sobreODocumento))))),
)

const termo = optional(
  element(
    'TermoResponsabilidadeEmissora',
    children(
      element('Nome', nome),
      element('CPF', cpf),
      element('Cargo', linha),
      optional(element('AtoDesignacao', pdfA)),
    ),
    'Quem, na emissora, responde pelos dados.',
  ),
)

const privadosComHistorico = element(
  'DadosPrivadosDiplomado',
  children(element('Filiacao', filiacao), element('HistoricoEscolar', historico)),
)

const privadosDeSegundaVia = element(
  'DadosPrivadosDiplomado',
  children(element('Filiacao', filiacao), element('HistoricoEscolar', historicoDeSegundaVia)),
)

const privadosPorDecisaoJudicial = element(
  'DadosPrivadosDiplomado',
  children(
    choice(element('Filiacao', filiacao), element('Filiacao_Indisponivel', empty)),
    choice(element('HistoricoEscolar', historicoDeSegundaVia), element('HistoricoEscolar_Indisponivel', empty)),
    element('InformacoesProcessoJudicial', processoJudicial),
  ),
)

const comId = { ...comVersao, id: required(idDaDocumentacao) } as const

const registro = withAttributes(
  children(element('DadosDiploma', dadosDiploma), privadosComHistorico, termo, comprovantes),
  comId,
)

const registroForaDoSistema = withAttributes(
  children(element('DadosDiplomaNSF', dadosDiplomaForaDoSistema), privadosComHistorico, termo, optional(comprovantes)),
  comId,
)

const segundaVia = withAttributes(
  children(
    choice(element('DadosDiploma', dadosDiploma), element('DadosDiplomaNSF', dadosDiplomaForaDoSistema)),
    privadosDeSegundaVia,
    termo,
    optional(comprovantes),
  ),
  comId,
)

const registroPorDecisaoJudicial = withAttributes(
  children(
    element('DadosDiplomaPorDecisaoJudicial', dadosDiplomaPorDecisaoJudicial),
    privadosPorDecisaoJudicial,
    termo,
    optional(comprovantesPorDecisaoJudicial),
  ),
  comId,
)

/** The roots of this kind. */
export const academicDocumentation = [
  element(
    'DocumentacaoAcademicaRegistro',
    children(
      choice(
        element('RegistroReq', registro, 'Primeira via, instituição do sistema federal de ensino.'),
        element(
          'RegistroReqNSF',
          registroForaDoSistema,
          'Primeira via, instituição fora do sistema federal de ensino.',
        ),
        element('RegistroSegundaViaReq', segundaVia, 'Segunda via de um diploma emitido em papel.'),
        element('RegistroPorDecisaoJudicialReq', registroPorDecisaoJudicial, 'Emissão por decisão judicial.'),
      ),
      oneSignature,
    ),
  ),
] as const
