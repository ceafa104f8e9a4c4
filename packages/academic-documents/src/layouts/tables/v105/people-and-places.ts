// Persons, addresses and municipalities.
import { children, choice, complex, element, empty, many, optional, sequence } from '../../language/content.ts'
import { narrowed, oneOf } from '../../language/simple.ts'
import { cep, codigoMunicipio, cpf, data, identificador, linha, nome, numeroRg, sexo, uf } from './values.ts'

/** In Brazil by its code, abroad by its name alone. */
const municipio = choice(
  sequence(
    element('CodigoMunicipio', codigoMunicipio, 'Código do IBGE.'),
    element('NomeMunicipio', nome),
    element('UF', uf),
  ),
  element('NomeMunicipioEstrangeiro', nome, 'Em lugar do município brasileiro, para quem nasceu ou mora no exterior.'),
)

const trecho = (minLength: number, maxLength: number) =>
  narrowed(linha, `texto de ${minLength} a ${maxLength} caracteres latinos, sem espaços no início nem no fim`, {
    minLength,
    maxLength,
  })

export const endereco = children(
  element('Logradouro', trecho(2, 150), 'Rua, avenida ou praça.'),
  optional(element('Numero', trecho(1, 60))),
  optional(element('Complemento', trecho(1, 60))),
  element('Bairro', trecho(2, 60)),
  municipio,
  element('CEP', cep),
)

const naturalidade = complex(municipio)

const rg = children(
  element('Numero', numeroRg),
  optional(element('OrgaoExpedidor', linha)),
  element('UF', uf, 'Unidade da federação que expediu o RG.'),
)

const outroDocumento = children(
  element('TipoDocumento', linha, 'Por exemplo: Passaporte.'),
  element('Identificador', linha, 'O número do documento.'),
)

const identidade = choice(element('RG', rg), element('OutroDocumentoIdentificacao', outroDocumento))

/** Who has earned the degree, or is earning it. */
export const diplomado = children(
  element('ID', identificador, 'Matrícula ou outro código com que a instituição identifica o aluno.'),
  element('Nome', nome, 'Nome civil completo.'),
  optional(element('NomeSocial', nome)),
  element('Sexo', sexo),
  element('Nacionalidade', nome),
  element('Naturalidade', naturalidade, 'Município em que nasceu.'),
  element('CPF', cpf),
  identidade,
  element('DataNascimento', data),
)

/** By order of a court some data may be missing; the document then says so. */
export const diplomadoPorDecisaoJudicial = children(
  choice(element('ID', identificador), element('ID_Indisponivel', empty)),
  element('Nome', nome),
  optional(element('NomeSocial', nome)),
  choice(element('Sexo', sexo), element('Sexo_Indisponivel', empty)),
  choice(element('Nacionalidade', nome), element('Nacionalidade_Indisponivel', empty)),
  choice(element('Naturalidade', naturalidade), element('Naturalidade_Indisponivel', empty)),
  element('CPF', cpf),
  identidade,
  choice(element('DataNascimento', data), element('DataNascimento_Indisponivel', empty)),
)

const genitor = children(element('Nome', nome), optional(element('NomeSocial', nome)), element('Sexo', sexo))

export const filiacao = children(many(element('Genitor', genitor, 'Mãe ou pai.')))

const cargo = oneOf(
  'Reitor',
  'Reitor em Exercício',
  'Responsável pelo registro',
  'Coordenador de Curso',
  'Subcoordenador de Curso',
  'Coordenador de Curso em exercício',
  'Chefe da área de registro de diplomas',
  'Chefe em exercício da área de registro de diplomas',
)

const assinante = children(element('CPF', cpf), choice(element('Cargo', cargo), element('OutroCargo', linha)))

/** If given, every person who signs the node. */
export const assinantes = children(many(element('Assinante', assinante)))
