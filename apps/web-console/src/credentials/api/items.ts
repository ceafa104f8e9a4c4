import { queryOptions } from '@tanstack/react-query'
import { downloadOnce } from '../../shared/api/download.ts'
import { CallFailure, headersOf, refused } from '../../shared/api/request.ts'
import { sendForm } from '../../shared/upload/send-form.ts'
import { ask, pageHeaders } from './acting-for.ts'
import { addressOf } from './lists.ts'
import type { Flow, Item, Representation, StartedSignature, WalletOffer, XmlDocument } from './types.ts'

/** Does something with an item that changes its state. */
export const act = (resource: string, id: string, name: string, body?: unknown) =>
  ask<Item>('POST', `${addressOf(resource, id)}/${name}`, body === undefined ? {} : { body })

/** Draws the visual representation by the template of today. */
export const drawAnew = (resource: string, id: string) =>
  ask<Representation>('POST', `${addressOf(resource, id)}/representation`)

/** A link by which the student fetches the credential. */
export const offerToWallet = (resource: string, id: string) =>
  ask<WalletOffer>('POST', `${addressOf(resource, id)}/wallet-offers`)

/** Saves a file of the service under a name. */
export const save = (address: string, name: string) => downloadOnce(address, name, { headers: pageHeaders() })

export const uploadRegistration = (form: FormData) =>
  sendForm<Item>('/api/registrations', form, { headers: pageHeaders() })

/** The XML as it is: its signatures cover every byte. */
export async function uploadRegistered(id: string, file: File): Promise<Item> {
  const headers = { ...pageHeaders(), accept: 'application/json', 'content-type': 'application/xml' }
  const address = `${addressOf('emissions', id)}/registered-xml`
  const response = await fetch(address, { method: 'POST', headers, body: file }).catch((cause) => {
    throw new CallFailure({ kind: 'unreachable' }, { cause })
  })
  const text = await response.text()
  if (!response.ok) throw refused(response.status, text, headersOf(response))
  return JSON.parse(text) as Item
}

/** Signatures come in meanwhile, of others and of the institution. */
const REFRESH_MS = 5000

export const documentsQuery = (ownerId: string) =>
  queryOptions({
    queryKey: ['documents', ownerId],
    queryFn: ({ signal }) =>
      ask<{ items: readonly XmlDocument[] }>('GET', `/api/documents?${new URLSearchParams({ ownerId })}`, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ status }) => status === 'Open') === true ? REFRESH_MS : false,
  })

const signatures = (documentId: string) => `${addressOf('documents', documentId)}/signatures`

export const startSignature = (documentId: string, certificate: string) =>
  ask<StartedSignature>('POST', signatures(documentId), { body: { certificate } })

export const completeSignature = (documentId: string, body: { token: string; signature: string }) =>
  ask<XmlDocument>('POST', `${signatures(documentId)}/completion`, { body })

/** Has a document whose signing failed signed after all. */
export const reopenDocument = (documentId: string, signedAt: Flow['signedAt']) =>
  ask<XmlDocument>('POST', `${addressOf('documents', documentId)}/reopening`, { body: { signedAt } })
