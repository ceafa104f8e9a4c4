// The inspection file: what an issuer or a registrar did in a period, at the ministry's request.
import { children, choice, element, many, oneSignature, optional, withAttributes } from '../../language/content.ts'
import { iesEmissora, iesRegistradora } from './acts-and-institutions.ts'
import { livroDeRegistro } from './registry-book.ts'
import { codigoDoDiploma, codigoEMec, cpf, data, endereco255, idDaDocumentacao } from './values.ts'
import { comVersao } from './version.ts'

const emitido = children(
  element('CodigoDiploma', codigoDoDiploma),
  element('CPFDetentor', cpf),
  optional(element('CodigoEMECCurso', codigoEMec)),
  element('DataEmissao', data),
  element('DataRegistro', data),
  element('URLXMLdoDiplomado', endereco255),
  element('URLRVDD', endereco255),
  optional(element('URLXMLdeRegistroAcademico', endereco255)),
)

const registrado = children(
  element('CodigoDiploma', codigoDoDiploma),
  element('CPFDetentor', cpf),
  element('CodigoEMECEmissora', codigoEMec),
  optional(element('CodigoEMECCurso', codigoEMec)),
  element('DadosRegistro', livroDeRegistro),
  element('IdDocumentacaoAcademica', idDaDocumentacao),
)

const inicio = element('DataInicioFiscalizacao', data)
const fim = element('DataFimFiscalizacao', data)

const daEmissora = withAttributes(
  children(
    inicio,
    element('IESEmissora', iesEmissora),
    element('DiplomasFiscalizados', children(many(element('DiplomaFiscalizado', emitido)))),
    fim,
  ),
  comVersao,
)

const daRegistradora = withAttributes(
  children(
    inicio,
    element('IESRegistradora', iesRegistradora),
    element('DiplomasFiscalizados', children(many(element('DiplomaFiscalizado', registrado)))),
    fim,
  ),
  comVersao,
)

/** The roots of this kind. */
export const inspectionFile = [
  element(
    'ArquivoFiscalizacao',
    children(
      choice(
        element('infArquivoFiscalizacaoEmissora', daEmissora),
        element('infArquivoFiscalizacaoRegistradora', daRegistradora),
      ),
      oneSignature,
    ),
  ),
] as const
