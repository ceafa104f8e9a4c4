// The book in which the registrar records a degree.
import { children, choice, element, optional, sequence } from '../../language/content.ts'
import { cpf, data, identificador, nome } from './values.ts'

const folhaESequencia = [
  element('NumeroFolhaDoDiploma', identificador),
  element('NumeroSequenciaDoDiploma', identificador),
] as const

const responsavel = children(
  element('Nome', nome),
  element('CPF', cpf),
  optional(element('IDouNumeroMatricula', identificador)),
)

const oQueFoiRegistrado = [
  optional(element('ProcessoDoDiploma', identificador)),
  element('DataColacaoGrau', data),
  element('DataExpedicaoDiploma', data, 'Decide também a versão do leiaute que vale para o documento.'),
  element('DataRegistroDiploma', data),
  element('ResponsavelRegistro', responsavel, 'Pessoa responsável pelo registro.'),
] as const

export const livroDeRegistro = children(
  element('LivroRegistro', identificador),
  choice(element('NumeroRegistro', identificador), sequence(...folhaESequencia)),
  ...oQueFoiRegistrado,
)

/** Outside the federal system, and by order of a court: the book need not be named. */
export const livroDeRegistroFlexivel = children(
  optional(element('LivroRegistro', identificador)),
  choice(
    element('NumeroRegistro', identificador),
    sequence(...folhaESequencia, optional(element('NumeroRegistro', identificador))),
  ),
  ...oQueFoiRegistrado,
)
