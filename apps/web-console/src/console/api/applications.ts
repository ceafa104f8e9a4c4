import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/request.ts'
import type { Application, CreatedKey, NewKey } from './types.ts'

const application = (id: string) => `/api/applications/${encodeURIComponent(id)}`

export const applicationsQuery = queryOptions({
  queryKey: ['applications'],
  queryFn: ({ signal }) => call<Application[]>('GET', '/api/applications', { signal }),
})

export const createApplication = (name: string) => call<Application>('POST', '/api/applications', { body: { name } })

export const switchApplication = (id: string, disabled: boolean) =>
  call<Application>('PUT', application(id), { body: { disabled } })

export const createKey = (id: string, body: NewKey) => call<CreatedKey>('POST', `${application(id)}/keys`, { body })

export const revokeKey = (id: string) => call<unknown>('DELETE', `/api/keys/${encodeURIComponent(id)}`)
