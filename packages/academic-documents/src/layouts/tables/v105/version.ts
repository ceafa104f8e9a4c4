import { allowed } from '../../language/content.ts'
import { oneOf } from '../../language/simple.ts'
import { ambiente } from './values.ts'

/** The attributes of the node that holds a document's data. */
export const comVersao = {
  versao: { type: oneOf('1.05'), min: 1, fixed: '1.05' },
  ambiente: allowed(ambiente, 'Produção, se não for informado. Só documentos de Produção têm valor legal.'),
} as const
