// Regulatory acts, and the institutions that act by them.
import { children, choice, complex, element, empty, optional, sequence } from '../../language/content.ts'
import { oneOf } from '../../language/simple.ts'
import { endereco } from './people-and-places.ts'
import { cnpj, codigoEMec, data, linha, nome, numeroDoAto, numeroPositivo } from './values.ts'

/** A process in e-MEC that has not led to an act yet. */
export const tramitacaoEMec = children(
  element('NumeroProcesso', numeroPositivo),
  element('TipoProcesso', linha),
  element('DataCadastro', data),
  element('DataProtocolo', data),
)

const publicacao = [
  optional(element('VeiculoPublicacao', linha, 'Por exemplo: Diário Oficial da União.')),
  optional(element('DataPublicacao', data)),
  optional(element('SecaoPublicacao', numeroPositivo)),
  optional(element('PaginaPublicacao', numeroPositivo)),
  optional(element('NumeroDOU', numeroPositivo, 'Número do Diário Oficial da União.')),
] as const

const tipoDeAto = oneOf(
  'Parecer',
  'Resolução',
  'Decreto',
  'Portaria',
  'Deliberação',
  'Despacho',
  'Lei Federal',
  'Lei Estadual',
  'Lei Municipal',
)

const tipoDeAtoOuProprio = oneOf(
  'Parecer',
  'Resolução',
  'Decreto',
  'Portaria',
  'Deliberação',
  'Lei Federal',
  'Lei Estadual',
  'Lei Municipal',
  'Ato Próprio',
)

const atoRegulatorio = children(
  element('Tipo', tipoDeAto),
  element('Numero', numeroDoAto),
  element('Data', data),
  ...publicacao,
)

/** The act, or the process in e-MEC that is to lead to it. */
export const atoOuTramitacao = complex(
  choice(
    element('InformacoesTramitacaoEMEC', tramitacaoEMec, 'Em lugar do ato, enquanto o processo tramita no e-MEC.'),
    sequence(element('Tipo', tipoDeAtoOuProprio), element('Numero', numeroDoAto), element('Data', data), ...publicacao),
  ),
)

const mantenedora = children(element('RazaoSocial', nome), element('CNPJ', cnpj), element('Endereco', endereco))

const dadosDaInstituicao = [
  element('Nome', nome),
  element('CodigoMEC', codigoEMec, 'Código da instituição no e-MEC.'),
  element('CNPJ', cnpj, 'O mesmo do certificado e-CNPJ com que a instituição assina.'),
  element('Endereco', endereco),
  element('Credenciamento', atoOuTramitacao),
  optional(element('Recredenciamento', atoOuTramitacao)),
  optional(element('RenovacaoDeRecredenciamento', atoOuTramitacao)),
] as const

export const iesEmissora = children(...dadosDaInstituicao, optional(element('Mantenedora', mantenedora)))

export const iesRegistradora = children(
  ...dadosDaInstituicao,
  optional(element('AtoRegulatorioAutorizacaoRegistro', atoRegulatorio, 'Ato que autoriza a registrar diplomas.')),
  element('Mantenedora', mantenedora),
)

/** Where the records of a closed institution were taken over. */
export const iesOriginal = children(
  element('Nome', nome),
  choice(element('CodigoMEC', codigoEMec), element('CodigoMEC_Indisponivel', empty)),
  optional(element('CNPJ', cnpj)),
  optional(element('Endereco', endereco)),
  element('Descredenciamento', atoRegulatorio),
)
