import { queryOptions } from '@tanstack/react-query'
import { REFRESH_MS } from '../../console/api/live.ts'
import { call } from '../../shared/api/request.ts'
import type { Check, NewProvider, Presets, Provider, ProviderChange, Registration } from './types.ts'

const provider = (id: string) => `/api/providers/${encodeURIComponent(id)}`

/** Polled: a provider may stop answering meanwhile. */
export const providersQuery = queryOptions({
  queryKey: ['providers'],
  queryFn: ({ signal }) => call<Provider[]>('GET', '/api/providers', { signal }),
  refetchInterval: REFRESH_MS,
})

export const presetsQuery = queryOptions({
  queryKey: ['presets'],
  queryFn: ({ signal }) => call<Presets>('GET', '/api/providers/presets', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

export const createProvider = (body: NewProvider) => call<Provider>('POST', '/api/providers', { body })

export const changeProvider = (id: string, body: ProviderChange) => call<Provider>('PUT', provider(id), { body })

export const switchProvider = (id: string, enabled: boolean) =>
  call<Provider>('PUT', `${provider(id)}/enabled`, { body: { enabled } })

export const orderProviders = (ids: readonly string[]) =>
  call<Provider[]>('PUT', '/api/providers/order', { body: { ids } })

export const removeProvider = (id: string) => call<unknown>('DELETE', provider(id))

/** The request calls a provider, which may take long. */
const ASKING_SECONDS = 90

export const testProvider = (id: string) =>
  call<{ checks: readonly Check[] }>('POST', `${provider(id)}/test`, { timeoutSeconds: ASKING_SECONDS })

export const registerAtProvider = (id: string, body: Registration) =>
  call<Provider>('POST', `${provider(id)}/registration`, { body, timeoutSeconds: ASKING_SECONDS })
