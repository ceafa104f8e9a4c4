import { present, wordIn } from '../../console/parts/search-words.ts'
import { cpfDigits } from '../../shared/format/cpf.ts'
import type { CertificateFilters } from '../api/certificates.ts'
import { certificateStatuses, custodies } from '../api/types.ts'

/** Reads the filters from the URL; unknown values are dropped. */
export function certificateFiltersFrom(search: Record<string, unknown>): CertificateFilters {
  return present({
    cpf: cpfDigits(wordIn(search, 'cpf') ?? '') || undefined,
    status: certificateStatuses.find((one) => one === search.status),
    custody: custodies.find((one) => one === search.custody),
    q: wordIn(search, 'q'),
  })
}
