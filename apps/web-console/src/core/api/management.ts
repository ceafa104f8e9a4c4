import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { queryOf, REFRESH_MS } from '../../console/api/live.ts'
import { call } from '../../shared/api/request.ts'
import type {
  Application,
  Key,
  Listed,
  MadeKey,
  NewApplication,
  NewContext,
  NewKey,
  Overview,
  Role,
  RootRole,
  SecurityContext,
  Subscription,
} from './types.ts'

/** Most of a list that a page shows; whoever looks for another one searches by name. */
const LIMIT = '500'

const encoded = encodeURIComponent

/** `since` is the start of today in the visitor's time zone. */
export const overviewQuery = (since: string) =>
  queryOptions({
    queryKey: ['overview', since],
    queryFn: ({ signal }) => call<Overview>('GET', `/api/overview?${queryOf({ since })}`, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })

export const subscriptionsQuery = (q?: string) =>
  queryOptions({
    queryKey: ['subscriptions', q],
    queryFn: ({ signal }) =>
      call<Listed<Subscription>>('GET', `/api/subscriptions?${queryOf({ Q: q, Limit: LIMIT })}`, { signal }),
    placeholderData: keepPreviousData,
  })

export const createSubscription = (name: string) => call<Subscription>('POST', '/api/subscriptions', { body: { name } })

export const changeSubscription = (id: string, body: { name?: string; disabled?: boolean }) =>
  call<Subscription>('PUT', `/api/subscriptions/${encoded(id)}`, { body })

export const applicationsQuery = (asked: { readonly q?: string; readonly subscriptionId?: string }) =>
  queryOptions({
    queryKey: ['applications', asked],
    queryFn: ({ signal }) => {
      const query = queryOf({ Q: asked.q, subscriptionId: asked.subscriptionId, Limit: LIMIT })
      return call<Listed<Application>>('GET', `/api/applications?${query}`, { signal })
    },
    placeholderData: keepPreviousData,
  })

const application = (id: string) => `/api/applications/${encoded(id)}`

export const applicationQuery = (id: string) =>
  queryOptions({
    queryKey: ['application', id],
    queryFn: ({ signal }) => call<Application>('GET', application(id), { signal }),
  })

export const createApplication = (body: NewApplication) => call<Application>('POST', '/api/applications', { body })

export const switchApplication = (id: string, disabled: boolean) =>
  call<unknown>('PUT', application(id), { body: { disabled } })

export const changeRoles = (id: string, subscriptionId: string, roles: readonly Role[]) =>
  call<unknown>('PUT', `${application(id)}/subscriptions/${encoded(subscriptionId)}`, { body: { roles } })

export const changeRootRoles = (id: string, roles: readonly RootRole[]) =>
  call<unknown>('PUT', `${application(id)}/root-roles`, { body: { roles } })

export const deleteApplication = (id: string) => call<unknown>('DELETE', application(id))

export const keysQuery = (id: string) =>
  queryOptions({
    queryKey: ['keys', id],
    queryFn: ({ signal }) => call<Key[]>('GET', `${application(id)}/keys`, { signal }),
  })

export const createKey = (id: string, body: NewKey) => call<MadeKey>('POST', `${application(id)}/keys`, { body })

export const revokeKey = (id: string, keyId: string) =>
  call<unknown>('DELETE', `${application(id)}/keys/${encoded(keyId)}`)

const contexts = (subscriptionId: string) => `/api/subscriptions/${encoded(subscriptionId)}/security-contexts`

export const contextsQuery = (subscriptionId: string) =>
  queryOptions({
    queryKey: ['security-contexts', subscriptionId],
    queryFn: ({ signal }) => call<Listed<SecurityContext>>('GET', contexts(subscriptionId), { signal }),
  })

export const createContext = (subscriptionId: string, body: NewContext) =>
  call<SecurityContext>('POST', contexts(subscriptionId), { body })

export const changeContext = (subscriptionId: string, id: string, body: NewContext) =>
  call<SecurityContext>('PUT', `${contexts(subscriptionId)}/${encoded(id)}`, { body })

export const chooseDefault = (subscriptionId: string, id: string) =>
  call<SecurityContext>('PUT', `${contexts(subscriptionId)}/default`, { body: { id } })

export const deleteContext = (subscriptionId: string, id: string) =>
  call<unknown>('DELETE', `${contexts(subscriptionId)}/${encoded(id)}`)
