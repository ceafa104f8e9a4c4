import { pagedQuery } from '../../console/api/live.ts'
import { call } from '../../shared/api/request.ts'
import type { Certificate, CertificateStatus, Custody, VaultFile } from './types.ts'

const certificate = (id: string) => `/api/certificates/${encodeURIComponent(id)}`

/** Which certificates are shown; as it stands in the address. */
export interface CertificateFilters {
  readonly cpf?: string
  readonly status?: CertificateStatus
  readonly custody?: Custody
  readonly q?: string
}

export const certificatesQuery = (filters: CertificateFilters) =>
  pagedQuery<Certificate>('certificates', { ...filters })

export const importCertificate = (body: VaultFile) => call<Certificate>('POST', '/api/certificates', { body })

export const replaceCertificate = (id: string, body: VaultFile) =>
  call<Certificate>('PUT', `${certificate(id)}/file`, { body })

export const removeCertificate = (id: string) => call<unknown>('DELETE', certificate(id))

/** Authorities are asked, which may take their time. */
const RECHECK_SECONDS = 90

export const recheckCertificate = (id: string) =>
  call<Certificate>('POST', `${certificate(id)}/recheck`, { timeoutSeconds: RECHECK_SECONDS })
