import { pagedQuery } from '../../console/api/live.ts'
import { call } from '../../shared/api/request.ts'
import type { Certificate, CertificateStatus, Custody, HolderPin, VaultFile } from './types.ts'

const certificate = (id: string) => `/api/certificates/${encodeURIComponent(id)}`

/** Filters of the certificates, as in the URL. */
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

export const setCertificatePin = (id: string, body: HolderPin) =>
  call<Certificate>('PUT', `${certificate(id)}/pin`, { body })

export const removeCertificate = (id: string) => call<unknown>('DELETE', certificate(id))

/** The request calls certification authorities, which may take long. */
const RECHECK_SECONDS = 90

export const recheckCertificate = (id: string) =>
  call<Certificate>('POST', `${certificate(id)}/recheck`, { timeoutSeconds: RECHECK_SECONDS })
