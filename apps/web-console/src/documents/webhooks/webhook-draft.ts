import type { Webhook, WebhookChange } from '../api/types.ts'

/** A webhook that is being edited. */
export interface WebhookDraft {
  readonly url: string
  readonly authType: Webhook['authType']
  /** Never prefilled: the service does not return it. */
  readonly token: string
  /** Empty means all. */
  readonly eventTypes: readonly string[]
  readonly folderIds: readonly string[] | null
  readonly ordered: boolean
}

export const newWebhook: WebhookDraft = {
  url: '',
  authType: 'NoAuth',
  token: '',
  eventTypes: [],
  folderIds: null,
  ordered: false,
}

export const draftOf = ({ url, authType, eventTypes, folderIds, ordered }: Webhook): WebhookDraft => ({
  url,
  authType,
  token: '',
  eventTypes: eventTypes ?? [],
  folderIds,
  ordered,
})

/** The complete webhook in the service's format, so that fields the form does not show keep their values. */
export const asChange = ({ url, authType, token, eventTypes, folderIds, ordered }: WebhookDraft): WebhookChange => ({
  url: url.trim(),
  authType,
  token: authType === 'NoAuth' ? null : token,
  // A type that only a newer service knows stays selected, too.
  eventTypes: eventTypes.length === 0 ? null : ([...eventTypes] as WebhookChange['eventTypes'] & string[]),
  folderIds: folderIds && [...folderIds],
  ordered,
})
