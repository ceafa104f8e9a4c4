import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { call } from '../../shared/api/request.ts'
import { queryOf, REFRESH_MS } from './live.ts'
import type { Certificate, CertificateStatus, Custody, Page, VaultFile } from './types.ts'

const certificate = (id: string) => `/api/certificates/${encodeURIComponent(id)}`

/** Which certificates are shown; as it stands in the address. */
export interface CertificateFilters {
  readonly cpf?: string
  readonly status?: CertificateStatus
  readonly custody?: Custody
  readonly q?: string
}

export const certificatesQuery = (filters: CertificateFilters) =>
  infiniteQueryOptions({
    queryKey: ['certificates', filters],
    queryFn: ({ signal, pageParam: cursor }) =>
      call<Page<Certificate>>('GET', `/api/certificates?${queryOf({ ...filters, cursor })}`, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })

export const importCertificate = (body: VaultFile) => call<Certificate>('POST', '/api/certificates', { body })

export const replaceCertificate = (id: string, body: VaultFile) =>
  call<Certificate>('PUT', `${certificate(id)}/file`, { body })

export const removeCertificate = (id: string) => call<unknown>('DELETE', certificate(id))

/** Authorities are asked, which may take their time. */
const RECHECK_SECONDS = 90

export const recheckCertificate = (id: string) =>
  call<Certificate>('POST', `${certificate(id)}/recheck`, { timeoutSeconds: RECHECK_SECONDS })
