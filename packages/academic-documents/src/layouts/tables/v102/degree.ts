// The degree of layout 1.02.
import {
  children,
  choice,
  element,
  oneSignature,
  optional,
  required,
  sequence,
  signatures,
  withAttributes,
} from '../../language/content.ts'
import {
  codigoDoDiploma,
  cpf,
  data,
  idDaDocumentacao,
  idDoDiplomaPublico,
  idDosDadosDoDiploma,
  idDosDadosDoRegistro,
  identificador,
} from '../v105/values.ts'
import { curso, cursoForaDoSistema, diplomado, iesEmissora, iesRegistradora } from './parts.ts'
import { nome, versao } from './values.ts'

const idDosDados = { id: required(idDosDadosDoDiploma) } as const
const dataConclusao = optional(element('DataConclusao', data))

/** In or outside the federal system. */
export const dadosDoDiploma = choice(
  element(
    'DadosDiploma',
    withAttributes(
      children(
        element('Diplomado', diplomado),
        dataConclusao,
        element('DadosCurso', curso),
        element('IesEmissora', iesEmissora),
        signatures,
      ),
      idDosDados,
    ),
  ),
  element(
    'DadosDiplomaNSF',
    withAttributes(
      children(
        element('Diplomado', diplomado),
        dataConclusao,
        element('DadosCurso', cursoForaDoSistema),
        element('IesEmissora', iesEmissora),
        signatures,
      ),
      idDosDados,
    ),
  ),
)

const folhaESequencia = [
  element('NumeroFolhaDoDiploma', identificador),
  element('NumeroSequenciaDoDiploma', identificador),
] as const

const oQueFoiRegistrado = [
  optional(element('ProcessoDoDiploma', identificador)),
  element('DataColacaoGrau', data),
  element('DataExpedicaoDiploma', data),
  element('DataRegistroDiploma', data),
  element(
    'ResponsavelRegistro',
    children(element('Nome', nome), element('CPF', cpf), optional(element('IDouNumeroMatricula', identificador))),
  ),
] as const

const livro = children(
  element('LivroRegistro', identificador),
  choice(element('NumeroRegistro', identificador), sequence(...folhaESequencia)),
  ...oQueFoiRegistrado,
)

const livroFlexivel = children(
  optional(element('LivroRegistro', identificador)),
  choice(
    element('NumeroRegistro', identificador),
    sequence(...folhaESequencia, optional(element('NumeroRegistro', identificador))),
  ),
  ...oQueFoiRegistrado,
)

const identificacao = [
  element('IdDocumentacaoAcademica', idDaDocumentacao),
  element('Seguranca', children(element('CodigoValidacao', codigoDoDiploma))),
  signatures,
] as const

const idDoRegistro = { id: required(idDosDadosDoRegistro) } as const
const registradora = element('IesRegistradora', iesRegistradora)

const dadosDoRegistro = choice(
  element(
    'DadosRegistro',
    withAttributes(children(registradora, element('LivroRegistro', livro), ...identificacao), idDoRegistro),
  ),
  element(
    'DadosRegistroNSF',
    withAttributes(children(registradora, element('LivroRegistro', livroFlexivel), ...identificacao), idDoRegistro),
  ),
)

const infDiploma = withAttributes(children(dadosDoDiploma, dadosDoRegistro), {
  versao,
  id: required(idDoDiplomaPublico),
})

/** The roots of this kind. */
export const degree = [element('Diploma', children(element('infDiploma', infDiploma), oneSignature))] as const
