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

/** The webhook as the service takes it: what is null, such as a token that is not given again, stays as it is. */
export const asChange = ({ url, authType, token, eventTypes, folderIds, ordered }: WebhookDraft): WebhookChange => ({
  url: url.trim(),
  authType,
  token: authType === 'NoAuth' || token === '' ? null : token,
  // A type that only a newer service knows stays chosen, too.
  eventTypes: [...eventTypes] as WebhookChange['eventTypes'] & string[],
  folderIds: folderIds && [...folderIds],
  ordered,
})

/** Whether the token in use serves further: the service keeps it while the type stays. */
export const keepsToken = ({ authType }: WebhookDraft, stored: Webhook | undefined): boolean =>
  stored?.hasToken === true && stored.authType === authType
