import type { Webhook, WebhookChange } from '../api/types.ts'

/** A webhook while it is filled in. */
export interface WebhookDraft {
  readonly url: string
  readonly authType: Webhook['authType']
  /** Never filled from what is stored: the service does not show it. */
  readonly token: string
  /** None stands for all. */
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

/** The webhook as the service takes it: whole, so that what the form does not show stays as it is. */
export const asChange = ({ url, authType, token, eventTypes, folderIds, ordered }: WebhookDraft): WebhookChange => ({
  url: url.trim(),
  authType,
  token: authType === 'NoAuth' ? null : token,
  // A type that only a newer service knows stays chosen, too.
  eventTypes: eventTypes.length === 0 ? null : ([...eventTypes] as WebhookChange['eventTypes'] & string[]),
  folderIds: folderIds && [...folderIds],
  ordered,
})
