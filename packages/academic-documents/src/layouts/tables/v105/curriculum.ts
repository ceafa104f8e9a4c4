// The curriculum: the units of a course and what a student must complete.
import {
  anyNumber,
  children,
  choice,
  complex,
  element,
  many,
  optional,
  sequence,
  signatures,
  withAttributes,
} from '../../language/content.ts'
import { oneOf } from '../../language/simple.ts'
import { iesEmissora } from './acts-and-institutions.ts'
import { cursoResumido } from './courses.ts'
import { codigoDaUnidade } from './transcript-body.ts'
import {
  codigoComEmissora,
  codigoDoCurriculo,
  data,
  horaRelogio,
  identificador,
  linha,
  numeroPositivo,
  simOuNao,
  textoLivre,
} from './values.ts'
import { comVersao } from './version.ts'

const tipoDeUnidade = oneOf(
  'Disciplina',
  'Módulo',
  'Atividade',
  'Estágio',
  'Trabalho de Conclusão de Curso',
  'Monografia',
  'Artigo',
  'Projeto',
  'Produto',
  'Atividade Complementar',
  'Atividade de Extensão',
)

const etiquetas = children(
  many(
    element(
      'Etiqueta',
      children(
        element('Codigo', linha),
        element('Nome', linha),
        optional(element('AplicadoAutomaticamenteUnidadesNaoPertencentesAoCurriculo', simOuNao)),
      ),
    ),
  ),
)

const areas = children(
  anyNumber(element('Area', children(many(element('Codigo', linha)), many(element('Nome', linha))))),
)

const equivalencias = children(
  many(
    element(
      'UnidadesCurricularesEquivalente',
      children(many(element('CodigoUnidadeEquivalente', codigoDaUnidade))),
      'Um conjunto de unidades que, todas juntas, equivalem a esta.',
    ),
  ),
)

const etiquetaDaUnidade = children(
  element('Codigo', linha),
  optional(
    sequence(
      optional(element('CargaHorariaEmHoraAula', numeroPositivo)),
      element(
        'CargaHorariaEmHoraRelogio',
        horaRelogio,
        'Horas que contam para esta etiqueta; sem elas, as da unidade.',
      ),
    ),
  ),
)

const unidade = children(
  element('Tipo', tipoDeUnidade),
  element('Codigo', codigoDaUnidade),
  element('Nome', linha),
  optional(element('CargaHorariaEmHoraAula', numeroPositivo)),
  element('CargaHorariaEmHoraRelogio', horaRelogio),
  optional(element('Ementa', children(many(element('ItemEmenta', linha))))),
  optional(element('Fase', linha)),
  optional(element('Equivalencias', equivalencias)),
  optional(element('PreRequisitos', children(many(element('CodigoDependencia', codigoDaUnidade))))),
  optional(element('Etiquetas', children(many(element('Etiqueta', etiquetaDaUnidade))))),
  optional(element('Areas', children(anyNumber(element('Area', children(element('Codigo', linha))))))),
)

const atividade = children(
  element('Codigo', identificador),
  element('Nome', linha),
  optional(element('Descricao', textoLivre)),
  element('LimiteCargaHorariaEmHoraRelogio', horaRelogio),
)

const categoria = children(
  element('Codigo', identificador),
  element('Nome', linha),
  optional(element('LimiteCargaHorariaEmHoraRelogio', horaRelogio)),
  element('Atividades', children(many(element('Atividade', atividade)))),
)

const limites = element(
  'CargasHorariasCriterio',
  children(
    element('CargaHorariaMinima', horaRelogio),
    element('CargaHorariaMaxima', horaRelogio),
    optional(element('CargaHorariaParaTotal', horaRelogio)),
  ),
)

const porRotulos = children(
  element('Codigo', identificador, 'Com ele as expressões se referem a este critério.'),
  optional(element('UnidadeCurricular', tipoDeUnidade)),
  anyNumber(element('Etiqueta', linha)),
  limites,
)

const porExpressao = children(
  element('Codigo', identificador),
  element('Expressao', complex(choice(element('Soma', children(many(element('Codigo', linha))))))),
  limites,
)

const criterios = complex(
  many(
    choice(
      element('CriterioIntegralizacaoRotulos', porRotulos),
      element('CriterioIntegralizacaoExpressao', porExpressao),
    ),
  ),
)

const infCurriculoEscolar = withAttributes(
  children(
    element('CodigoCurriculo', codigoDoCurriculo),
    element('DataCurriculo', data),
    element('MinutosRelogioDaHoraAula', numeroPositivo, 'Quantos minutos tem uma hora-aula.'),
    optional(element('NomeParaAreas', linha)),
    cursoResumido,
    element('IesEmissora', iesEmissora),
    element('infEtiquetas', etiquetas),
    element('infAreas', areas),
    element('infEstruturaCurricular', children(many(element('UnidadeCurricular', unidade)))),
    optional(element('infEstruturaAtividadesComplementares', children(anyNumber(element('Categoria', categoria))))),
    element('infCriteriosIntegralizacao', criterios),
    element('SegurancaCurriculo', children(element('CodigoValidacao', codigoComEmissora))),
    optional(element('InformacoesAdicionais', linha)),
  ),
  comVersao,
)

/** The roots of this kind. */
export const curriculum = [
  element('CurriculoEscolar', children(element('infCurriculoEscolar', infCurriculoEscolar), signatures)),
] as const
