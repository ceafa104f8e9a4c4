import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/request.ts'
import type {
  Application,
  AuditPage,
  AuditVerification,
  CreatedApplication,
  CreatedKey,
  Organization,
  OrganizationChange,
  OrganizationUser,
  Page,
  RightsRow,
} from './types.ts'

const organization = (id: string) => `/api/organizations/${encodeURIComponent(id)}`

export const organizationQuery = (id: string) =>
  queryOptions({
    queryKey: ['organization', id],
    queryFn: ({ signal }) => call<Organization>('GET', organization(id), { signal }),
  })

export const changeOrganization = (id: string, body: OrganizationChange) =>
  call<Organization>('PUT', organization(id), { body })

export const USERS_PER_PAGE = 50

export const usersQuery = (offset: number) =>
  queryOptions({
    queryKey: ['users', offset],
    queryFn: ({ signal }) =>
      call<Page<OrganizationUser>>('GET', `/api/organizations/users?limit=${USERS_PER_PAGE + 1}&offset=${offset}`, {
        signal,
      }),
    placeholderData: keepPreviousData,
  })

/** Who may do what; it changes with the service alone. */
export const rightsQuery = queryOptions({
  queryKey: ['rights'],
  queryFn: ({ signal }) => call<RightsRow[]>('GET', '/api/rights', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

export interface UserData {
  /** Of the user who is changed; absent for a new one. */
  readonly id?: string
  readonly name: string
  readonly email: string
  readonly identifier?: string
  readonly accessProfile: OrganizationUser['accessProfile']
}

/** Adds a user or changes one; whoever does not sign in yet is sent an invitation each time. */
export const saveUser = (body: UserData) => call<OrganizationUser>('POST', '/api/organizations/users', { body })

export const removeUser = (id: string) => call<unknown>('DELETE', `/api/organizations/users/${encodeURIComponent(id)}`)

const audit = (organizationId: string) => `${organization(organizationId)}/audit`

export const auditQuery = (organizationId: string, cursor: string | undefined) =>
  queryOptions({
    queryKey: ['audit', organizationId, cursor],
    queryFn: ({ signal }) =>
      call<AuditPage>(
        'GET',
        `${audit(organizationId)}?${new URLSearchParams({ limit: '20', ...(cursor && { cursor }) })}`,
        {
          signal,
        },
      ),
    placeholderData: keepPreviousData,
  })

/** Where the browser fetches the file of the audit. */
export const auditFile = (organizationId: string, format: 'csv' | 'jsonl', language: string) =>
  `${audit(organizationId)}/export.${format}?${new URLSearchParams({ language })}`

export const verifyAudit = (organizationId: string) =>
  queryOptions({
    queryKey: ['audit-verification', organizationId],
    queryFn: ({ signal }) =>
      call<AuditVerification>('GET', `${audit(organizationId)}/verification`, { signal, timeoutSeconds: 60 }),
    // Each time it is asked for it is looked at anew.
    gcTime: 0,
  })

const applications = (organizationId: string) => `${organization(organizationId)}/applications`

const keys = (organizationId: string, applicationId: string) =>
  `${applications(organizationId)}/${encodeURIComponent(applicationId)}/keys`

export const applicationsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['applications', organizationId],
    queryFn: ({ signal }) => call<Application[]>('GET', applications(organizationId), { signal }),
  })

export const createApplication = (organizationId: string, name: string) =>
  call<CreatedApplication>('POST', applications(organizationId), { body: { name } })

export const createKey = (organizationId: string, applicationId: string, description: string) =>
  call<CreatedKey>('POST', keys(organizationId, applicationId), { body: { description } })

export const revokeKey = (organizationId: string, applicationId: string, keyId: string) =>
  call<unknown>('DELETE', `${keys(organizationId, applicationId)}/${encodeURIComponent(keyId)}`)
