// The degree: the public XML, and the parts of it that other documents carry.
import {
  children,
  choice,
  complex,
  element,
  many,
  oneSignature,
  optional,
  required,
  sequence,
  signatures,
  withAttributes,
} from '../../language/content.ts'
import { iesEmissora, iesOriginal, iesRegistradora } from './acts-and-institutions.ts'
import { curso, cursoForaDoSistema, cursoPorDecisaoJudicial } from './courses.ts'
import { assinantes, diplomado, diplomadoPorDecisaoJudicial } from './people-and-places.ts'
import { livroDeRegistro, livroDeRegistroFlexivel } from './registry-book.ts'
import {
  codigoDoDiploma,
  data,
  idDaDocumentacao,
  idDoDiplomaPublico,
  idDosDadosDoDiploma,
  idDosDadosDoRegistro,
  linha,
  numeroDoProcessoJudicial,
} from './values.ts'
import { comVersao } from './version.ts'

const dataConclusao = optional(element('DataConclusao', data, 'Data em que o curso foi concluído.'))
const origem = optional(
  element(
    'DadosIesOriginalCursoPTA',
    iesOriginal,
    'Instituição de origem, quando o acervo veio por transferência assistida.',
  ),
)
const quemAssina = optional(element('Assinantes', assinantes, 'Se informado, todas as pessoas que assinam este bloco.'))
const idDosDados = { id: required(idDosDadosDoDiploma) } as const
const idDoRegistro = { id: required(idDosDadosDoRegistro) } as const

const declaracoes = children(many(element('Declaracao', linha)))

export const dadosDiploma = withAttributes(
  children(
    element('Diplomado', diplomado),
    dataConclusao,
    element('DadosCurso', curso),
    origem,
    element('IesEmissora', iesEmissora),
    quemAssina,
    signatures,
  ),
  idDosDados,
)

export const dadosDiplomaForaDoSistema = withAttributes(
  children(
    element('Diplomado', diplomado),
    dataConclusao,
    element('DadosCurso', cursoForaDoSistema),
    origem,
    element('IesEmissora', iesEmissora),
    quemAssina,
    signatures,
  ),
  idDosDados,
)

export const dadosDiplomaPorDecisaoJudicial = withAttributes(
  children(
    element('Diplomado', diplomadoPorDecisaoJudicial),
    dataConclusao,
    element('DadosCurso', cursoPorDecisaoJudicial),
    origem,
    element('IesEmissora', iesEmissora),
    optional(element('DeclaracoesEmissoraAcercaProcesso', declaracoes)),
    quemAssina,
    signatures,
  ),
  idDosDados,
)

const identificacaoDoRegistro = [
  element('IdDocumentacaoAcademica', idDaDocumentacao, 'O id da documentação acadêmica de que o registro partiu.'),
  element('Seguranca', children(element('CodigoValidacao', codigoDoDiploma, 'Código com que o diploma é verificado.'))),
] as const

const informacoesAdicionais = optional(element('InformacoesAdicionais', linha))

const dadosRegistro = withAttributes(
  children(
    element('IesRegistradora', iesRegistradora),
    element('LivroRegistro', livroDeRegistro),
    ...identificacaoDoRegistro,
    informacoesAdicionais,
    quemAssina,
    signatures,
  ),
  idDoRegistro,
)

const dadosRegistroForaDoSistema = withAttributes(
  children(
    element('IesRegistradora', iesRegistradora),
    element('LivroRegistro', livroDeRegistroFlexivel),
    ...identificacaoDoRegistro,
    informacoesAdicionais,
    quemAssina,
    signatures,
  ),
  idDoRegistro,
)

export const processoJudicial = children(
  element('NumeroProcessoJudicial', numeroDoProcessoJudicial),
  element('NomeJuiz', linha),
  optional(element('Decisao', linha)),
)

const dadosRegistroPorDecisaoJudicial = withAttributes(
  children(
    element('IesRegistradora', iesRegistradora),
    element('LivroRegistro', livroDeRegistroFlexivel),
    ...identificacaoDoRegistro,
    element('InformacoesProcessoJudicial', processoJudicial),
    optional(element('DeclaracoesRegistradoraAcercaProcesso', declaracoes)),
    informacoesAdicionais,
    quemAssina,
    signatures,
  ),
  idDoRegistro,
)

const infDiploma = withAttributes(
  complex(
    choice(
      sequence(
        choice(element('DadosDiploma', dadosDiploma), element('DadosDiplomaNSF', dadosDiplomaForaDoSistema)),
        choice(element('DadosRegistro', dadosRegistro), element('DadosRegistroNSF', dadosRegistroForaDoSistema)),
      ),
      sequence(
        element('DadosDiplomaPorDecisaoJudicial', dadosDiplomaPorDecisaoJudicial),
        element('DadosRegistroPorDecisaoJudicial', dadosRegistroPorDecisaoJudicial),
      ),
    ),
  ),
  { ...comVersao, id: required(idDoDiplomaPublico) },
)

/** The roots of this kind. */
export const degree = [element('Diploma', children(element('infDiploma', infDiploma), oneSignature))] as const
