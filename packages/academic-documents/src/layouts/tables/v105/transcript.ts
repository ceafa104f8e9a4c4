// The transcript: on its own in three forms, and inside the academic documentation.
import { children, element, optional, signatures, withAttributes } from '../../language/content.ts'
import { iesEmissora } from './acts-and-institutions.ts'
import { cursoResumido } from './courses.ts'
import { diplomado } from './people-and-places.ts'
import { historico, historicoDeSegundaVia } from './transcript-body.ts'
import { codigoComEmissora, linha } from './values.ts'
import { comVersao } from './version.ts'

const inicio = [element('Aluno', diplomado), cursoResumido, element('IesEmissora', iesEmissora)] as const

const fim = [
  element('SegurancaHistorico', children(element('CodigoValidacao', codigoComEmissora))),
  optional(element('InformacoesAdicionais', linha)),
] as const

const deHistorico = children(
  element(
    'infHistoricoEscolar',
    withAttributes(children(...inicio, element('HistoricoEscolar', historico), ...fim), comVersao),
  ),
  signatures,
)

const deSegundaVia = children(
  element(
    'infHistoricoEscolar',
    withAttributes(children(...inicio, element('HistoricoEscolar', historicoDeSegundaVia), ...fim), comVersao),
  ),
  signatures,
)

/** The roots of this kind. */
export const academicTranscript = [
  element('DocumentoHistoricoEscolarParcial', deHistorico),
  element('DocumentoHistoricoEscolarFinal', deHistorico),
  element('DocumentoHistoricoEscolarSegundaViaNatoFisico', deSegundaVia),
] as const
