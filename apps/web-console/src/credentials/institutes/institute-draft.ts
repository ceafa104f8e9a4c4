import { formatTaxId } from '../../shared/format/format-brazilian.ts'
import type { Institute } from '../api/types.ts'
import type { Draft } from '../parts/draft.ts'

export const newInstitute: Draft = {
  kind: 'IssuerAndRegistrar',
  federalSystem: true,
  data: { endereco: {}, credenciamento: {}, mantenedora: { endereco: {} } },
}

/** An institution as it is sent again: without what the service alone knows of it. */
export const draftOf = ({ kind, name, code, cnpj, federalSystem, publicUrl, data }: Institute): Draft => ({
  kind,
  name,
  code,
  cnpj: formatTaxId(cnpj),
  federalSystem,
  publicUrl,
  data: { ...data, mantenedora: data.mantenedora ?? { endereco: {} } },
})
