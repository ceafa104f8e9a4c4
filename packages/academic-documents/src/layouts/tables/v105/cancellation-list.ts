// The list of annulled degrees, which a registrar publishes again and again.
import { anyNumber, children, element, oneSignature, optional, withAttributes } from '../../language/content.ts'
import { oneOf } from '../../language/simple.ts'
import { iesRegistradora } from './acts-and-institutions.ts'
import { codigoDoDiploma, data, linha, numeroPositivo } from './values.ts'
import { comVersao } from './version.ts'

/** The last one is spelled in the norm as it is here. */
const motivo = oneOf(
  'Erro de Fato',
  'Erro de Direito',
  'Decisão Judicial',
  'Reemissão para Complemento de Informação',
  'Reemissão para Inclusão de Habilitação',
  'Reemissão para Anotaçao de Registro',
)

const anulado = children(
  element('CodigoDiplomaAnulado', codigoDoDiploma),
  element('DataAnulacao', data),
  element('MotivoAnulacao', motivo),
  optional(element('AnotacaoAnulacao', linha)),
)

const infLista = withAttributes(
  children(
    element('NumeroDeSequencia', numeroPositivo, 'A primeira lista de uma registradora tem o número 1.'),
    element('IESRegistradora', iesRegistradora),
    element('DiplomasAnulados', children(anyNumber(element('DiplomaAnulado', anulado)))),
    element('DataMaximaProximaAtualizacao', data, 'Até quando a próxima lista será publicada.'),
  ),
  comVersao,
)

/** The roots of this kind. */
export const cancellationList = [
  element('ListaDiplomasAnulados', children(element('infListaDiplomasAnulados', infLista), oneSignature)),
] as const
